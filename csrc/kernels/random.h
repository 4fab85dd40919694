#pragma once

namespace tinytf::kernels {

struct RandomTable {};

}  // namespace tinytf::kernels
