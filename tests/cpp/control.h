#pragma once

#include <vector>

#include "graph/passes/find_guards.h"
#include "graph/passes/loops.h"

namespace tinytf {
namespace testing {

/// The part of a graph that some fetches need, with the analysis of its control flow, which must succeed.
struct Control {
  explicit Control(const std::vector<Endpoint>& fetches, const std::vector<Endpoint>& feeds = {})
      : subgraph(prune(feeds, fetches, {}).take()) {}

  int index_of(const Node* node) const {
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (subgraph.nodes[i].origin == node) return static_cast<int>(i);
    }
    return -1;
  }

  const Subgraph subgraph;
  const Frames frames = find_frames(subgraph).take();
  Guards guards = find_guards(subgraph, frames).take();
  const std::vector<Loop> loops = find_loops(subgraph, frames, guards).take();
  const ControlStructure structure{subgraph, frames, guards, loops};
};

}  // namespace testing
}  // namespace tinytf
