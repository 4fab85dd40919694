#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

class WhereKernel final : public Kernel {
 public:
  explicit WhereKernel(KernelInit& init)
      : count_(kernels::table().gather.count_true[static_cast<int>(init.input_type(0))]),
        where_(kernels::table().gather.where[static_cast<int>(init.input_type(0))]) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int64_t n = count_(input.raw(), input.num_elements(), ctx.parallel());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({n, input.rank()})));
    if (out->num_elements() > 0) {
      where_(input.raw(), input.rank(), input.shape().dims().data(), out->data<int64_t>(), ctx.parallel());
    }
    return Status();
  }

 private:
  const kernels::CountFn count_;
  const kernels::WhereFn where_;
};

Status where_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::matrix(kUnknownDim, c.input(0).known_rank() ? c.input(0).rank() : kUnknownDim));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_where) {
  using namespace tinytf::ops;
  ops.op("Where")
      .input("input: T")
      .parameter("input", "condition")
      .output("index: int64")
      .attr(
          "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
          "complex128, half, uint32, uint64, bool} = DT_BOOL")
      .shape(where_shape)
      .no_gradient()
      .doc(
          "Returns the coordinates of the nonzero (true) elements of `input` in row-major order, as a matrix with one "
          "row per element and one column per dimension.");
  kernels.add<WhereKernel>("Where").where("T", kPlain);
}
