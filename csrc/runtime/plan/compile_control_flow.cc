#include <algorithm>
#include <optional>
#include <utility>

#include "graph/passes/find_guards.h"
#include "graph/passes/grow_regions.h"
#include "runtime/plan/bytecode_limits.h"
#include "runtime/plan/dataflow_program.h"
#include "runtime/plan/write_bytecode.h"

namespace tinytf {

namespace {

/// Removes nodes that can never run. Unimplemented if a loop could not continue without them.
Result<Subgraph> without_dead_nodes(Subgraph subgraph, const Guards& guards) {
  std::vector<SubgraphNode>& nodes = subgraph.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i].removed |= guards.of[i] == GuardTable::kNever;
  for (const BackEdge& edge : std::exchange(subgraph.back_edges, {})) {
    if (nodes[edge.merge].removed) continue;
    if (nodes[edge.from.node].removed) {
      return unimplemented("{{node ", nodes[edge.from.node].info->name,
                           "}} can never run: it needs both branches of one predicate");
    }
    subgraph.back_edges.push_back(edge);
  }
  return subgraph;
}

/// Builds bytecode for a subgraph, which may contain contracted regions. `misfit`: set if the result is Unimplemented
/// and a region could help.
Result<Program> compile_control_flow(const Subgraph& subgraph, const Frames& frames, const std::vector<Endpoint>& feeds,
                                     KernelSource kernels, RegionSource regions, bool is_partial, Misfit& misfit) {
  TINYTF_ASSIGN_OR_RETURN(Guards guards, find_guards(subgraph, frames, &misfit));
  std::optional<Subgraph> living;
  if (std::find(guards.of.begin(), guards.of.end(), GuardTable::kNever) != guards.of.end()) {
    TINYTF_ASSIGN_OR_RETURN(living, without_dead_nodes(subgraph, guards));
  }
  const Subgraph& remaining = living ? *living : subgraph;
  TINYTF_ASSIGN_OR_RETURN(const std::vector<Loop> loops, find_loops(remaining, frames, guards, &misfit));
  const ControlStructure control{remaining, frames, guards, loops};
  const std::string why_not = why_no_bytecode(control, &misfit);
  if (!why_not.empty()) return unimplemented(why_not);
  return write_bytecode(control, feeds, kernels, regions, is_partial, misfit);
}

}  // namespace

Result<Program> build_bytecode(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                               bool is_partial) {
  constexpr size_t kMostRegions = 32;  // Each takes another analysis of the whole subgraph.
  TINYTF_ASSIGN_OR_RETURN(const Frames frames, find_frames(subgraph));
  const auto build_region = [&](const Region& region) -> Result<std::shared_ptr<const Program>> {
    TINYTF_ASSIGN_OR_RETURN(Program program,
                            build_region_program(subgraph, frames, feeds, kernels, is_partial, region));
    return std::make_shared<const Program>(std::move(program));
  };
  Misfit misfit;
  Result<Program> whole = compile_control_flow(subgraph, frames, feeds, kernels, build_region, is_partial, misfit);
  if (whole.ok() || whole.status().code() != Code::kUnimplemented) return whole;
  std::vector<RegionSeed> seeds;
  std::optional<Contraction> contraction = contract(subgraph, seeds);
  Frames contracted = frames;
  std::string why = whole.status().message();
  for (size_t tries = 0; contraction && tries < kMostRegions; ++tries) {
    if (!add_seed(*contraction, contracted, misfit, why, seeds) || !grow_seeds(subgraph, frames, seeds)) break;
    contraction = contract(subgraph, seeds);
    if (!contraction) break;
    TINYTF_ASSIGN_OR_RETURN(contracted, find_frames(contraction->subgraph));
    misfit = Misfit();
    Result<Program> built =
        compile_control_flow(contraction->subgraph, contracted, feeds, kernels, build_region, is_partial, misfit);
    if (built.ok() && built.value().nodes.empty() && !is_partial) break;  // Only regions would run.
    if (built.ok() || built.status().code() != Code::kUnimplemented) return built;
    why = built.status().message();
  }
  return whole;
}

}  // namespace tinytf
