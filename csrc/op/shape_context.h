#pragma once

#include <string_view>
#include <vector>

#include "op/node_info.h"
#include "tensor/partial_shape.h"

namespace tinytf {

/// Known dtype and shape of the variable behind a resource handle, or of the elements of a list.
struct HandleInfo {
  DType dtype = DType::kInvalid;
  PartialShape shape;
};

/// Values of a node's inputs that are known before the graph runs.
class ConstantSource {
 public:
  virtual ~ConstantSource() = default;
  /// The value of input i, or null if unknown. Valid until the source is destroyed.
  virtual const Tensor* value(int input) = 0;
  /// The value of an int vector input as a shape, in which unknown elements are unknown sizes.
  virtual PartialShape value_as_shape(int input) = 0;
  /// The value of an int scalar input; kUnknownDim if unknown.
  virtual int64_t entry(int /*input*/) { return kUnknownDim; }
};

/// A shape function's view of one node. Outputs start with unknown rank.
class ShapeContext {
 public:
  ShapeContext(const NodeInfo& node, std::vector<PartialShape> inputs, std::vector<const HandleInfo*> handles,
               ConstantSource* constants)
      : node_(node),
        inputs_(std::move(inputs)),
        handles_(std::move(handles)),
        constants_(constants),
        outputs_(node.outputs.size()),
        output_handles_(node.outputs.size()) {}

  const NodeInfo& node() const { return node_; }
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return static_cast<int>(outputs_.size()); }
  const PartialShape& input(int i) const { return inputs_[i]; }

  /// The input's value if it is known at graph construction, else null.
  const Tensor* input_tensor(int i) { return constants_ ? constants_->value(i) : nullptr; }
  /// The value of an int32 or int64 vector input as a shape, in which unknown elements are unknown sizes.
  PartialShape input_as_shape(int i) { return constants_ ? constants_->value_as_shape(i) : PartialShape(); }

  /// The value of an int32 or int64 scalar input as a size; kUnknownDim if unknown.
  int64_t input_entry(int i) { return constants_ ? constants_->entry(i) : kUnknownDim; }

  /// The value of an attr. The declaration must guarantee that it exists.
  template <class T>
  const T& attr(std::string_view name) const {
    const T* value = node_.attrs.get<T>(name);
    TINYTF_CHECK(value != nullptr);
    return *value;
  }

  /// An int attr that TensorFlow stores in 32 bits.
  Result<int32_t> int32_attr(std::string_view name) const {
    const int64_t value = attr<int64_t>(name);
    TINYTF_RETURN_IF_ERROR(check_int32_attr(name, value));
    return static_cast<int32_t>(value);
  }

  void set_output(int i, PartialShape shape) { outputs_[i] = std::move(shape); }
  const PartialShape& output(int i) const { return outputs_[i]; }

  const HandleInfo* input_handle(int i) const { return i < static_cast<int>(handles_.size()) ? handles_[i] : nullptr; }
  void set_output_handle(int i, HandleInfo info) { output_handles_[i] = {true, std::move(info)}; }
  const HandleInfo* output_handle(int i) const {
    return output_handles_[i].first ? &output_handles_[i].second : nullptr;
  }

  /// Error "Shape must be rank {rank} but is rank {r}" unless the input's rank is unknown or equal. On success, *out is
  /// the input's shape with that rank.
  Status with_rank(int i, int64_t rank, PartialShape* out = nullptr) const;
  Status with_rank_at_least(int i, int64_t rank, PartialShape* out = nullptr) const;
  Status with_rank_at_most(int i, int64_t rank, PartialShape* out = nullptr) const;

 private:
  const NodeInfo& node_;
  std::vector<PartialShape> inputs_;
  std::vector<const HandleInfo*> handles_;
  ConstantSource* constants_;
  std::vector<PartialShape> outputs_;
  std::vector<std::pair<bool, HandleInfo>> output_handles_;
};

}  // namespace tinytf
