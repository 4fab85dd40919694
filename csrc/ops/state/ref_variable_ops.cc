#include <atomic>

#include "kernels/table.h"
#include "op/kernel_state.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/state/shared/held_memory.h"
#include "ops/state/shared/resource_name.h"

namespace tinytf::ops {
namespace {

/// The resource through which the resource manager owns a reference variable.
class RefVariableResource final : public Resource {
 public:
  explicit RefVariableResource(DType type) : dtype(type) {}
  std::string debug_string() const override { return "reference variable"; }

  const DType dtype;
  RefVariable variable;
};

class VariableKernel final : public Kernel, public VariableHolder {
 public:
  explicit VariableKernel(KernelInit& init)
      : where_(init), declared_(init.attr<PartialShape>("shape")), dtype_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    RefVariable* variable = variable_.load(std::memory_order_acquire);
    if (variable == nullptr) {
      TINYTF_RETURN_IF_ERROR(find(*ctx.step().resources));
      variable = variable_.load(std::memory_order_relaxed);
    }
    ctx.set_ref_output(0, variable);
    return Status();
  }

  DType variable_dtype() const override { return dtype_; }

  Result<Tensor> variable_value(ResourceManager& resources) override {
    TINYTF_RETURN_IF_ERROR(find(resources));
    RefVariable& variable = *variable_.load(std::memory_order_relaxed);
    std::lock_guard lock(variable.mutex);
    if (!variable.tensor.valid()) return Tensor();
    return variable.tensor.clone(Allocator::process());
  }

  Result<Tensor> hold_value(ResourceManager& resources) override {
    TINYTF_RETURN_IF_ERROR(find(resources));
    return ops::hold_value(*variable_.load(std::memory_order_relaxed));
  }

  Status set_variable_value(ResourceManager& resources, Tensor value) override {
    TINYTF_RETURN_IF_ERROR(find(resources));
    RefVariable& variable = *variable_.load(std::memory_order_relaxed);
    std::lock_guard lock(variable.mutex);
    std::swap(variable.tensor, value);
    return Status();
  }

 private:
  Status find(ResourceManager& resources) {
    std::lock_guard lock(mutex_);
    if (owner_) return Status();
    const auto make = [this]() -> Result<RefPtr<Resource>> {
      auto made = make_ref<RefVariableResource>(dtype_);
      made->variable.declared = declared_;
      return RefPtr<Resource>(std::move(made));
    };
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> found,
                            resources.find_or_create(where_.container, "N10tensorflow9LegacyVarE", where_.name, make));
    // Nodes that share a variable read its memory as their own declared dtype, so the dtypes must match.
    const DType dtype = static_cast<RefVariableResource&>(*found).dtype;
    if (dtype != dtype_) {
      return invalid_argument("Trying to access variable ", where_.name, " with wrong dtype. Expected ",
                              dtype_name(dtype), " got ", dtype_name(dtype_));
    }
    owner_ = std::move(found);
    variable_.store(&static_cast<RefVariableResource&>(*owner_).variable, std::memory_order_release);
    return Status();
  }

  const ResourceName where_;
  const PartialShape declared_;
  const DType dtype_;
  std::mutex mutex_;
  RefPtr<Resource> owner_;
  std::atomic<RefVariable*> variable_{nullptr};
};

class IsVariableInitializedKernel final : public Kernel {
 public:
  explicit IsVariableInitializedKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    RefVariable& variable = ctx.ref_input(0);
    std::lock_guard lock(variable.mutex);
    *out->data<bool>() = variable.tensor.valid();
    return Status();
  }
};

/// Locks a reference variable if attr `use_locking` of the op is true.
std::unique_lock<std::mutex> lock_if(RefVariable& variable, bool use_locking) {
  return use_locking ? std::unique_lock(variable.mutex) : std::unique_lock<std::mutex>();
}

/// Writes into the memory of the variable if the element count allows it, so that readers that share the memory see the
/// new value, as in TensorFlow; else takes over the memory of the value if it is not shared.
class AssignKernel final : public Kernel {
 public:
  explicit AssignKernel(KernelInit& init)
      : validate_shape_(init.attr<bool>("validate_shape")), use_locking_(init.attr<bool>("use_locking")) {}

