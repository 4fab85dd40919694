#include "op/registration.h"
#include "ops/data_flow/shared/tensor_array_kernel.h"

namespace tinytf::ops {
namespace {

class TensorArrayWriteKernel final : public Kernel {
 public:
  explicit TensorArrayWriteKernel(KernelInit& init) : dtype_(init.attr<DType>("T")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, input_index(ctx, 1));
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_written(*array, dtype_));
    TINYTF_RETURN_IF_ERROR(array->write(ctx, index, ctx.input(2)));
    if (Tensor* flow = ctx.input(3).rank() == 0 ? ctx.scalar_before(0) : nullptr) {
      *flow->data<float>() = *ctx.input(3).data<float>();
    } else {
      ctx.set_output(0, ctx.input(3));
    }
    return Status();
  }

 private:
  const DType dtype_;
};

class TensorArrayReadKernel final : public Kernel {
 public:
  explicit TensorArrayReadKernel(KernelInit& init) : dtype_(init.attr<DType>("dtype")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, input_index(ctx, 1));
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_requested(*array, dtype_));
    return array->read(ctx, index);
  }

 private:
  const DType dtype_;
};

Status write_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(3, 0));
  if (const HandleInfo* info = c.input_handle(0)) TINYTF_RETURN_IF_ERROR(info->shape.merge(c.input(2)).status());
  return shapes::scalar(c);
}

Status read_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  if (const HandleInfo* info = c.input_handle(0)) c.set_output(0, info->shape);
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_array_element) {
  using namespace tinytf::ops;
  for (const ArrayOps& array : kArrayOps) {
    array.use(ops, "TensorArrayWrite")
        .input("index: int32")
        .input("value: T")
        .input("flow_in: float")
        .output("flow_out: float")
        .attr("T: type")
        .trait(Trait::kWritesElement)
        .shape(array.shape(write_shape))
        .doc(
            "Writes `value` to element `index` of the array. Writing an element twice is an error, unless the array "
            "holds gradients, which are added up.");
    kernels.add<TensorArrayWriteKernel>(array.name("TensorArrayWrite"))
        .where("T", any_of({kArrayPlain, {DType::kResource, DType::kVariant}}));

    array.use(ops, "TensorArrayRead")
        .input("index: int32")
        .input("flow_in: float")
        .output("value: dtype")
        .attr("dtype: type")
        .trait(Trait::kReadsElement)
        .shape(array.shape(read_shape))
        .doc(
            "Returns element `index` of the array. An element that was not written is zeros if its shape is known. If "
            "the array clears elements after reading, each element can be read once.");
    kernels.add<TensorArrayReadKernel>(array.name("TensorArrayRead"))
        .where("dtype", any_of({kArrayPlain, {DType::kResource, DType::kVariant}}));
  }
}
