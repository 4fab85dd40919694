#include "graph/passes/waiting_constants.h"

#include <utility>

#include "graph/passes/made_node.h"

namespace tinytf {

namespace {

SubgraphNode made_constant(const SubgraphNode& of, Tensor value, std::vector<int> controls) {
  const DType dtype = value.dtype();
  AttrMap attrs;
  attrs.set("dtype", dtype);
  attrs.set("value", std::move(value));
  SubgraphNode node = made_node(of, "Const", {}, {{dtype}}, std::move(attrs));
  node.control_inputs = std::move(controls);
  return node;
}

}  // namespace

void place_waiting_constants(Subgraph& subgraph, const std::map<int, std::vector<int>>& waits) {
  if (waits.empty()) return;
  std::vector<SubgraphNode> nodes;
  nodes.reserve(subgraph.nodes.size());
  const auto push = [&](SubgraphNode node) {
    nodes.push_back(std::move(node));
    return static_cast<int>(nodes.size()) - 1;
  };
  std::vector<int> places(subgraph.nodes.size());  // By old index: the new index of the node or of its first constant.
  std::map<int, std::vector<int>> constants;       // By old index: the constants of the outputs.
  const auto placed = [&](SubgraphNode::Input input) -> SubgraphNode::Input {
    const auto found = constants.find(input.node);
    if (found != constants.end()) return {found->second[input.output], 0};
    return {places[input.node], input.output};
  };
  const auto controls_of = [&](std::vector<int> controls) {
    for (int& control : controls) control = places[control];
    return controls;
  };
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    SubgraphNode& node = subgraph.nodes[i];
    const auto found = waits.find(static_cast<int>(i));
    if (found == waits.end()) {
      for (SubgraphNode::Input& input : node.inputs) input = placed(input);
      node.control_inputs = controls_of(std::move(node.control_inputs));
      places[i] = push(std::move(node));
      continue;
    }
    std::vector<int>& outputs = constants[found->first];
    for (const Tensor& value : *node.values) {
      outputs.push_back(push(made_constant(node, value, controls_of(found->second))));
    }
    places[i] = outputs[0];
  }
  for (BackEdge& edge : subgraph.back_edges) edge = {places[edge.merge], edge.position, placed(edge.from)};
  for (SubgraphNode::Input& fetch : subgraph.fetches) fetch = placed(fetch);
  for (int& target : subgraph.targets) target = target < 0 ? target : places[target];
  subgraph.nodes = std::move(nodes);
}

}  // namespace tinytf
