#pragma once

namespace tinytf::kernels {

struct ReduceTable {};

}  // namespace tinytf::kernels
