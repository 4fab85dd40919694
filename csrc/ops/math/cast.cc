#include "kernels/table.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

class CastKernel final : public Kernel {
 public:
  explicit CastKernel(KernelInit& init) : source_(init.input_type(0)), destination_(init.output_type(0)) {
    if (source_ == destination_) return;
    const kernels::CastTable& table = kernels::table().cast;
    if (init.attr<bool>("Truncate")) {
      loop_ = table.truncate[static_cast<int>(source_)][static_cast<int>(destination_)];
    }
    if (loop_ == nullptr) loop_ = table.loop(source_, destination_);
    if (loop_ == nullptr) {
      init.fail(unimplemented("Cast ", dtype_name(source_), " to ", dtype_name(destination_), " is not supported"));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    if (loop_ == nullptr) {
      ctx.set_output(0, x);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.allocate_output(0, x.shape()));
    kernels::run_cast(loop_, source_, destination_, x.raw(), y->raw(), x.num_elements(), ctx.parallel());
    return Status();
  }

 private:
  const DType source_;
  const DType destination_;
  kernels::CastLoop loop_ = nullptr;  // null: nothing to convert
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_cast) {
  ops.op("Cast")
      .input("x: SrcT")
      .output("y: DstT")
      .attr("SrcT: type")
      .attr("DstT: type")
      .attr("Truncate: bool = false")
      .shape(shapes::unchanged)
      .doc(
          "x converted to another numeric type. Floats go to integers by truncation, complex numbers give their real "
          "part. `Truncate` drops the bits that do not fit half or bfloat16 instead of rounding.");
  kernels.add<CastKernel>("Cast");
}
