#include <atomic>
#include <mutex>
#include <vector>

#include "op/registration.h"
#include "ops/data_flow/shared/step_handle.h"

namespace tinytf::ops {
namespace {

/// A stack of the values that loops keep for their gradients. Lives as long as a resource handle to it, or as the step
/// if handles are strings. Thread-safe; messages are TensorFlow's.
class Stack final : public Resource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow5StackE";
  static constexpr const char* kNoun = "stack";
  static constexpr const char* kHandleRule = "Stack handle must have two elements, but had shape: ";

  /// A negative `max_size` means no limit.
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
    std::vector<Tensor> values;  // released without the lock
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

Result<Stack*> input_stack(const KernelContext& ctx) { return input_step_state<Stack>(ctx); }

class StackKernel final : public Kernel {
 public:
  explicit StackKernel(KernelInit& init)
      : name_(init.attr<std::string>("stack_name")), dtype_(init.attr<DType>("elem_type")) {
    if (name_.empty()) name_ = init.node().name;
  }

  Status compute(KernelContext& ctx) override {
    static std::atomic<int64_t> counter{0};
    int64_t max_size = -1;
    if (ctx.num_inputs() > 0) {
      if (ctx.input(0).rank() != 0) {
        return invalid_argument("Stack size must be a scalar, but had shape: ", ctx.input(0).shape().to_string());
      }
      max_size = ctx.input(0).int_at(0);
    }
    const std::string name = str_cat(name_, "_", counter.fetch_add(1, std::memory_order_relaxed));
    return set_step_handle(ctx, 0, {"_stacks", name}, Stack::kTypeName, make_ref<Stack>(name, dtype_, max_size));
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
  ops.op("Stack")
      .output("handle: Ref(string)")
      .attr("elem_type: type")
      .attr("stack_name: string = ''")
      .stateful()
      .shape(stack_shape)
      .not_differentiable()
      .doc(
          "Creates a stack of tensors that lives for one step, and returns the reference handle used in early graphs: "
          "see StackV2.");
  ops.op("StackV2")
      .input("max_size: int32")
      .output("handle: resource")
      .attr("elem_type: type")
      .attr("stack_name: string = ''")
      .stateful()
      .shape(stack_shape)
      .no_gradient()
      .doc(
          "Creates a stack that lives for one step, of at most `max_size` tensors, or any number if `max_size` is "
          "negative.");
  for (const char* name : {"Stack", "StackV2"}) kernels.add<StackKernel>(name);

  // In early graphs the handle is a reference, which already marks the ops as having side effects, so these are not
  // stateful.
  const auto declare = [&ops](const char* name, bool is_early) {
    OpDefBuilder op = ops.op(name);
    if (is_early) return op.input("handle: Ref(string)").not_differentiable();
    return op.input("handle: resource").stateful().no_gradient();
  };
  for (const bool is_early : {true, false}) {
    const char* push = is_early ? "StackPush" : "StackPushV2";
    declare(push, is_early)
        .input("elem: T")
        .output("output: T")
        .attr("T: type")
        .attr("swap_memory: bool = false")
        .shape(push_shape)
        .doc("Pushes `elem` onto the stack and returns it as `output`. `swap_memory` has no effect.");
    kernels.add<StackPushKernel>(push);

    const char* pop = is_early ? "StackPop" : "StackPopV2";
    declare(pop, is_early)
        .output("elem: elem_type")
        .attr("elem_type: type")
        .shape(shapes::unknown)
        .doc("Pops the tensor that was pushed last and returns it as `elem`.");
    kernels.add<StackPopKernel>(pop);

    const char* close = is_early ? "StackClose" : "StackCloseV2";
    declare(close, is_early).shape(close_shape).doc("Drops the contents of the stack. Later uses of it are errors.");
    kernels.add<StackCloseKernel>(close);
  }
}
