#pragma once

#include <vector>

#include "runtime/plan/bytecode_regions.h"

namespace tinytf {

/// Writes the bytecode of a subgraph with this control flow. Unimplemented if kernels or regions of one loop or branch
/// may wait for each other, if dependencies between loops are cyclic, and as BytecodeRegions::emit. `misfit`: set to
/// the loop in the first case.
Result<Program> write_bytecode(const ControlStructure& control, const std::vector<Endpoint>& feeds,
                               KernelSource kernels, RegionSource regions, bool is_partial, Misfit& misfit);

}  // namespace tinytf
