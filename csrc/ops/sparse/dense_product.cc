#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/sparse/shared/own_places.h"

namespace tinytf::ops {
namespace {

class SparseTensorDenseMatMulKernel final : public Kernel {
 public:
  explicit SparseTensorDenseMatMulKernel(KernelInit& init)
      : adjoint_a_(init.attr<bool>("adjoint_a")), adjoint_b_(init.attr<bool>("adjoint_b")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check(ctx.input(0), ctx.input(1), ctx.input(2), ctx.input(3)));
    const int64_t sizes[] = {ctx.input(2).int_at(0), ctx.input(2).int_at(1)};
    const int64_t rows = sizes[adjoint_a_ ? 1 : 0], inner = sizes[adjoint_a_ ? 0 : 1];
    const Tensor& b = ctx.input(3);
    if (inner != b.dim(adjoint_b_ ? 1 : 0)) {
      return invalid_argument("Cannot multiply A and B because inner dimension does not match: ", inner, " vs. ",
                              b.dim(adjoint_b_ ? 1 : 0), ".  Did you forget a transpose?  Dimensions of A: [", sizes[0],
                              ", ", sizes[1], ").  Dimensions of B: ", b.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(Dims{rows, b.dim(adjoint_b_ ? 0 : 1)}));
    TINYTF_ASSIGN_OR_RETURN(const Tensor places, own_places(ctx, ctx.input(0), 2));
    TINYTF_RETURN_IF_ERROR(check_places(ctx, places, rows, inner));
    TINYTF_ASSIGN_OR_RETURN(const Tensor right, adjoint_b_ ? adjoint(ctx, b) : Result<Tensor>(b));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const auto& table = kernels::table();
    constexpr char kZero[16] = {};
    table.copy.fill(out->raw(), kZero, dtype_size(out->dtype()), out->num_elements(), ctx.parallel());
    if (out->num_elements() == 0) return Status();
    const kernels::SparseMatrix a{places.data<int64_t>(), ctx.input(1).raw(), places.dim(0), adjoint_a_};
    table.gather.sparse_product[static_cast<int>(out->dtype())](a, right.raw(), rows, shape.dim(1), out->raw(),
                                                                ctx.parallel());
    return Status();
  }

 private:
  static Status check(const Tensor& indices, const Tensor& values, const Tensor& sizes, const Tensor& b) {
    if (b.rank() != 2) return invalid_argument("Tensor 'b' is not a matrix");
    if (sizes.rank() != 1) return invalid_argument("Tensor 'a_shape' is not a vector");
    if (sizes.dim(0) != 2) return invalid_argument("Tensor 'a_shape' must have 2 elements");
    if (values.rank() != 1) return invalid_argument("Tensor 'a_values' is not a vector");
    if (indices.rank() != 2) return invalid_argument("Tensor 'a_indices' is not a matrix");
    if (indices.dim(0) != values.dim(0)) {
      return invalid_argument("Number of rows of a_indices does not match number of entries in a_values");
    }
    if (indices.dim(1) != 2) {
      return invalid_argument("Number of columns of a_indices does not match number of entries in a_shape");
    }
    return Status();
  }

  Status check_places(KernelContext& ctx, const Tensor& places, int64_t rows, int64_t inner) const {
    const auto* const place = places.data<int64_t>();
    const int row_at = adjoint_a_ ? 1 : 0;
    Status status;
    ctx.parallel().run_in_order(places.dim(0), 1, [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) {
        const int64_t k = place[2 * i + 1 - row_at], m = place[2 * i + row_at];
        if (k < 0 || k >= inner) {
          status = invalid_argument("k (", k, ") from index[", i, ",", 1 - row_at, "] out of bounds (>=", inner, ")");
        } else if (m < 0 || m >= rows) {
          status = invalid_argument("m (", m, ") from index[", i, ",", row_at, "] out of bounds (>=", rows, ")");
        }
      }
    });
    return status;
  }

  /// The conjugate transpose of b.
  Result<Tensor> adjoint(KernelContext& ctx, const Tensor& b) const {
    TINYTF_ASSIGN_OR_RETURN(Tensor turned, ctx.allocate(b.dtype(), Shape({b.dim(1), b.dim(0)})));
    if (turned.num_elements() == 0) return turned;
    const int64_t dims[] = {b.dim(0), b.dim(1)};
    const int order[] = {1, 0};
    const auto& table = kernels::table();
    table.copy.transpose(b.raw(), turned.raw(), dtype_size(b.dtype()), 2, dims, order, ctx.parallel());
    if (is_complex(b.dtype())) {
      kernels::run_unary(table.elementwise.unary_loop(kernels::Unary::kConj, b.dtype()), turned.raw(), turned.raw(),
                         turned.num_elements(), ctx.parallel());
    }
    return turned;
  }

  const bool adjoint_a_, adjoint_b_;
};

Status matmul_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  PartialShape a = c.input_as_shape(2), b;
  if (!a.known_rank() && c.input(2).known_rank() && c.input(2).dim(0) >= 0) {
    a = PartialShape::unknown_of_rank(c.input(2).dim(0));
  }
  if (a.known_rank() && a.rank() != 2) return invalid_argument("Shape must be rank 2 but is rank ", a.rank());
  TINYTF_RETURN_IF_ERROR(c.with_rank(3, 2, &b));
  if (!a.known_rank()) a = PartialShape::unknown_of_rank(2);
  const int row = c.attr<bool>("adjoint_a") ? 1 : 0, column = c.attr<bool>("adjoint_b") ? 0 : 1;
  TINYTF_RETURN_IF_ERROR(merge_dims(a.dim(1 - row), b.dim(1 - column)).status());
  c.set_output(0, PartialShape({a.dim(row), b.dim(column)}));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_dense_product) {
  using namespace tinytf;
  using namespace tinytf::ops;
  ops.op("SparseTensorDenseMatMul")
      .input("a_indices: Tindices")
      .input("a_values: T")
      .input("a_shape: int64")
      .input("b: T")
      .output("product: T")
      .attr("T: type")
      .attr("Tindices: {int32, int64} = DT_INT64")
      .attr("adjoint_a: bool = false")
      .attr("adjoint_b: bool = false")
      .shape(matmul_shape)
      .doc(
          "Computes the matrix product of a two-dimensional SparseTensor, whose indices may be in any order, and the "
          "matrix `b`. With `adjoint_a` the sparse matrix is transposed but not conjugated; with `adjoint_b` the "
          "conjugate transpose of `b` is used.");
  kernels.add<SparseTensorDenseMatMulKernel>("SparseTensorDenseMatMul")
      .where("T", {DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kDouble, DType::kInt32, DType::kComplex64,
                   DType::kComplex128});
}
