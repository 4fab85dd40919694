#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/state/variable.h"

namespace tinytf::ops {
namespace {

class ReadVariableKernel final : public Kernel {
 public:
  explicit ReadVariableKernel(KernelInit& init) : dtype_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    VariableRead read;
    Status status = read.open(ctx, 0, dtype_);
    if (status.ok()) ctx.set_output(0, read.value());
    if (status.code() != Code::kNotFound) return status;
    const ResourceHandle& handle = input_handle(ctx, 0);
    return failed_precondition("Error while reading resource variable ", handle.name,
                               " from Container: ", handle.container,
                               ". This could mean that the variable was uninitialized. ", status.to_string());
  }

 private:
  const DType dtype_;
};

Status read_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const HandleInfo* info, variable_info(c, 0, "dtype"));
  if (info != nullptr) c.set_output(0, info->shape);
  return Status();
}

/// The value to be written must match the dtype and shape in the handle data.
Status write_shape(ShapeContext& c) {
  const HandleInfo* info = c.input_handle(0);
  if (info == nullptr) return Status();
  const DType dtype = c.attr<DType>("dtype");
  if (info->dtype != dtype) {
    return invalid_argument("Trying to initialize handle for variable with wrong dtype. Expected ",
                            dtype_name(info->dtype), " got ", dtype_name(dtype));
  }
  return info->shape.merge(c.input(1)).status();
}

class AssignVariableKernel final : public Kernel {
 public:
  explicit AssignVariableKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Variable * variable, input_variable(ctx, 0));
    Tensor value = ctx.input(1);  // shared until either owner writes to it
    if (value.buffer() && !value.buffer()->writable()) {
      TINYTF_ASSIGN_OR_RETURN(value, value.clone(ctx.allocator()));  // memory of the caller, which may change it later
    }
    return variable->exchange(*ctx.step().resources, input_handle(ctx, 0), std::move(value)).status();
  }
};

template <kernels::Binary kOp>
class UpdateVariableKernel final : public Kernel {
 public:
  explicit UpdateVariableKernel(KernelInit& init)
      : dtype_(init.attr<DType>("dtype")), loop_(kernels::table().elementwise.binary_loop(kOp, dtype_)) {}

  Status compute(KernelContext& ctx) override {
    VariableUpdate variable;
    TINYTF_RETURN_IF_ERROR(variable.open(ctx, 1, dtype_, true));
    Tensor& target = variable[0];
    const Tensor& value = ctx.input(1);
    if (target.shape() != value.shape()) {
      return invalid_argument("Cannot update variable with shape ", target.shape().to_string(),
                              " using a Tensor with shape ", value.shape().to_string(), ", shapes must be equal.");
    }
    run_binary(loop_, target.raw(), value.raw(), target.raw(), target.num_elements(), ctx.parallel());
    return Status();
  }

 private:
  const DType dtype_;
  const kernels::BinaryLoop loop_;
};

template <class T>
class ResourceCountUpToKernel final : public Kernel {
 public:
  explicit ResourceCountUpToKernel(KernelInit& init) : limit_(init.attr<int64_t>("limit")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    VariableUpdate variable;
    TINYTF_RETURN_IF_ERROR(variable.open(ctx, 1, dtype_of<T>, true));
    if (variable[0].rank() != 0) {
      return invalid_argument("input is not a scalar: ", variable[0].shape().to_string());
    }
    T& counter = *variable[0].data<T>();
    if (counter >= limit_) return Status(Code::kOutOfRange, str_cat("Reached limit of ", limit_));
    *out->data<T>() = counter++;
    return Status();
  }

 private:
  const int64_t limit_;
};

/// The counter must be a scalar of type T.
Status resource_count_up_to_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::scalar());
  const HandleInfo* info = c.input_handle(0);
  if (info == nullptr) return Status();
  const DType dtype = c.attr<DType>("T");
  if (info->dtype != dtype) {
    return invalid_argument("Trying to read variable with wrong dtype. Expected ", dtype_name(info->dtype), " got ",
                            dtype_name(dtype));
  }
  if (info->shape.known_rank() && info->shape.rank() != 0) {
    return invalid_argument("Shape must be rank 0 but is rank ", info->shape.rank());
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(state_resource_variable_ops) {
  using namespace tinytf::ops;
  using tinytf::kernels::Binary;
  ops.op("ReadVariableOp")
      .input("resource: resource")
      .output("value: dtype")
      .attr("dtype: type")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(read_shape)
      .doc(
          "Returns a snapshot of the variable's value, which later writes do not change. Fails with FailedPrecondition "
          "before the first assignment.");
  kernels.add<ReadVariableKernel>("ReadVariableOp");

  ops.op("AssignVariableOp")
      .input("resource: resource")
      .input("value: dtype")
      .attr("dtype: type")
      .stateful()
      .shape(write_shape)
      .no_gradient()
      .doc("Stores `value`, which may have any shape, in the variable.");
  kernels.add<AssignVariableKernel>("AssignVariableOp");

  ops.op("AssignAddVariableOp")
      .input("resource: resource")
      .input("value: dtype")
      .attr("dtype: type")
      .stateful()
      .shape(write_shape)
      .no_gradient()
      .doc("Adds `value`, which has the shape of the variable, to the variable.");
  kernels.add<UpdateVariableKernel<Binary::kAdd>>("AssignAddVariableOp").where("dtype", kAllNumbers);

  ops.op("AssignSubVariableOp")
      .input("resource: resource")
      .input("value: dtype")
      .attr("dtype: type")
      .stateful()
      .shape(write_shape)
      .no_gradient()
      .doc("Subtracts `value`, which has the shape of the variable, from the variable.");
  kernels.add<UpdateVariableKernel<Binary::kSub>>("AssignSubVariableOp").where("dtype", kAllNumbers);

  ops.op("ResourceCountUpTo")
      .input("resource: resource")
      .output("output: T")
      .attr("limit: int")
      .attr("T: {int32, int64}")
      .stateful()
      .shape(resource_count_up_to_shape)
      .no_gradient()
      .doc(
          "Returns the value of the scalar variable and increments the variable. Fails with OutOfRange once the value "
          "has reached `limit`.");
  kernels.add_typed<ResourceCountUpToKernel, int32_t, int64_t>("ResourceCountUpTo", "T");
}
