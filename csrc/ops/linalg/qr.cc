#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "op/registration.h"
#include "ops/linalg/shared/matrices.h"

namespace tinytf::ops {
namespace {

/// Householder's QR factorization of one matrix, with the signs of LAPACK: each diagonal element of R is real and has
/// the opposite sign of the element it replaces. Each reflection is I - tau w w^H, where w is 0 before row k and 1 in
/// row k.
template <class W>
class Householder {
 public:
  Householder(int64_t rows, int64_t columns, Parallel& parallel)
      : parallel_(parallel),
        rows_(rows),
        columns_(columns),
        count_(std::min(rows, columns)),
        a_(rows * columns),
        tau_(count_),
        w_(rows * count_),
        dot_(std::max(rows, columns)) {}

  template <class T>
  void factorise(const T* input) {
    for (int64_t i = 0; i < rows_ * columns_; ++i) a_[i] = W(input[i]);
    for (int64_t k = 0; k < count_; ++k) {
      W* w = &w_[k * rows_];
      make_reflection(k, w);
      reflect(w, tau_[k], k, a_.data(), columns_, k + 1);
    }
  }

  /// Writes the first `r_rows` rows of R.
  template <class T>
  void write_r(T* r, int64_t r_rows) const {
    for (int64_t i = 0; i < r_rows; ++i) {
      for (int64_t j = 0; j < columns_; ++j) r[i * columns_ + j] = i <= j ? T(a_[i * columns_ + j]) : T(0);
    }
  }

  /// Writes the first `q_columns` columns of Q.
  template <class T>
  void write_q(T* q, int64_t q_columns) {
    q_.assign(rows_ * q_columns, W(0));
    for (int64_t i = 0; i < std::min(rows_, q_columns); ++i) q_[i * q_columns + i] = W(1);
    for (int64_t k = count_ - 1; k >= 0; --k) {
      reflect(&w_[k * rows_], conjugate(tau_[k]), k, q_.data(), q_columns, k);
    }
    for (int64_t i = 0; i < rows_ * q_columns; ++i) q[i] = T(q_[i]);
  }

 private:
  /// Finds the reflection that zeroes column k below the diagonal, and stores the resulting diagonal element.
  void make_reflection(int64_t k, W* w) {
    const W head = a_[k * columns_ + k];
    double tail = 0;
    for (int64_t i = k + 1; i < rows_; ++i) tail += std::norm(a_[i * columns_ + k]);
    w[k] = W(1);
    if (tail <= std::numeric_limits<double>::min() && std::imag(head) == 0) {
      tau_[k] = W(0);
      return;
    }
    double beta = std::sqrt(std::norm(head) + tail);
    if (std::real(head) >= 0) beta = -beta;
    for (int64_t i = k + 1; i < rows_; ++i) w[i] = a_[i * columns_ + k] / (head - beta);
    tau_[k] = conjugate((beta - head) / beta);
    a_[k * columns_ + k] = W(beta);
  }

  /// Applies I - tau w w^H to columns [first, columns) of a row-major matrix.
  void reflect(const W* w, W tau, int64_t k, W* matrix, int64_t columns, int64_t first) {
    if (tau == W(0)) return;
    std::fill(dot_.begin() + first, dot_.begin() + columns, W(0));
    const double cost = 2.0 * static_cast<double>(columns - first);
    parallel_.run_in_order(rows_ - k, cost, [&](int64_t i, int64_t end) {
      for (i += k, end += k; i < end; ++i) {
        const W factor = conjugate(w[i]);
        const W* row = matrix + i * columns;
        for (int64_t j = first; j < columns; ++j) dot_[j] += factor * row[j];
      }
    });
    parallel_.run_in_order(rows_ - k, cost, [&](int64_t i, int64_t end) {
      for (i += k, end += k; i < end; ++i) {
        const W factor = tau * w[i];
        W* row = matrix + i * columns;
        for (int64_t j = first; j < columns; ++j) row[j] -= factor * dot_[j];
      }
    });
  }

  Parallel& parallel_;
  const int64_t rows_, columns_, count_;
  std::vector<W> a_, tau_, w_, dot_, q_;
};

template <class T>
class QrKernel final : public Kernel {
 public:
  explicit QrKernel(KernelInit& init) : full_matrices_(init.attr<bool>("full_matrices")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (input.rank() < 2) return invalid_argument("Input tensor 0 must have rank >= 2");
    const int64_t m = input.dim(input.rank() - 2), n = input.dim(input.rank() - 1);
    const int64_t inner = full_matrices_ ? m : std::min(m, n);
    const Dims batch = batch_of(input.shape(), 2);
    TINYTF_ASSIGN_OR_RETURN(Tensor * q, ctx.allocate_output(0, matrices(batch, m, inner)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * r, ctx.allocate_output(1, matrices(batch, inner, n)));
    if (q->num_elements() == 0 && r->num_elements() == 0) return Status();
    const T* from = input.data<T>();
    T* q_data = q->data<T>();
    T* r_data = r->data<T>();
    const double cost = 4.0 * static_cast<double>(m) * static_cast<double>(inner) * static_cast<double>(n + 1);
    ctx.parallel().run(Shape(batch).num_elements(), 1, cost, [&](int64_t begin, int64_t end) {
      Householder<Wide<T>> work(m, n, ctx.parallel());
      for (int64_t i = begin; i < end; ++i) {
        work.factorise(from + i * m * n);
        work.write_r(r_data + i * inner * n, inner);
        work.write_q(q_data + i * m * inner, inner);
      }
    });
    return Status();
  }

 private:
  const bool full_matrices_;
};

Status qr_shape(ShapeContext& c) {
  PartialShape input;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2, &input));
  if (!input.known_rank()) return Status();
  const int64_t m = input.dim(-2), n = input.dim(-1);
  const int64_t inner = c.attr<bool>("full_matrices") ? m : smaller_dim(m, n);
  const PartialShape batch = input.slice(0, -2);
  c.set_output(0, batch.concatenate(PartialShape::matrix(m, inner)));
  c.set_output(1, batch.concatenate(PartialShape::matrix(inner, n)));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(linalg_qr) {
  ops.op("Qr")
      .input("input: T")
      .output("q: T")
      .output("r: T")
      .attr("full_matrices: bool = false")
      .attr("T: {double, float, half, complex64, complex128}")
      .shape(qr_shape)
      .doc(
          "Computes the QR factorization input = q r of matrices [..., m, n], where `q` [..., m, p] has orthonormal "
          "columns and `r` [..., p, n] is upper triangular. p is min(m, n), or m with `full_matrices`.");
  kernels.add_typed<QrKernel, float, double, std::complex<float>, std::complex<double>>("Qr", "T");
}
