#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

// Serialization of graphs as TensorFlow's GraphDef and NodeDef messages.

/// What a serialized GraphDef contains.
struct GraphDefOptions {
  int after_id = 0;  ///< Only nodes with greater ids are included.
  bool add_shapes =
      false;  ///< Adds the attr _output_shapes to each node that has outputs; for functions see function_def_of.
  int32_t producer = 0;
  int32_t min_consumer = 0;
  std::vector<int32_t> bad_consumers = {};  ///< In ascending order.
};

/// Serializes the nodes as a GraphDef, in the order of their ids, with all functions of the graph. Fails as write_attr
/// does.
Result<std::string> graph_def_of(Graph& graph, const GraphDefOptions& options);
/// Serializes one node as a NodeDef with all of its attrs: given, inferred and default ones.
Result<std::string> node_def_of(const Graph& graph, const Node& node);

}  // namespace tinytf
