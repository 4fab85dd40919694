#include "graph/passes/guards.h"

namespace tinytf {

int Guards::of_output(const Subgraph& subgraph, const SubgraphNode::Input& output) {
  const SubgraphNode& node = subgraph.nodes[output.node];
  if (node.fed(output.output)) return 0;
  const int guard = of_outputs[output.node];
  if (node.control_flow() != ControlFlow::kSwitch || guard == GuardTable::kNever) return guard;
  const SwitchPredicate& asked = switches[output.node];
  const bool value = output.output == 1;
  if (asked.known) return *asked.known == value ? guard : GuardTable::kNever;
  return table.with(guard, {asked.predicate, value != asked.is_negated, output.node});
}

}  // namespace tinytf
