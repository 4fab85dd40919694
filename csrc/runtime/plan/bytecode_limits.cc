#include "runtime/plan/bytecode_limits.h"

namespace tinytf {

namespace {

/// Whether a node takes a value that enters a loop but is neither constant nor a variable of the loop.
bool takes_entered(const Subgraph& subgraph, const SubgraphNode::Input& input, bool is_variable) {
  const SubgraphNode& source = subgraph.source(input);
  return !is_variable && source.control_flow() == ControlFlow::kEnter && !subgraph.fed(input) &&
         !is_constant_enter(source);
}

}  // namespace

std::string why_no_bytecode(const ControlStructure& control, Misfit* misfit) {
  const Subgraph& subgraph = control.subgraph;
  const auto note = [&](int node, int frame) {
    if (misfit == nullptr) return;
    misfit->node = node;
    misfit->frame = frame > 0 ? frame : -1;
  };
  const std::vector<bool> is_variable = loop_variables(control);
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    const SubgraphNode& node = subgraph.nodes[i];
    if (!node.runs() || node.values) continue;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const auto& input = node.inputs[k];
      // The read of a variable happens at a definite time, which an alias of its slot would lose.
      if (node.control_flow() != ControlFlow::kNone && subgraph.is_ref(input) && !takes_reference(*node.info, k)) {
        note(static_cast<int>(i), -1);
        return str_cat("{{node ", node.info->name, "}} takes a reference to a variable where a value is needed");
      }
      if (takes_entered(subgraph, input, is_variable[i])) {
        note(static_cast<int>(i), control.frames.of[i]);
        return str_cat("{{node ", node.info->name,
                       "}} reads a value that enters a loop without being a variable of the loop");
      }
    }
  }
  for (const SubgraphNode::Input& fetch : subgraph.fetches) {
    const SubgraphNode& source = subgraph.source(fetch);
    if (subgraph.fed(fetch) || !source.runs()) continue;
    const bool is_plain = source.control_flow() == ControlFlow::kNone && control.guards.of[fetch.node] == 0;
    if (control.frames.of_outputs[fetch.node] == 0 && (!subgraph.is_ref(fetch) || is_plain)) continue;
    note(fetch.node, control.frames.of_outputs[fetch.node]);
    return str_cat("{{node ", source.info->name,
                   "}} is fetched from inside a loop, or is a fetched reference that depends on a branch");
  }
  return std::string();
}

}  // namespace tinytf
