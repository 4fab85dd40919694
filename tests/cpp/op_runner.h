#pragma once

// Runs one op without a graph: declares a node, infers its shapes, makes its kernel and computes.
//   auto sum = OpRunner("Add").input(tensor<float>({2}, {1, 2})).input(tensor<float>({}, {3})).run();
//   EXPECT_OK(sum.status());
//   EXPECT_EQ(values<float>(sum.value()[0]), (std::vector<float>{4, 5}));

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "op/kernel_registry.h"
#include "op/op_registry.h"
#include "op/shape_context.h"

namespace tinytf {
namespace testing {

/// A tensor of these values, whose number must match the shape.
template <class T>
Tensor tensor(const Shape& shape, const std::vector<T>& values) {
  constexpr DType dtype = [] {
    if constexpr (std::is_same_v<T, std::string>)
      return DType::kString;
    else
      return dtype_of<T>;
  }();
  TINYTF_CHECK(shape.num_elements() == static_cast<int64_t>(values.size()));
  auto made = Tensor::allocate(Allocator::process(), dtype, shape);
  TINYTF_CHECK(made.ok());
  for (size_t i = 0; i < values.size(); ++i) made.value().template data<T>()[i] = values[i];
  return made.take();
}

template <class T>
std::vector<T> values(const Tensor& tensor) {
  return std::vector<T>(tensor.data<T>(), tensor.data<T>() + tensor.num_elements());
}

/// One node. Single use per configuration; `run` and `infer` may be called repeatedly. Not thread-safe.
class OpRunner {
 public:
  explicit OpRunner(const std::string& op) {
    node_.name = "node";
    node_.op = OpRegistry::global().find(op);
    if (node_.op == nullptr) status_ = not_found("Op type not registered '", op, "'");
  }

  /// The next declared input. Move the tensor in to let the kernel reuse its buffer (see `last_use`).
  OpRunner& input(Tensor value) {
    node_.inputs.push_back({value.dtype(), false});
    group_sizes_.push_back(1);
    add_slot(std::move(value), nullptr);
    return *this;
  }
  /// The next declared input, which is a list.
  OpRunner& list(std::vector<Tensor> values) {
    group_sizes_.push_back(static_cast<int>(values.size()));
    for (Tensor& value : values) {
      node_.inputs.push_back({value.dtype(), false});
      add_slot(std::move(value), nullptr);
    }
    return *this;
  }
  /// The next declared input, by reference. The variable's type must be known: `dtype`.
  OpRunner& ref(RefVariable& variable, DType dtype) {
    node_.inputs.push_back({dtype, true});
    group_sizes_.push_back(1);
    add_slot(variable.tensor, &variable);
    return *this;
  }
  OpRunner& attr(std::string_view name, AttrValue value) {
    node_.attrs.set(name, std::move(value));
    return *this;
  }
  OpRunner& named(std::string name) {
    node_.name = std::move(name);
    return *this;
  }
  /// Bit i: this node is the last reader of input i. Such inputs are cleared after the run.
  OpRunner& last_use(uint64_t bits) {
    last_use_ = bits;
    return *this;
  }
  OpRunner& parallel(Parallel& parallel) {
    step_.parallel = &parallel;
    return *this;
  }

  /// The outputs of the kernel. Also fails if an output contradicts the declaration or the inferred shape.
  Result<std::vector<Tensor>> run() {
    TINYTF_RETURN_IF_ERROR(prepare());
    TINYTF_ASSIGN_OR_RETURN(std::vector<PartialShape> shapes, infer());
    std::vector<Slot> outputs(node_.outputs.size());
    TINYTF_RETURN_IF_ERROR(compute(outputs.data()));
    std::vector<Tensor> results;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& result = outputs[i].ref ? outputs[i].ref->tensor : outputs[i].tensor;
      if (result.valid() && result.dtype() != node_.outputs[i].dtype) {
        return internal_error("output ", i, " is ", dtype_name(result.dtype()), ", declared ",
                              dtype_name(node_.outputs[i].dtype));
      }
      if (result.valid() && !shapes[i].compatible_with(result.shape())) {
        return internal_error("output ", i, " has shape ", result.shape().to_string(), ", inferred ",
                              shapes[i].to_string());
      }
      results.push_back(result);
    }
    for (size_t i = 0; i < slots_.size(); ++i) {
      if ((last_use_ >> i) & 1) slots_[i] = Slot();
    }
    return results;
  }

