#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "op/function_runner.h"

namespace tinytf {

/// A node of a graph that computes a value, such as a dataset.
struct ValueNode {
  std::string name;
  std::string op;
  std::vector<std::string> inputs;  ///< names of nodes before this one
  AttrMap attrs;
};

/// A graph that computes a value.
struct ValueGraph {
  std::vector<ValueNode> nodes;
  std::vector<RefPtr<FunctionSource>> functions;  ///< that attrs name
  std::vector<std::string> allowed;               ///< stateful ops that functions may have
  bool allows_all = false;                        ///< functions may have any stateful ops
};

/// Converts graphs that kernels make or read, because kernels do not know graphs. Thread-safe.
struct ValueGraphCodec {
  /// Serializes a graph, with the functions that its functions call, as a GraphDef. FailedPrecondition if a function
  /// has a stateful op that is not allowed.
  Result<std::string> (*write)(const ValueGraph& graph);
  /// Returns the source of a function without arguments that computes what a GraphDef's node of op _Retval yields.
  /// NotFound if there is none, else fails with the error of the import. `threads`: of one kernel in functions.
  Result<RefPtr<FunctionSource>> (*read)(std::string_view graph_def, int threads);
};

/// Sets the codec, which must live as long as the process. Set before the first step.
void set_value_graph_codec(const ValueGraphCodec* codec);
/// FailedPrecondition if no codec is set.
Result<const ValueGraphCodec*> value_graph_codec();

}  // namespace tinytf
