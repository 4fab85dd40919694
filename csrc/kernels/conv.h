#pragma once

namespace tinytf::kernels {

struct ConvTable {};

}  // namespace tinytf::kernels
