#pragma once

namespace tinytf::kernels {

struct CopyTable {};

}  // namespace tinytf::kernels
