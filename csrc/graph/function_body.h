#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

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

/// Which library owns the declarations of the functions that a body's nodes call.
enum class Declarations : uint8_t {
  kOfLibrary,  ///< The caller's library, which must outlive the body.
  kOfBody,     ///< The body's graph, which gets a copy of the functions.
};

/// Instantiates a function definition for the given attr values (serialized AttrValues by name). Its nodes may call
/// functions of `library`. The nodes are checked like nodes of an imported graph: InvalidArgument or NotFound, with
/// TensorFlow's messages. `ops_of`: see ImportOptions.
Result<std::shared_ptr<const FunctionBody>> instantiate(const FunctionDef& function, const AttrProtos& attrs,
                                                        const FunctionLibrary& library, Declarations declarations,
                                                        int32_t ops_of);

/// Serializes a body as the FunctionDef of a function `name`. Fails as write_attr does. Attrs of argument nodes whose
/// names begin with "_" become arg_attrs. With `add_shapes` the function gets the attr _input_shapes, and each of its
/// nodes _output_shapes.
Result<std::string> function_def_of(const std::string& name, const FunctionBody& body, bool add_shapes = false);

}  // namespace tinytf
