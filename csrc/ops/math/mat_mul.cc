#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/math/shared/kept_panels.h"

namespace tinytf::ops {
namespace {

Status mat_mul_shape(ShapeContext& c) {
  PartialShape a, b;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &a));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &b));
  const int transpose_a = c.attr<bool>("transpose_a");
  const int transpose_b = c.attr<bool>("transpose_b");
  TINYTF_RETURN_IF_ERROR(merge_dims(a.dim(1 - transpose_a), b.dim(transpose_b)).status());
  c.set_output(0, PartialShape::matrix(a.dim(transpose_a), b.dim(1 - transpose_b)));
  return Status();
}

class MatMulKernel final : public Kernel {
 public:
  explicit MatMulKernel(KernelInit& init)
      : transpose_a_(init.attr<bool>("transpose_a")),
        transpose_b_(init.attr<bool>("transpose_b")),
        gemm_(kernels::table().gemm.gemm[static_cast<int>(init.input_type(0))]) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.rank() != 2) return invalid_argument("In[0] is not a matrix. Instead it has shape ", a.shape().to_string());
    if (b.rank() != 2) return invalid_argument("In[1] is not a matrix. Instead it has shape ", b.shape().to_string());
    kernels::GemmArgs args;
    args.m = a.dim(transpose_a_ ? 1 : 0);
    args.k = a.dim(transpose_a_ ? 0 : 1);
    args.n = b.dim(transpose_b_ ? 0 : 1);
    if (b.dim(transpose_b_ ? 1 : 0) != args.k) {
      return invalid_argument("Matrix size-incompatible: In[0]: ", a.shape().to_string(),
                              ", In[1]: ", b.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * product, ctx.allocate_output(0, Shape{args.m, args.n}));
    if (product->num_elements() == 0) return Status();
    args.a = a.raw();
    args.lda = a.dim(1);
    args.b = b.raw();
    args.ldb = b.dim(1);
    args.c = product->raw();
    args.ldc = args.n;
    args.op_a = transpose_a_ ? kernels::MatrixOp::kTranspose : kernels::MatrixOp::kNone;
    args.op_b = transpose_b_ ? kernels::MatrixOp::kTranspose : kernels::MatrixOp::kNone;
    if (has_constant_b_) args.panels = panels_.of(args, b.dtype(), ctx);
    gemm_(args, ctx.parallel());
    return Status();
  }

  void note_constant_input(int i) override { has_constant_b_ |= i == 1; }

 private:
  const bool transpose_a_;
  const bool transpose_b_;
  const kernels::GemmTable::Gemm gemm_;
  bool has_constant_b_ = false;  ///< whether b is the same constant in all calls
  KeptPanels panels_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_mat_mul) {
  ops.op("MatMul")
      .input("a: T")
      .input("b: T")
      .output("product: T")
      .attr("transpose_a: bool = false")
      .attr("transpose_b: bool = false")
      .attr("T: {bfloat16, half, float, double, int32, int64, complex64, complex128}")
      .shape(mat_mul_shape)
      .doc(
          "Computes the matrix product of `a` [m, k] and `b` [k, n]. With `transpose_a` the shape of `a` is [k, m], "
          "with `transpose_b` the shape of `b` is [n, k].");
  kernels.add<MatMulKernel>("MatMul").where("T", any_of({kFloats, kBfloat16, kComplexes, kInts32And64}));
}