  Status compute(KernelContext& ctx) override {
    RefVariable& variable = ctx.ref_input(0);
    const Tensor& value = ctx.input(1);
    ctx.set_ref_output(0, &variable);
    auto lock = lock_if(variable, use_locking_);
    Tensor& target = variable.tensor;
    const bool initialized = target.valid();
    if (validate_shape_) {
      // A variable of unknown rank counts as a scalar until a value is assigned without the check.
      const PartialShape declared = variable.declared.known_rank() ? variable.declared : PartialShape::scalar();
      const bool fits = initialized ? target.shape() == value.shape() : declared.compatible_with(value.shape());
      if (!fits) {
        return invalid_argument("Assign requires shapes of both tensors to match. lhs shape= ",
                                initialized ? target.shape().to_string() : declared.to_string(),
                                " rhs shape= ", value.shape().to_string());
      }
    }
    if (initialized && target.num_elements() == value.num_elements()) {
      if (target.raw() != value.raw()) {
        TINYTF_ASSIGN_OR_RETURN(Tensor memory,
                                memory_to_change(variable, use_locking_, ctx.allocator(), Change::kNothing));
        copy_elements(value, 0, memory, 0, value.num_elements());
      }
      if (target.shape() != value.shape()) target = target.reshaped(value.shape());
      return Status();
    }
    if (ctx.can_forward(1, value.dtype(), value.num_elements())) {
      target = value;
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(target, value.clone(ctx.allocator()));
    return Status();
  }

 private:
  const bool validate_shape_, use_locking_;
};

Status assign_shape(ShapeContext& c) {
  if (!c.attr<bool>("validate_shape")) {
    c.set_output(0, c.input(1));
    return Status();
  }
  return shapes::equal_inputs(c);
}

template <kernels::Binary kOp>
class UpdateKernel final : public Kernel {
 public:
  explicit UpdateKernel(KernelInit& init)
      : use_locking_(init.attr<bool>("use_locking")),
        loop_(kernels::table().elementwise.binary_loop(kOp, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    RefVariable& variable = ctx.ref_input(0);
    const Tensor& value = ctx.input(1);
    ctx.set_ref_output(0, &variable);
    auto lock = lock_if(variable, use_locking_);
    const Tensor& target = variable.tensor;
    if (target.shape() != value.shape()) return invalid_argument("Parameters and update must be the same size");
    TINYTF_ASSIGN_OR_RETURN(Tensor memory, memory_to_change(variable, use_locking_, ctx.allocator()));
    run_binary(loop_, memory.raw(), value.raw(), memory.raw(), memory.num_elements(), ctx.parallel());
    return Status();
  }

 private:
  const bool use_locking_;
  const kernels::BinaryLoop loop_;
};

template <class T>
class CountUpToKernel final : public Kernel {
 public:
  explicit CountUpToKernel(KernelInit& init) : limit_(init.attr<int64_t>("limit")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    RefVariable& variable = ctx.ref_input(0);
    std::lock_guard lock(variable.mutex);
    if (variable.tensor.rank() != 0) {
      return invalid_argument("input is not a scalar: ", variable.tensor.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor memory, memory_to_change(variable, true, ctx.allocator()));
    T& counter = *memory.data<T>();
    if (counter >= limit_) return Status(Code::kOutOfRange, str_cat("Reached limit of ", limit_));
    *out->data<T>() = counter++;
    return Status();
  }

 private:
  const int64_t limit_;
};

/// Early graphs write [] both for a scalar and for an unknown shape, so [] counts as unknown.
Status early_variable_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(shapes::explicit_shape(c));
  if (c.output(0) == PartialShape::scalar()) c.set_output(0, PartialShape());
  return Status();
}

Status count_up_to_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  c.set_output(0, PartialShape::scalar());
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(state_ref_variable_ops) {
  using namespace tinytf::ops;
  using tinytf::kernels::Binary;
  const auto declare_variable = [&](const char* name, ShapeFn shape) {
    ops.op(name)
        .output("ref: Ref(dtype)")
        .attr("shape: shape")
        .attr("dtype: type")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .trait(Trait::kVariable)
        .shape(shape)
        .no_gradient()
        .doc(
            "Returns a reference to a tensor that keeps its value between steps of a session. It is uninitialized at "
            "first.");
    kernels.add<VariableKernel>(name);
  };
  declare_variable("VariableV2", shapes::explicit_shape);
  declare_variable("Variable", early_variable_shape);

  ops.op("Assign")
      .input("ref: Ref(T)")
      .input("value: T")
      .output("output_ref: Ref(T)")
      .attr("T: type")
      .attr("validate_shape: bool = true")
      .attr("use_locking: bool = true")
      .allows_uninitialized_input()
      .shape(assign_shape)
      .not_differentiable()
      .doc(
          "Stores `value` in the variable `ref` and passes the reference on. The shapes must match unless "
          "`validate_shape` is false.");
  kernels.add<AssignKernel>("Assign");

  ops.op("AssignAdd")
      .input("ref: Ref(T)")
      .input("value: T")
      .output("output_ref: Ref(T)")
      .attr("T: numbertype")
      .attr("use_locking: bool = false")
      .shape(shapes::equal_inputs)
      .not_differentiable()
      .doc("Adds `value`, which has the shape of the variable, to the variable `ref` and passes the reference on.");
  kernels.add<UpdateKernel<Binary::kAdd>>("AssignAdd").where("T", kAllNumbers);

  ops.op("AssignSub")
      .input("ref: Ref(T)")
      .input("value: T")
      .output("output_ref: Ref(T)")
      .attr("T: numbertype")
      .attr("use_locking: bool = false")
      .shape(shapes::equal_inputs)
      .not_differentiable()
      .doc(
          "Subtracts `value`, which has the shape of the variable, from the variable `ref` and passes the reference "
          "on.");
  kernels.add<UpdateKernel<Binary::kSub>>("AssignSub").where("T", kAllNumbers);

  ops.op("IsVariableInitialized")
      .input("ref: Ref(dtype)")
      .output("is_initialized: bool")
      .attr("dtype: type")
      .allows_uninitialized_input()
      .trait(Trait::kReadsResource)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Tests whether the reference variable `ref` has a value.");
  kernels.add<IsVariableInitializedKernel>("IsVariableInitialized");

  ops.op("CountUpTo")
      .input("ref: Ref(T)")
      .output("output: T")
      .attr("limit: int")
      .attr("T: {int32, int64}")
      .shape(count_up_to_shape)
      .no_gradient()
      .doc(
          "Returns the value of the scalar variable `ref` and increments the variable. Fails with OutOfRange once the "
          "value has reached `limit`.");
  kernels.add_typed<CountUpToKernel, int32_t, int64_t>("CountUpTo", "T");
}
