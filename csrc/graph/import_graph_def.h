#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_def.h"
#include "graph/import_attrs.h"

namespace tinytf {

/// A replacement for an output of a GraphDef's node, or (output -1) for the node as a control input.
struct MappedInput {
  std::string source;
  int64_t output = 0;
  Endpoint with;
};

struct ImportOptions {
  std::string prefix;          ///< Prefix of node names; ends in a slash, or is empty.
  bool is_prefix_new = false;  ///< No name in the graph has the prefix.
  std::vector<MappedInput> input_map;
  /// The nodes are a function's: colocation groups that name unknown nodes are dropped instead of being errors.
  bool is_function = false;
  int32_t producer = 0;         ///< Version of the GraphDef.
  int32_t ops_of = 0;           ///< Ops that were removed in this GraphDef version are errors; 0: none are.
  UndeclaredAttrFn undeclared;  ///< Decides about attrs that the op does not declare.
  /// Maps a node's device string to the device it requests here; empty: the identity. Not called for nodes that are
  /// colocated with another node.
  std::function<Result<std::string>(std::string_view)> device;
  /// Finds the declaration of a function that is neither in the graph nor in the GraphDef; empty: there are none.
  std::function<const OpDef*(std::string_view)> function;
  bool is_strict = false;  ///< Undeclared ops are errors.
  /// The producer's declarations of ops that are not declared here, by name.
  std::map<std::string, OpDef, std::less<>> producers_ops;
  /// Values of constants that are stored outside the GraphDef, by node; these nodes lack the attr `value`.
  std::map<std::string, AttrValue, std::less<>> values;
  /// Dtypes of outputs of undeclared ops that the GraphDef does not determine, by node and output index.
  std::map<std::pair<std::string_view, int64_t>, DType> output_types;
};

/// The result of importing one node.
struct ImportedNode {
  Node* node = nullptr;
  std::string_view name;      ///< In the GraphDef.
  std::string_view device;    ///< The requested device in the GraphDef.
  bool is_colocated = false;  ///< With another node.
};

/// Adds the functions and nodes of a GraphDef to a graph: all of them, or none on failure. Nodes are added in
/// topological order; ties keep the order of the GraphDef. No other thread may change the graph meanwhile. The graph's
/// lock is held only while nodes are added, so the callbacks in the options may wait for other threads.
///
/// An edge from a NextIteration to a Merge is a back edge and does not constrain the order. A node whose op is not
/// declared gets its own declaration (see unknown_op.h), unless the import is strict. Fails with TensorFlow's messages:
/// InvalidArgument for an invalid graph; in a strict import, NotFound for an undeclared op.
Result<std::vector<ImportedNode>> import_graph_def(Graph& graph, const GraphDefView& graph_def,
                                                   const ImportOptions& options);

}  // namespace tinytf
