#pragma once

namespace tinytf::kernels {

struct PoolTable {};

}  // namespace tinytf::kernels
