#pragma once

namespace tinytf::kernels {

struct GemmTable {};

}  // namespace tinytf::kernels
