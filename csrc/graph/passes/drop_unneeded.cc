#include <algorithm>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

void drop_unneeded(Subgraph& subgraph) {
  std::vector<bool> needed(subgraph.nodes.size());
  std::vector<int> pending;
  const auto need = [&](int node) {
    if (!needed[node]) pending.push_back(node);
    needed[node] = true;
  };
  std::vector<std::vector<int>> back(subgraph.back_edges.empty() ? 0 : subgraph.nodes.size());
  for (const BackEdge& edge : subgraph.back_edges) back[edge.merge].push_back(edge.from.node);
  for (const auto& fetch : subgraph.fetches) need(fetch.node);
  for (const int target : subgraph.targets) {
    if (target >= 0) need(target);
  }
  while (!pending.empty()) {
    const int i = pending.back();
    pending.pop_back();
    for (const auto& input : subgraph.nodes[i].inputs) need(input.node);
    for (const int control : subgraph.nodes[i].control_inputs) need(control);
    if (!back.empty()) std::for_each(back[i].begin(), back[i].end(), need);
  }
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) subgraph.nodes[i].removed |= !needed[i];
  auto& edges = subgraph.back_edges;
  const auto is_gone = [&](const BackEdge& edge) { return subgraph.nodes[edge.merge].removed; };
  edges.erase(std::remove_if(edges.begin(), edges.end(), is_gone), edges.end());
}

}  // namespace tinytf