  /// Runs only the kernel's compute(), repeatedly for timing. `outputs` has one Slot per output.
  Status compute(Slot* outputs) {
    TINYTF_RETURN_IF_ERROR(prepare());
    KernelContext ctx(node_, step_, slots_.data(), input_slots_.data(), outputs, last_use_);
    return kernel_->compute(ctx);
  }

  /// Output shapes inferred from the shapes of the inputs, and from their values unless `constants` is false.
  Result<std::vector<PartialShape>> infer(bool constants = true) {
    std::vector<PartialShape> shapes;
    for (const Slot& slot : slots_)
      shapes.emplace_back(slot.tensor.valid() ? PartialShape(slot.tensor.shape()) : PartialShape());
    return infer_shapes(std::move(shapes), constants);
  }
  /// The same for other input shapes and without input values.
  Result<std::vector<PartialShape>> infer_from(std::vector<PartialShape> shapes) {
    return infer_shapes(std::move(shapes), false);
  }

  /// The node, complete after `run` or `infer`.
  const NodeInfo& node() const { return node_; }

 private:
  struct Values final : ConstantSource {
    explicit Values(std::vector<Slot>& slots) : slots(slots) {}
    const Tensor* value(int input) override { return slots[input].tensor.valid() ? &slots[input].tensor : nullptr; }
    PartialShape value_as_shape(int input) override {
      const Tensor* tensor = value(input);
      if (tensor == nullptr) return {};
      Dims dims;
      for (int64_t i = 0; i < tensor->num_elements(); ++i) dims.push_back(tensor->int_at(i));
      return PartialShape(std::move(dims));
    }
    std::vector<Slot>& slots;
  };

  void add_slot(Tensor value, RefVariable* ref) {
    input_slots_.push_back(static_cast<int32_t>(slots_.size()));
    slots_.emplace_back();
    slots_.back().tensor = std::move(value);
    slots_.back().ref = ref;
  }
  Status complete() {
    TINYTF_RETURN_IF_ERROR(status_);
    if (completed_) return Status();
    completed_ = true;
    return status_ = complete_node(node_, group_sizes_);
  }
  Status prepare() {
    TINYTF_RETURN_IF_ERROR(complete());
    if (kernel_) return Status();
    TINYTF_ASSIGN_OR_RETURN(kernel_, KernelRegistry::global().create(node_));
    return Status();
  }
  Result<std::vector<PartialShape>> infer_shapes(std::vector<PartialShape> shapes, bool constants) {
    TINYTF_RETURN_IF_ERROR(complete());
    Values known(slots_);
    ShapeContext context(node_, std::move(shapes), {}, constants ? &known : nullptr);
    if (node_.op->shape_fn) TINYTF_RETURN_IF_ERROR(node_.op->shape_fn(context));
    std::vector<PartialShape> outputs;
    for (int i = 0; i < context.num_outputs(); ++i) outputs.push_back(context.output(i));
    return outputs;
  }

  NodeInfo node_;
  std::vector<int> group_sizes_;
  Status status_;
  bool completed_ = false;
  std::vector<Slot> slots_;
  std::vector<int32_t> input_slots_;
  uint64_t last_use_ = 0;
  std::unique_ptr<Kernel> kernel_;
  SerialParallel serial_;
  ResourceManager resources_;
  ResourceManager step_resources_;
  Cancellation cancellation_;
  KernelServices step_{&Allocator::process(), &serial_, &resources_, &step_resources_, &cancellation_, 0};
};

}  // namespace testing
}  // namespace tinytf
