#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "op/attr.h"
#include "op/op_def.h"

namespace tinytf {

/// Maximum number of outputs of a node: more than programs need, but few enough to fit in memory.
inline constexpr int64_t kMaxOutputs = int64_t{1} << 18;

/// Dtype of one input or output of a node.
struct ArgType {
  DType dtype = DType::kInvalid;
  bool is_ref = false;

  friend bool operator==(ArgType a, ArgType b) { return a.dtype == b.dtype && a.is_ref == b.is_ref; }
};

/// All that kernels and shape functions may know about a node, without its place in a graph.
struct NodeInfo {
  std::string name;
  const OpDef* op = nullptr;
  AttrMap attrs;  ///< complete, including defaults
  std::string device;
  std::vector<ArgType> inputs;
  std::vector<ArgType> outputs;
};

/// Whether the op declares input `input` of the node as a reference, through which it may change the variable.
bool takes_reference(const NodeInfo& node, size_t input);

/// InvalidArgument unless the value fits in 32 bits: "Attr {name} has value {value} out of range for an int32".
Status check_int32_attr(std::string_view name, int64_t value);

/// Fills in default attrs, checks every attr against the declaration, and derives the output types. `inputs` must be
/// set; missing type and number attrs are inferred from them. `group_sizes` contains the list length for each declared
/// input, or is empty if no list attr needs inference. The size of the result is bounded by the message and by
/// kMaxOutputs, whatever numbers the attrs contain.
Status complete_node(NodeInfo& node, const std::vector<int>& group_sizes);

}  // namespace tinytf
