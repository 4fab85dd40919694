#pragma once

namespace tinytf::kernels {

struct GatherTable {};

}  // namespace tinytf::kernels
