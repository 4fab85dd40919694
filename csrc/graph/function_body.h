#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

/// A function as a part of a graph: what `results` and `targets` need when `arguments` are given. Any number of
/// functions may be parts of one graph, which may grow. Shared by all who call it.
struct FunctionBody {
  RefPtr<Graph> graph;
  std::vector<Endpoint> arguments;  ///< each once; nodes that only make others of these do not belong to it
  std::vector<Endpoint> results;
  std::vector<Node*> targets;  ///< run whether their values are read or not
  std::string name = {};       ///< of the definition that it was made of; empty: of none

  /// Whether both are the same part of one graph.
  friend bool operator==(const FunctionBody& a, const FunctionBody& b) {
    return a.graph.get() == b.graph.get() && a.arguments == b.arguments && a.results == b.results &&
           a.targets == b.targets;
  }
};

/// Whose the declarations of functions are that a body's nodes call.
enum class Declarations : uint8_t {
  kOfLibrary,  ///< it must live as long as the body
  kOfBody,     ///< its graph has the functions, too
};

/// The body of a function whose attrs have these values (serialized AttrValues by name). Its nodes may be calls of the
/// functions of a library. The nodes that it calls for are checked as those of an
/// imported graph: InvalidArgument, NotFound with TensorFlow's words; `ops_of` is that of ImportOptions.
Result<std::shared_ptr<const FunctionBody>> instantiate(const FunctionDef& function, const AttrProtos& attrs,
                                                        const FunctionLibrary& library, Declarations declarations,
                                                        int32_t ops_of);

/// The message FunctionDef that describes a body as the function `name`: InvalidArgument for cycles, else fails as
/// write_attr. What attrs of arguments begin with "_" are told of them. With `add_shapes` the function has the attr
/// _input_shapes, and each of its nodes _output_shapes.
Result<std::string> function_def_of(const std::string& name, const FunctionBody& body, bool add_shapes = false);

}  // namespace tinytf
