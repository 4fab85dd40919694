#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "op/attr.h"
#include "op/op_def.h"

namespace tinytf {

/// Outputs of one node: more than programs have, fewer than memory feels.
inline constexpr int64_t kMaxOutputs = int64_t{1} << 18;

/// Type of one input or output of a node.
struct ArgType {
  DType dtype = DType::kInvalid;
  bool is_ref = false;

  friend bool operator==(ArgType a, ArgType b) { return a.dtype == b.dtype && a.is_ref == b.is_ref; }
};

/// What kernels and shape functions may know of a node: everything but its place in a graph.
struct NodeInfo {
  std::string name;
  const OpDef* op = nullptr;
  AttrMap attrs;  ///< complete: defaults filled in
  std::string device;
  std::vector<ArgType> inputs;
  std::vector<ArgType> outputs;
};

/// Whether the op declares input `input` of the node as a reference, so that it may change the variable.
bool takes_reference(const NodeInfo& node, size_t input);

/// "Attr {name} has value {value} out of range for an int32".
Status check_int32_attr(std::string_view name, int64_t value);

/// Fills in default attrs, checks every attr against the declaration, and derives output types. `inputs` must be set;
/// type and number attrs that are missing are inferred from them (`group_sizes`: for each declared input the length of
/// the list given for it, or empty when no list attr needs inference). What is built is bounded by the message and by
/// kMaxOutputs, whatever its numbers say.
Status complete_node(NodeInfo& node, const std::vector<int>& group_sizes);

}  // namespace tinytf
