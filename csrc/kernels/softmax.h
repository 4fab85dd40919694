#pragma once

namespace tinytf::kernels {

struct SoftmaxTable {};

}  // namespace tinytf::kernels
