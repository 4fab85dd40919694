#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_def.h"
#include "graph/import_attrs.h"

namespace tinytf {

/// What takes the place of an output of a node of the GraphDef, or (output -1) of the node as a control input.
struct MappedInput {
  std::string source;
  int64_t output = 0;
  Endpoint with;
};

struct ImportOptions {
  std::string prefix;          ///< of names; ends in a slash, or is empty
  bool is_prefix_new = false;  ///< the graph has no names with it
  std::vector<MappedInput> input_map;
  bool is_function = false;     ///< nodes may be colocated with what is called otherwise: then they are not
  int32_t producer = 0;         ///< version of the GraphDef
  int32_t ops_of = 0;           ///< ops that GraphDefs of this version have no more are errors; 0: none are
  UndeclaredAttrFn undeclared;  ///< what to do with attrs that are not declared
  /// The text to ask for a device with, of a text; empty: the same. Not asked for nodes that go where others go.
  std::function<Result<std::string>(std::string_view)> device;
  /// What nodes are that call functions beside those of the graph and the GraphDef; empty: there are none.
  std::function<const OpDef*(std::string_view)> function;
  bool is_strict = false;  ///< ops that are not declared are errors
  /// How the producer declares ops that are not declared here, by name.
  std::map<std::string, OpDef, std::less<>> producers_ops;
  /// Values of constants, by node, that stand beside the GraphDef: it lacks their attr `value`.
  std::map<std::string, AttrValue, std::less<>> values;
  /// Types of outputs, by node and number, that nothing in the GraphDef tells: for nodes of ops that are not declared.
  std::map<std::pair<std::string_view, int64_t>, DType> output_types;
};

/// What became of a node of a GraphDef.
struct ImportedNode {
  Node* node = nullptr;
  std::string_view name;      ///< in the GraphDef
  std::string_view device;    ///< what it asks for there
  bool is_colocated = false;  ///< with another node
};

/// Adds the functions and nodes of a GraphDef to a graph, sources first, of those that could be next the first in the
/// GraphDef: all of them, or none when it fails. Nobody else may change the graph meanwhile; its lock is held only
/// while nodes are added, so that what the options call may wait for others.
///
/// Inputs of a Merge that come from a NextIteration close a loop: they are not waited for. A node whose op is not
/// declared gets a declaration of its own (see unknown_op.h), unless the import is strict. Fails with TensorFlow's
/// words: InvalidArgument for what is no valid graph, NotFound, in a strict import, for an op that is not declared.
Result<std::vector<ImportedNode>> import_graph_def(Graph& graph, const GraphDefView& graph_def,
                                                   const ImportOptions& options);

}  // namespace tinytf
