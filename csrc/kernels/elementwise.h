#pragma once

namespace tinytf::kernels {

struct ElementwiseTable {};

}  // namespace tinytf::kernels
