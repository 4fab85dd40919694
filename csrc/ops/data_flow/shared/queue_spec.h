#pragma once

#include <string>
#include <vector>

#include "op/kernel.h"

namespace tinytf::ops {

/// The declared contents of a queue.
struct QueueSpec {
  static constexpr int64_t kUnbounded = 2147483647;  ///< the capacity that a negative attr stands for

  enum class Shapes : uint8_t { kFull, kPartial };

  /// Reads a node's attrs. Fails `init` unless there is one shape of known rank, for kFull fully defined, for each
  /// dtype. For kFull the list of shapes may be empty.
  explicit QueueSpec(KernelInit& init, Shapes kind = Shapes::kFull);

  std::vector<DType> dtypes;         ///< dtypes of the components of an element
  std::vector<PartialShape> shapes;  ///< shapes of the components; empty if any shape is allowed
  int64_t capacity;

 protected:
  /// Fails `init` unless there are as many shapes as dtypes.
  void check_counts(KernelInit& init) const;
};

/// "float, int32".
inline std::string types_text(const std::vector<DType>& types) {
  return str_join(types, ", ", [](DType type) { return std::string(dtype_name(type)); });
}
inline std::string types_text(const std::vector<ArgType>& types) {
  return str_join(types, ", ", [](ArgType type) { return str_cat(dtype_name(type.dtype), type.is_ref ? "_ref" : ""); });
}

/// "[[2], []]".
inline std::string shapes_text(const std::vector<PartialShape>& shapes) {
  return str_cat("[", str_join(shapes, ", ", [](const PartialShape& shape) { return shape.to_string(); }), "]");
}

inline QueueSpec::QueueSpec(KernelInit& init, Shapes kind)
    : dtypes(init.attr<std::vector<DType>>("component_types")),
      shapes(init.attr<std::vector<PartialShape>>("shapes")),
      capacity(init.int32_attr("capacity")) {
  if (capacity < 0) capacity = kUnbounded;
  if (kind == Shapes::kPartial && shapes.size() != dtypes.size()) {
    init.fail(invalid_argument("Shapes must be provided for all components, but received ", dtypes.size(),
                               " dtypes and ", shapes.size(), " shapes."));
  }
  if (!shapes.empty()) check_counts(init);
  for (const PartialShape& shape : shapes) {
    if (kind == Shapes::kFull && !shape.fully_defined()) {
      init.fail(invalid_argument("Shape ", shape.to_string(), " is not fully defined"));
    }
    if (!shape.known_rank()) init.fail(invalid_argument("shape ", shape.to_string(), " must have known rank."));
  }
}

inline void QueueSpec::check_counts(KernelInit& init) const {
  if (shapes.size() == dtypes.size()) return;
  init.fail(invalid_argument("Different number of component types.  Types: ", types_text(dtypes),
                             ", Shapes: ", shapes_text(shapes)));
}

/// Checks that an enqueue's inputs after the handle, or a dequeue's outputs, have the declared dtypes. The error shows
/// the whole signature.
inline Status check_types(const QueueSpec& spec, const NodeInfo& node) {
  const bool enqueues = node.outputs.empty();
  const std::vector<ArgType>& given = enqueues ? node.inputs : node.outputs;
  const size_t first = enqueues ? 1 : 0;
  bool same = given.size() == first + spec.dtypes.size();
  for (size_t i = 0; same && i < spec.dtypes.size(); ++i) same = given[first + i].dtype == spec.dtypes[i];
  if (same) return Status();
  const std::string inputs = types_text(node.inputs), wanted = types_text(spec.dtypes);
  const std::string handle = types_text(std::vector<ArgType>{node.inputs[0]});
  return invalid_argument("Signature mismatch, have: ", inputs, "->", types_text(node.outputs),
                          " expected: ", enqueues ? handle + ", " + wanted + "->" : inputs + "->" + wanted);
}

}  // namespace tinytf::ops
