#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "graph/graph.h"
#include "io/wire.h"

namespace tinytf {

// Graphs as TensorFlow's messages GraphDef and NodeDef.

/// What a NodeDef says, as views of its bytes.
struct NodeDefView {
  struct Attr {
    std::string_view name;
    std::string_view value;  ///< an AttrValue
  };

  std::string_view name;
  std::string_view op;
  std::string_view device;
  std::vector<std::string_view> inputs;
  std::vector<Attr> attrs;  ///< one of each name
};

/// What a GraphDef says, as views of its bytes, which must outlive it. Its versions are not read: who imports a graph
/// has looked at them before.
struct GraphDefView {
  std::vector<NodeDefView> nodes;
  MergedBytes library;             ///< a FunctionDefLibrary
  std::deque<std::string> merged;  ///< values that were written in several parts
};

/// InvalidArgument for bytes that are no NodeDef. Values in several parts are put into `merged`, which must live as
/// long as the view.
Result<NodeDefView> read_node_def(std::string_view bytes, std::deque<std::string>& merged);
/// InvalidArgument for bytes that are no GraphDef.
Result<GraphDefView> read_graph_def(std::string_view bytes);

/// What a GraphDef is to contain.
struct GraphDefOptions {
  int after_id = 0;  ///< only nodes with greater ids
  bool add_shapes =
      false;  ///< the attr _output_shapes for each node that has outputs; for functions as function_def_of
  int32_t producer = 0;
  int32_t min_consumer = 0;
  std::vector<int32_t> bad_consumers = {};  ///< ascending
};

/// Writes an entry of a map of attrs, which is the field of that number.
Status write_attr_entry(WireWriter& to, uint32_t field, std::string_view name, const AttrValue& value);
/// Writes a node as the fields of a NodeDef but for its inputs, which `write_inputs` writes by `write_node_input`.
Status write_node(WireWriter& to, const Node& node, bool add_shapes, FunctionRef<void()> write_inputs);
void write_node_input(WireWriter& to, std::string_view input);

/// The nodes as a GraphDef, in the order of their ids, with all functions of the graph. Fails as write_attr.
Result<std::string> graph_def_of(Graph& graph, const GraphDefOptions& options);
/// One node as a NodeDef, with every attr: given, inferred and default ones.
Result<std::string> node_def_of(const Graph& graph, const Node& node);

}  // namespace tinytf
