#include <atomic>
#include <mutex>
#include <vector>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Values that loops keep for their gradients, in the order of iterations. Lives as long as a handle to it.
/// Thread-safe; messages are TensorFlow's.
class Stack final : public Resource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow5StackE";

  /// A negative `max_size` is no limit.
  Stack(std::string name, DType dtype, int64_t max_size) : name_(std::move(name)), dtype_(dtype), max_size_(max_size) {}

  DType dtype() const { return dtype_; }
  const std::string& name() const { return name_; }
  std::string debug_string() const override { return str_cat("Stack ", name_); }

  Status push(Tensor value) {
    std::lock_guard lock(mutex_);
    TINYTF_RETURN_IF_ERROR(check_open());
    if (max_size_ >= 0 && static_cast<int64_t>(values_.size()) >= max_size_) {
      return invalid_argument("Stack[", name_, "] overflowed its max_size (", max_size_, ")");
    }
    values_.push_back(std::move(value));
    return Status();
  }
  Result<Tensor> pop() {
    std::lock_guard lock(mutex_);
    TINYTF_RETURN_IF_ERROR(check_open());
    if (values_.empty()) return invalid_argument("Stack[", name_, "] is empty when calling Pop().");
    Tensor value = std::move(values_.back());
    values_.pop_back();
    return value;
  }
  void close() {
    std::vector<Tensor> values;  // dropped without the lock
    std::lock_guard lock(mutex_);
    closed_ = true;
    values.swap(values_);
  }

 private:
  Status check_open() const {
    return closed_ ? invalid_argument("Stack[", name_, "] has already been closed.") : Status();
  }

  const std::string name_;
  const DType dtype_;
  const int64_t max_size_;
  std::mutex mutex_;
  std::vector<Tensor> values_;
  bool closed_ = false;
};

/// The stack behind input 0, which the context keeps alive.
Result<Stack*> input_stack(const KernelContext& ctx) {
  const Tensor& handles = ctx.input(0);
  if (handles.num_elements() == 0) {
    return invalid_argument("The handle of a stack is missing: its shape is ", handles.shape().to_string());
  }
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.resource && handle.type_name == Stack::kTypeName) return static_cast<Stack*>(handle.resource.get());
  return invalid_argument("Trying to access resource using the wrong type. Expected ", handle.type_name, " got ",
                          Stack::kTypeName);
}

class StackKernel final : public Kernel {
 public:
  explicit StackKernel(KernelInit& init)
      : name_(init.attr<std::string>("stack_name")), dtype_(init.attr<DType>("elem_type")) {
    if (name_.empty()) name_ = init.node().name;
  }

  Status compute(KernelContext& ctx) override {
    static std::atomic<int64_t> counter{0};
    if (ctx.input(0).rank() != 0) {
      return invalid_argument("Stack size must be a scalar, but had shape: ", ctx.input(0).shape().to_string());
    }
    auto stack = make_ref<Stack>(str_cat(name_, "_", counter.fetch_add(1, std::memory_order_relaxed)), dtype_,
                                 ctx.input(0).int_at(0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({2})));
    out->data<ResourceHandle>()[0] = {str_cat("__per_step_", ctx.step().step_id), str_cat("_stacks", stack->name()),
                                      Stack::kTypeName, std::move(stack)};
    return Status();
  }

 private:
  std::string name_;
  const DType dtype_;
};

class StackPushKernel final : public Kernel {
 public:
  explicit StackPushKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Stack * stack, input_stack(ctx));
    const Tensor& value = ctx.input(1);
    if (value.dtype() != stack->dtype()) {
      return invalid_argument("Must have type ", static_cast<int>(stack->dtype()), " but got ",
                              static_cast<int>(value.dtype()));
    }
    TINYTF_RETURN_IF_ERROR(stack->push(value));
    ctx.set_output(0, value);
    return Status();
  }
};

class StackPopKernel final : public Kernel {
 public:
  explicit StackPopKernel(KernelInit& init) : dtype_(init.attr<DType>("elem_type")) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Stack * stack, input_stack(ctx));
    TINYTF_ASSIGN_OR_RETURN(Tensor value, stack->pop());
    if (value.dtype() != dtype_) {
      return internal_error("Output 0 of type ", dtype_name(value.dtype()), " does not match declared output type ",
                            dtype_name(dtype_), " for node ", ctx.node().name);
    }
    ctx.set_output(0, std::move(value));
    return Status();
  }

 private:
  const DType dtype_;
};

class StackCloseKernel final : public Kernel {
 public:
  explicit StackCloseKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Stack * stack, input_stack(ctx));
    stack->close();
    return Status();
  }
};

Status stack_shape(ShapeContext& c) {
  c.set_output(0, PartialShape({2}));
  return Status();
}

Status push_shape(ShapeContext& c) {
  c.set_output(0, c.input(1));
  return Status();
}

Status close_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  const int64_t size = c.input(0).dim(0);
  if (size == kUnknownDim || size == 2) return Status();
  return invalid_argument("Dimension must be 2 but is ", size);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_stack) {
  using namespace tinytf::ops;
  ops.op("StackV2")
      .input("max_size: int32")
      .output("handle: resource")
      .attr("elem_type: type")
      .attr("stack_name: string = ''")
      .stateful()
      .shape(stack_shape)
      .no_gradient()
      .doc("A stack of at most `max_size` tensors, or of any number if that is negative, for one step.");
  kernels.add<StackKernel>("StackV2");

  ops.op("StackPushV2")
      .input("handle: resource")
      .input("elem: T")
      .output("output: T")
      .attr("T: type")
      .attr("swap_memory: bool = false")
      .stateful()
      .shape(push_shape)
      .no_gradient()
      .doc("Puts `elem` on the stack, and yields it. Where memory is swapped to is of no effect here.");
  kernels.add<StackPushKernel>("StackPushV2");

  ops.op("StackPopV2")
      .input("handle: resource")
      .output("elem: elem_type")
      .attr("elem_type: type")
      .stateful()
      .shape(shapes::unknown)
      .no_gradient()
      .doc("The tensor that was put on the stack last, which is taken off it.");
  kernels.add<StackPopKernel>("StackPopV2");

  ops.op("StackCloseV2")
      .input("handle: resource")
      .stateful()
      .shape(close_shape)
      .no_gradient()
      .doc("Drops what is on the stack; later uses are errors.");
  kernels.add<StackCloseKernel>("StackCloseV2");
}
