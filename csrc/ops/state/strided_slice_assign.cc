#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/array/shared/strided_slice_spec.h"
#include "ops/state/variable.h"

namespace tinytf::ops {

namespace {

/// Kernel of StridedSliceAssign and ResourceStridedSliceAssign.
class StridedSliceAssignKernel final : public Kernel {
 public:
  explicit StridedSliceAssignKernel(KernelInit& init) : masks_(init), dtype_(init.attr<DType>("T")) {}

  Status compute(KernelContext& ctx) override {
    VariableUpdate variable;
    TINYTF_RETURN_IF_ERROR(variable.open(ctx, 1, dtype_, true));
    VariableUpdate::forward_ref(ctx);
    Tensor& target = variable[0];
    const Tensor& value = ctx.input(4);
    TINYTF_ASSIGN_OR_RETURN(const ResolvedSlice slice, resolve_slice(ctx, target.shape(), 1, masks_));
    const Shape result = slice.result.to_shape();
    if (result.num_elements() == 0) return Status();  // whatever shape the value has
    if (value.shape() != result) {
      return unimplemented("sliced l-value shape ", slice.result.to_string(), " does not match r-value shape ",
                           value.shape().to_string(), ". Automatic broadcasting not yet implemented.");
    }
    return move_elements(ctx, value, target, [&](const void* src, void* dst, size_t bytes) {
      kernels::table().copy.slice_write(src, false, dst, bytes, target.rank(), target.shape().dims().data(),
                                        slice.begin.data(), slice.stride.data(), slice.size.data(), ctx.parallel());
    });
  }

 private:
  const SliceMasks masks_;
  const DType dtype_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(state_strided_slice_assign) {
  using namespace tinytf::ops;
  const auto declare = [&ops](const char* name, const char* ref) {
    return ops.op(name)
        .input(ref)
        .input("begin: Index")
        .input("end: Index")
        .input("strides: Index")
        .input("value: T")
        .attr("T: type")
        .attr("Index: {int32, int64}")
        .attr("begin_mask: int = 0")
        .attr("end_mask: int = 0")
        .attr("ellipsis_mask: int = 0")
        .attr("new_axis_mask: int = 0")
        .attr("shrink_axis_mask: int = 0")
        .no_gradient();
  };
  declare("StridedSliceAssign", "ref: Ref(T)")
      .output("output_ref: Ref(T)")
      .shape(tinytf::shapes::unchanged)
      .doc(
          "Writes `value` to the elements of the variable `ref` that StridedSlice reads with the same arguments, and "
          "passes the reference on.");
  kernels.add<StridedSliceAssignKernel>("StridedSliceAssign");

  declare("ResourceStridedSliceAssign", "ref: resource")
      .stateful()
      .shape(tinytf::shapes::no_outputs)
      .doc(
          "Writes `value` to the elements of the resource variable `ref` that StridedSlice reads with the same "
          "arguments.");
  kernels.add<StridedSliceAssignKernel>("ResourceStridedSliceAssign");
}
