#include <vector>

#include "op/registration.h"
#include "ops/linalg/shared/matrices.h"

namespace tinytf::ops {
namespace {

/// Solves op(a) y = x by substitution and stores y in x. One triangle of a [n, n] is read; x is [n, columns].
template <class T>
void substitute(const T* a, bool lower, bool adjoint, int64_t n, int64_t columns, Wide<T>* x, Parallel& parallel) {
  using W = Wide<T>;
  const bool forward = lower != adjoint;
  const auto entry = [=](int64_t i, int64_t k) { return adjoint ? conjugate(W(a[k * n + i])) : W(a[i * n + k]); };
  const auto solve_row = [&](int64_t i) {
    W* row = x + i * columns;
    for (int64_t k = forward ? 0 : i + 1; k < (forward ? i : n); ++k) {
      const W factor = entry(i, k);
      const W* solved = x + k * columns;
      for (int64_t j = 0; j < columns; ++j) row[j] -= factor * solved[j];
    }
    const W diagonal = entry(i, i);
    for (int64_t j = 0; j < columns; ++j) row[j] /= diagonal;
  };
  parallel.run_in_order(n, static_cast<double>(n) * columns, [&](int64_t step, int64_t end) {
    for (; step < end; ++step) solve_row(forward ? step : n - 1 - step);
  });
}

template <class T>
class MatrixTriangularSolveKernel final : public Kernel {
 public:
  explicit MatrixTriangularSolveKernel(KernelInit& init)
      : lower_(init.attr<bool>("lower")), adjoint_(init.attr<bool>("adjoint")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& matrix = ctx.input(0);
    const Tensor& rhs = ctx.input(1);
    TINYTF_RETURN_IF_ERROR(check(matrix.shape(), rhs.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, rhs.shape()));
    if (out->num_elements() == 0) return Status();
    const int64_t n = rhs.dim(rhs.rank() - 2), columns = rhs.dim(rhs.rank() - 1), count = n * columns;
    const T* a = matrix.data<T>();
    for (int64_t first = 0; first < matrix.num_elements(); first += n * n) {
      for (int64_t i = 0; i < n; ++i) {
        if (a[first + i * (n + 1)] == T(0)) return invalid_argument("Input matrix is not invertible.");
      }
    }
    const T* from = rhs.data<T>();
    T* to = out->data<T>();
    const double cost = static_cast<double>(n) * static_cast<double>(count);
    ctx.parallel().run(out->num_elements() / count, 1, cost, [&](int64_t begin, int64_t end) {
      std::vector<Wide<T>> x(count);
      for (int64_t i = begin; i < end; ++i) {
        for (int64_t j = 0; j < count; ++j) x[j] = Wide<T>(from[i * count + j]);
        substitute(a + i * n * n, lower_, adjoint_, n, columns, x.data(), ctx.parallel());
        for (int64_t j = 0; j < count; ++j) to[i * count + j] = T(x[j]);
      }
    });
    return Status();
  }

 private:
  static Status check(const Shape& matrix, const Shape& rhs) {
    const int rank = matrix.rank();
    if (rank < 2) return invalid_argument("Input tensor 0 must have rank >= 2");
    if (rhs.rank() != rank) {
      return invalid_argument("All input tensors must have the same rank: ", matrix.to_string(), " vs. ",
                              rhs.to_string());
    }
    if (batch_of(matrix, 2) != batch_of(rhs, 2)) {
      return invalid_argument("All input tensors must have the same outer dimensions: ", matrix.to_string(), " vs. ",
                              rhs.to_string());
    }
    if (matrix.dim(rank - 2) != matrix.dim(rank - 1)) return invalid_argument("Input matrix must be square.");
    if (matrix.dim(rank - 2) != rhs.dim(rank - 2)) {
      return invalid_argument("Input matrix and rhs are incompatible: ", matrix.to_string(), " vs. ", rhs.to_string());
    }
    return Status();
  }

  const bool lower_, adjoint_;
};

Status triangular_solve_shape(ShapeContext& c) {
  PartialShape matrix, rhs;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2, &matrix));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 2, &rhs));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape batch, matrix.slice(0, -2).merge(rhs.slice(0, -2)));
  TINYTF_ASSIGN_OR_RETURN(const int64_t side, merge_dims(matrix.dim(-2), matrix.dim(-1)));
  TINYTF_ASSIGN_OR_RETURN(const int64_t rows, merge_dims(side, rhs.dim(-2)));
  c.set_output(0, batch.concatenate(PartialShape::matrix(rows, rhs.dim(-1))));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(linalg_triangular_solve) {
  ops.op("MatrixTriangularSolve")
      .input("matrix: T")
      .input("rhs: T")
      .output("output: T")
      .attr("lower: bool = true")
      .attr("adjoint: bool = false")
      .attr("T: {double, float, half, complex64, complex128}")
      .shape(triangular_solve_shape)
      .doc(
          "Solves matrix x = rhs for x, returned as `output` [..., n, k], with triangular matrices [..., n, n] whose "
          "other triangle is not read. With `adjoint` it solves the equation with the conjugate transpose of `matrix`. "
          "Fails with InvalidArgument if a diagonal element is zero.");
  kernels.add_typed<MatrixTriangularSolveKernel, float, double, std::complex<float>, std::complex<double>>(
      "MatrixTriangularSolve", "T");
}
