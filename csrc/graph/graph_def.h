#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "graph/graph.h"
#include "io/wire.h"

namespace tinytf {

// Conversion between graphs and TensorFlow's GraphDef and NodeDef messages.

// Field numbers of messages that several files read and write.
struct NodeDefField {
  static constexpr uint32_t kName = 1, kOp = 2, kInput = 3, kDevice = 4, kAttr = 5;
};
struct FunctionDefField {
  static constexpr uint32_t kSignature = 1, kNodeDef = 3, kRet = 4, kAttr = 5, kControlRet = 6, kArgAttr = 7;
};
struct ArgAttrsField {
  static constexpr uint32_t kAttr = 1;
};
struct MapEntryField {
  static constexpr uint32_t kKey = 1, kValue = 2;
};

/// A parsed NodeDef, as views of its bytes.
struct NodeDefView {
  struct Attr {
    std::string_view name;
    std::string_view value;  ///< A serialized AttrValue.
  };

  std::string_view name;
  std::string_view op;
  std::string_view device;
  std::vector<std::string_view> inputs;
  std::vector<Attr> attrs;  ///< Names are distinct.
};

/// A parsed GraphDef, as views of its bytes, which must outlive it. Its versions are not read: the caller checks them
/// before the import.
struct GraphDefView {
  std::vector<NodeDefView> nodes;
  MergedBytes library;             ///< A serialized FunctionDefLibrary.
  std::deque<std::string> merged;  ///< Storage of values that were serialized in several parts.
};

/// Parses a NodeDef. InvalidArgument for malformed bytes. Values that were serialized in several parts are stored in
/// `merged`, which must outlive the view.
Result<NodeDefView> read_node_def(std::string_view bytes, std::deque<std::string>& merged);
/// Parses a GraphDef. InvalidArgument for malformed bytes.
Result<GraphDefView> read_graph_def(std::string_view bytes);

/// What a serialized GraphDef contains.
struct GraphDefOptions {
  int after_id = 0;  ///< Only nodes with greater ids are included.
  bool add_shapes =
      false;  ///< Adds the attr _output_shapes to each node that has outputs; for functions see function_def_of.
  int32_t producer = 0;
  int32_t min_consumer = 0;
  std::vector<int32_t> bad_consumers = {};  ///< In ascending order.
};

/// Writes an entry of an attr map, which is the field number `field` of its message.
Status write_attr_entry(WireWriter& to, uint32_t field, std::string_view name, const AttrValue& value);
/// Writes the fields of a NodeDef. The callback `write_inputs` writes the inputs by means of write_node_input.
Status write_node(WireWriter& to, const Node& node, bool add_shapes, FunctionRef<void()> write_inputs);
void write_node_input(WireWriter& to, std::string_view input);

/// Serializes the nodes as a GraphDef, in the order of their ids, with all functions of the graph. Fails as write_attr
/// does.
Result<std::string> graph_def_of(Graph& graph, const GraphDefOptions& options);
/// Serializes one node as a NodeDef with all of its attrs: given, inferred and default ones.
Result<std::string> node_def_of(const Graph& graph, const Node& node);

}  // namespace tinytf
