#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/passes/fold.h"

namespace tinytf {

/// The values that plans have folded, by node, as long as such plans exist. Later plans of the same nodes take them
/// from here. Values are dropped when a constant of the graph changes. Thread-safe.
class FoldedCache {
 public:
  /// The known values of these nodes of a graph. `version`: the graph's constants_version().
  std::unordered_map<const Node*, FoldedValues> find(Graph& graph, int64_t version,
                                                     const std::vector<const Node*>& nodes);
  /// Adds values, unless they are of an older version than others of the graph.
  void add(Graph& graph, int64_t version, const std::unordered_map<const Node*, FoldedValues>& values);

 private:
  struct OfGraph {
    RefPtr<Graph> graph;  ///< Kept alive, since its nodes are keys.
    int64_t version = 0;
    std::unordered_map<const Node*, std::weak_ptr<const std::vector<Tensor>>> values;
  };

  std::mutex mutex_;
  std::map<const Graph*, OfGraph> graphs_;
};

}  // namespace tinytf
