#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

/// The sparsity hints do not change the result, so one dense float product serves all cases.
class SparseMatMulKernel final : public Kernel {
 public:
  explicit SparseMatMulKernel(KernelInit& init)
      : transpose_a_(init.attr<bool>("transpose_a")), transpose_b_(init.attr<bool>("transpose_b")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.rank() != 2) return invalid_argument("a is not a matrix");
    if (b.rank() != 2) return invalid_argument("b is not a matrix");
    kernels::GemmArgs args;
    args.m = a.dim(transpose_a_ ? 1 : 0);
    args.k = a.dim(transpose_a_ ? 0 : 1);
    args.n = b.dim(transpose_b_ ? 0 : 1);
    if (b.dim(transpose_b_ ? 1 : 0) != args.k) {
      return invalid_argument("Matrix size incompatible: a: ", a.shape().to_string(), ", b: ", b.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * product, ctx.allocate_output(0, Shape{args.m, args.n}));
    if (product->num_elements() == 0) return Status();
    TINYTF_ASSIGN_OR_RETURN(const Tensor left, as_floats(ctx, a));
    TINYTF_ASSIGN_OR_RETURN(const Tensor right, as_floats(ctx, b));
    args.a = left.raw();
    args.lda = a.dim(1);
    args.b = right.raw();
    args.ldb = b.dim(1);
    args.c = product->raw();
    args.ldc = args.n;
    args.op_a = transpose_a_ ? kernels::MatrixOp::kTranspose : kernels::MatrixOp::kNone;
    args.op_b = transpose_b_ ? kernels::MatrixOp::kTranspose : kernels::MatrixOp::kNone;
    kernels::table().gemm.gemm[static_cast<int>(DType::kFloat)](args, ctx.parallel());
    return Status();
  }

 private:
  static Result<Tensor> as_floats(KernelContext& ctx, const Tensor& x) {
    if (x.dtype() == DType::kFloat) return x;
    TINYTF_ASSIGN_OR_RETURN(Tensor floats, ctx.allocate(DType::kFloat, x.shape()));
    kernels::run_cast(kernels::table().cast.loop(x.dtype(), DType::kFloat), x.dtype(), DType::kFloat, x.raw(),
                      floats.raw(), x.num_elements(), ctx.parallel());
    return floats;
  }

  const bool transpose_a_;
  const bool transpose_b_;
};

Status sparse_mat_mul_shape(ShapeContext& c) {
  PartialShape a, b;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &a));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &b));
  const int transpose_a = c.attr<bool>("transpose_a");
  const int transpose_b = c.attr<bool>("transpose_b");
  TINYTF_RETURN_IF_ERROR(merge_dims(a.dim(1 - transpose_a), b.dim(transpose_b)).status());
  c.set_output(0, PartialShape::matrix(a.dim(transpose_a), b.dim(1 - transpose_b)));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_sparse_mat_mul) {
  ops.op("SparseMatMul")
      .input("a: Ta")
      .input("b: Tb")
      .output("product: float")
      .attr("transpose_a: bool = false")
      .attr("transpose_b: bool = false")
      .attr("a_is_sparse: bool = false")
      .attr("b_is_sparse: bool = false")
      .attr("Ta: {float, bfloat16} = DT_FLOAT")
      .attr("Tb: {float, bfloat16} = DT_FLOAT")
      .shape(sparse_mat_mul_shape)
      .doc(
          "Computes the product of the dense matrices `a` [m, k] and `b` [k, n] in float. With `transpose_a` the shape "
          "of `a` is [k, m], with `transpose_b` the shape of `b` is [n, k]. `a_is_sparse` and `b_is_sparse` are hints "
          "without effect.");
  kernels.add<SparseMatMulKernel>("SparseMatMul");
}
