#pragma once

namespace tinytf::kernels {

struct CastTable {};

}  // namespace tinytf::kernels
