#pragma once

// Plans of subgraphs, without a session.

#include <memory>
#include <vector>

#include "op/kernel_registry.h"
#include "runtime/plan/plan.h"

namespace tinytf {
namespace testing {

/// Makes the node's registered kernel.
inline const auto registered_kernel = [](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(*node.info));
  return std::shared_ptr<Kernel>(std::move(made));
};

inline Result<RefPtr<Plan>> build_plan(const Subgraph& subgraph, const std::vector<Endpoint>& feeds,
                                       KernelSource kernels = registered_kernel, bool compiles = true) {
  TINYTF_ASSIGN_OR_RETURN(Program program, build_program(subgraph, feeds, kernels, /*is_partial=*/false, compiles));
  return make_ref<Plan>(std::move(program));
}

/// Makes steps of the plan run as if this time had been measured for each of its units.
inline void pretend_measured(Plan& plan, int32_t unit_ns) {
  for (size_t u = 0; u < plan.program().units.size(); ++u) plan.profile().unit_ns[u] = unit_ns;
  plan.profile().steps = 4;
}

}  // namespace testing
}  // namespace tinytf
