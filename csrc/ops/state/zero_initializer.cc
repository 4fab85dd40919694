#include <cstring>

#include "op/kernel_state.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/state/variable.h"

// Ops that initialize variables with zeros in place.

namespace tinytf::ops {
namespace {

/// Zeros of the declared shape; a scalar if its rank is unknown, as in TensorFlow.
Result<Tensor> zeros(KernelContext& ctx, DType dtype, const PartialShape& declared) {
  if (declared.known_rank() && !declared.fully_defined()) {
    return invalid_argument("Shape ", declared.to_string(), " is not fully defined");
  }
  const Shape shape = declared.known_rank() ? declared.to_shape() : Shape();
  TINYTF_ASSIGN_OR_RETURN(Tensor value, Tensor::allocate(ctx.allocator(), dtype, shape));
  if (value.bytes() > 0) std::memset(value.raw(), 0, value.bytes());
  return value;
}

class ZeroInitializerKernel final : public Kernel {
 public:
  explicit ZeroInitializerKernel(KernelInit& init) : dtype_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    RefVariable& variable = ctx.ref_input(0);
    ctx.set_ref_output(0, &variable);
    std::lock_guard lock(variable.mutex);
    if (variable.tensor.valid()) return invalid_argument("input is already initialized");
    TINYTF_ASSIGN_OR_RETURN(variable.tensor, zeros(ctx, dtype_, variable.declared));
    return Status();
  }

 private:
  const DType dtype_;
};

class ZeroVarInitializerKernel final : public Kernel {
 public:
  explicit ZeroVarInitializerKernel(KernelInit& init)
      : dtype_(init.attr<DType>("dtype")), shape_(init.attr<PartialShape>("shape")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Variable * variable, input_variable(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor value, zeros(ctx, dtype_, shape_));
    TINYTF_RETURN_IF_ERROR(variable->initialize(*ctx.step().resources, input_handle(ctx, 0), std::move(value)));
    ctx.set_output(0, ctx.input(0));
    return Status();
  }

 private:
  const DType dtype_;
  const PartialShape shape_;
};

Status zero_var_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::scalar());
  c.set_output_handle(0, {c.attr<DType>("dtype"), c.attr<PartialShape>("shape")});
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(state_zero_initializer) {
  using namespace tinytf::ops;
  ops.op("ZeroInitializer")
      .input("ref: Ref(T)")
      .output("output_ref: Ref(T)")
      .attr("T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}")
      .allows_uninitialized_input()
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .doc(
          "Initializes a variable that has no value with zeros and passes the reference on. Fails with InvalidArgument "
          "if it has a value.");
  kernels.add<ZeroInitializerKernel>("ZeroInitializer").where("T", kAllReals);

  ops.op("ZeroVarInitializer")
      .input("var: resource")
      .output("output_var: resource")
      .attr("dtype: type")
      .attr("shape: shape")
      .stateful()
      .allows_uninitialized_input()
      .shape(zero_var_shape)
      .no_gradient()
      .doc(
          "Initializes a variable that has no value with zeros of `shape` (a scalar if its rank is unknown) and passes "
          "the handle on. Fails with InvalidArgument if it has a value.");
  kernels.add<ZeroVarInitializerKernel>("ZeroVarInitializer").where("dtype", kAllReals);
}
