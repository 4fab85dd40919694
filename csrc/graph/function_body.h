#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/ref_ptr.h"
#include "graph/node.h"

namespace tinytf {

class Graph;

/// A function as a subgraph: the nodes that `results` and `targets` need when `arguments` are given. One graph may
/// contain any number of functions and may grow. A body is shared by all of its callers.
struct FunctionBody {
  RefPtr<Graph> graph;
  /// Distinct. Nodes needed only to compute these endpoints are not part of the function.
  std::vector<Endpoint> arguments;
  std::vector<Endpoint> results;
  std::vector<Node*> targets;  ///< Nodes that run whether their outputs are used or not.
  std::string name = {};       ///< Name of the definition it was instantiated from; empty if there is none.

  /// Whether both denote the same part of the same graph.
  friend bool operator==(const FunctionBody& a, const FunctionBody& b) {
    return a.graph.get() == b.graph.get() && a.arguments == b.arguments && a.results == b.results &&
           a.targets == b.targets;
  }
};

}  // namespace tinytf
