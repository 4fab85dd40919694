#pragma once

namespace tinytf::kernels {

struct UpdateTable {};

}  // namespace tinytf::kernels
