#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <vector>

#include "op/registration.h"
#include "ops/linalg/shared/matrices.h"

namespace tinytf::ops {
namespace {

using Complex = std::complex<double>;

/// The sum of conj(x[i]) * y[i].
double dot(const double* x, const double* y, int64_t n) {
  double sums[4] = {0, 0, 0, 0};  // four independent sums, so that additions do not wait for one another
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += x[i + k] * y[i + k];
  }
  for (; i < n; ++i) sums[0] += x[i] * y[i];
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}
Complex dot(const Complex* x, const Complex* y, int64_t n) {
  double real[2] = {0, 0}, imaginary[2] = {0, 0};
  for (int64_t i = 0; i < n; ++i) {
    real[0] += x[i].real() * y[i].real();
    real[1] += x[i].imag() * y[i].imag();
    imaginary[0] += x[i].real() * y[i].imag();
    imaginary[1] += x[i].imag() * y[i].real();
  }
  return {real[0] + real[1], imaginary[0] - imaginary[1]};
}

/// Complex numbers as an array of pairs of reals.
double* reals(double* x) { return x; }
double* reals(Complex* x) { return reinterpret_cast<double*>(x); }

/// The sum of |x[i]|^2.
template <class W>
double square_of(W* x, int64_t n) {
  return dot(reals(x), reals(x), n * static_cast<int64_t>(sizeof(W) / sizeof(double)));
}

/// Multiplies y by `factor`, of absolute value 1, which makes the product of x and y real.
void make_real(double*, int64_t, double) {}  // already real
void make_real(Complex* y, int64_t n, Complex factor) {
  for (int64_t i = 0; i < n; ++i) {
    y[i] = {y[i].real() * factor.real() - y[i].imag() * factor.imag(),
            y[i].real() * factor.imag() + y[i].imag() * factor.real()};
  }
}
/// The product `xy` of two vectors after `make_real`.
double real_product(double xy) { return xy; }
double real_product(Complex xy) { return std::abs(xy); }

/// Singular value decomposition by one-sided Jacobi rotations: pairs of vectors are rotated until all vectors are
/// orthogonal; their lengths are then the singular values. The vectors are the rows or the columns of the matrix,
/// whichever are fewer. W is double or complex<double>.
template <class W>
class Jacobi {
 public:
  /// For matrices of `count` vectors with `length` >= `count` elements; `turns` tells whether the rotations are needed.
  Jacobi(int64_t count, int64_t length, bool turns, Parallel& parallel)
      : parallel_(parallel),
        count_(count),
        length_(length),
        turns_(turns),
        x_(count * length),
        w_(turns ? count * count : 0),
        squares_(count),
        order_(count) {}

  /// Element j of vector i, or its conjugate if `conjugated`, is at a[i * step + j * stride].
  template <class T>
  void factorise(const T* a, int64_t step, int64_t stride, bool conjugated) {
    for (int64_t i = 0; i < count_; ++i) {
      for (int64_t j = 0; j < length_; ++j) {
        const W value(a[i * step + j * stride]);
        x_[i * length_ + j] = conjugated ? conjugate(value) : value;
      }
    }
    double largest = 0;
    bool finite = true;
    const int64_t size = count_ * length_ * kParts;
    double* const all = reals(x_.data());
    for (int64_t i = 0; i < size; ++i) {
      finite = finite && std::isfinite(all[i]);
      largest = std::max(largest, std::abs(all[i]));
    }
    std::iota(order_.begin(), order_.end(), 0);
    values_.assign(count_, finite ? 0 : std::numeric_limits<double>::quiet_NaN());
    finite_ = finite;
    rank_ = 0;
    if (turns_) {
      std::fill(w_.begin(), w_.end(), W(0));
      for (int64_t i = 0; i < count_; ++i) w_[i * count_ + i] = 1;
    }
    if (!finite || largest == 0) return;
    // Scaling by a power of two near the largest element keeps squares in range without loss of accuracy.
    const int exponent = std::ilogb(largest);
    for (int64_t i = 0; i < size; ++i) all[i] = std::ldexp(all[i], -exponent);
    for (int sweep = 0; sweep < kSweeps && turn_all(); ++sweep) {
    }
    for (int64_t i = 0; i < count_; ++i) values_[i] = std::sqrt(square_of(vector(i), length_));
    std::sort(order_.begin(), order_.end(), [&](int64_t i, int64_t k) { return values_[i] > values_[k]; });
    make_unit_vectors();
    for (double& value : values_) value = std::ldexp(value, exponent);
  }

  template <class T>
  void write_values(T* s) const {
    for (int64_t i = 0; i < count_; ++i) s[i] = static_cast<T>(values_[order_[i]]);
  }
  /// Writes the accumulated rotations as columns of a matrix [count, count].
  template <class T>
  void write_turns(T* out) const {
    for (int64_t i = 0; i < count_; ++i) {
      for (int64_t j = 0; j < count_; ++j) out[j * count_ + i] = entry<T>(w_[order_[i] * count_ + j]);
    }
  }
  /// Writes the unit vectors as columns of a matrix [length, columns], completed to an orthonormal system.
  template <class T>
  void write_vectors(T* out, int64_t columns) {
    std::vector<W> all(columns * length_);
    for (int64_t i = 0; i < columns; ++i) {
      W* to = &all[i * length_];
      if (i < rank_) {
        std::copy_n(vector(order_[i]), length_, to);
      } else {
        complete(all.data(), i);
      }
      for (int64_t j = 0; j < length_; ++j) out[j * columns + i] = entry<T>(to[j]);
    }
  }

 private:
  static constexpr int kSweeps = 60;      // convergence is quadratic: about ten are enough
  static constexpr double kPairCost = 6;  // nanoseconds per element
  static constexpr int64_t kParts = sizeof(W) / sizeof(double);

  static void turn(W* first, W* second, int64_t n, double c, double s) {
    double* __restrict__ x = reals(first);
    double* __restrict__ y = reals(second);
    for (int64_t i = 0; i < n * kParts; ++i) {
      const double old = x[i];
      x[i] = c * old - s * y[i];
      y[i] = s * old + c * y[i];
    }
  }

  W* vector(int64_t i) { return &x_[i * length_]; }
  template <class T>
  T entry(W value) const {
    return static_cast<T>(finite_ ? value : W(std::numeric_limits<double>::quiet_NaN()));
  }

  /// One sweep over all pairs. Returns whether any pair was not yet orthogonal.
  bool turn_all() {
    const double tolerance = std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(length_));
    bool turned = false;
    for (int64_t i = 0; i < count_; ++i) squares_[i] = square_of(vector(i), length_);
    for (int64_t i = 0; i + 1 < count_; ++i) {
      parallel_.run_in_order(count_ - i - 1, kPairCost * length_, [&](int64_t k, int64_t end) {
        for (k += i + 1, end += i + 1; k < end; ++k) turned |= turn_pair(i, k, tolerance);
      });
    }
    return turned;
  }

  /// Makes two vectors orthogonal. Returns false if they already were.
  bool turn_pair(int64_t i, int64_t k, double tolerance) {
    const W product = dot(vector(i), vector(k), length_);
    const double xx = squares_[i], yy = squares_[k], xy = real_product(product);
    if (std::abs(xy) <= tolerance * std::sqrt(xx) * std::sqrt(yy)) return false;
    const double zeta = (yy - xx) / (2 * xy);
    const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
    const double c = 1 / std::sqrt(1 + t * t), s = c * t;
    const W factor = conjugate(product) / xy;
    make_real(vector(k), length_, factor);
    turn(vector(i), vector(k), length_, c, s);
    if (turns_) {
      make_real(&w_[k * count_], count_, factor);
      turn(&w_[i * count_], &w_[k * count_], count_, c, s);
    }
    update_square(i, xx, -t * xy);
    update_square(k, yy, t * xy);
    return true;
  }

  /// Updates the squared length of a vector; recomputed if the sum would cancel.
  void update_square(int64_t i, double square, double change) {
    squares_[i] = change > -0.5 * square ? square + change : square_of(vector(i), length_);
  }

  /// Divides the vectors by their lengths, except vectors that consist of rounding errors, which `complete` replaces.
  void make_unit_vectors() {
    const double least = values_[order_[0]] * std::numeric_limits<double>::epsilon() * static_cast<double>(length_);
    while (rank_ < count_ && values_[order_[rank_]] > least) {
      W* x = vector(order_[rank_]);
      const double length = values_[order_[rank_]];
      for (int64_t j = 0; j < length_; ++j) x[j] /= length;
      ++rank_;
    }
  }

  /// Sets row `i` of `all` to a unit vector orthogonal to the rows before it, computed from the coordinate axis
  /// farthest from their span.
  void complete(W* all, int64_t i) const {
    std::vector<double> inside(length_);
    parallel_.run_in_order(i, static_cast<double>(length_), [&](int64_t k, int64_t end) {
      for (; k < end; ++k) {
        for (int64_t j = 0; j < length_; ++j) inside[j] += std::norm(all[k * length_ + j]);
      }
    });
    W* x = all + i * length_;
    std::fill_n(x, length_, W(0));
    x[std::min_element(inside.begin(), inside.end()) - inside.begin()] = 1;
    for (int pass = 0; pass < 2; ++pass) {  // the second pass removes rounding errors of the first
      parallel_.run_in_order(i, 2.0 * length_, [&](int64_t k, int64_t end) {
        for (; k < end; ++k) {
          const W* y = all + k * length_;
          const W part = dot(y, x, length_);
          for (int64_t j = 0; j < length_; ++j) x[j] -= part * y[j];
        }
      });
    }
    const double length = std::sqrt(square_of(x, length_));
    for (int64_t j = 0; j < length_; ++j) x[j] /= length;
  }

  Parallel& parallel_;
  const int64_t count_, length_;
  const bool turns_;
  bool finite_ = true;
  int64_t rank_ = 0;
  std::vector<W> x_, w_;
  std::vector<double> values_, squares_;
  std::vector<int64_t> order_;  // the vectors by decreasing length
};

template <class T>
class SvdKernel final : public Kernel {
 public:
  explicit SvdKernel(KernelInit& init)
      : compute_uv_(init.attr<bool>("compute_uv")), full_matrices_(init.attr<bool>("full_matrices")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (input.rank() < 2) return invalid_argument("Input tensor 0 must have rank >= 2");
    const int64_t m = input.dim(input.rank() - 2), n = input.dim(input.rank() - 1), p = std::min(m, n);
    const Dims batch = batch_of(input.shape(), 2);
    Shape values(batch);
    values.add_dim(p);
    const int64_t m_out = full_matrices_ ? m : p, n_out = full_matrices_ ? n : p;
    TINYTF_ASSIGN_OR_RETURN(Tensor * s, ctx.allocate_output(0, values));
    TINYTF_ASSIGN_OR_RETURN(Tensor * u, ctx.allocate_output(1, compute_uv_ ? matrices(batch, m, m_out) : Shape{0}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * v, ctx.allocate_output(2, compute_uv_ ? matrices(batch, n, n_out) : Shape{0}));
    if (s->num_elements() == 0 && u->num_elements() == 0 && v->num_elements() == 0) return Status();
    const T* a = input.data<T>();
    T* s_data = s->data<T>();
    T* u_data = u->data<T>();
    T* v_data = v->data<T>();
    const bool wide = m < n;
    const double cost =
        (sizeof(Wide<T>) / 8) * 30.0 * static_cast<double>(p) * static_cast<double>(p) * static_cast<double>(m + n);
    ctx.parallel().run(Shape(batch).num_elements(), 1, cost, [&](int64_t begin, int64_t end) {
      Jacobi<Wide<T>> jacobi(p, std::max(m, n), compute_uv_, ctx.parallel());
      for (int64_t i = begin; i < end; ++i) {
        // For a wide matrix the vectors are its rows, conjugated: those are the columns of v s u^H.
        jacobi.factorise(a + i * m * n, wide ? n : 1, wide ? 1 : n, wide);
        jacobi.write_values(s_data + i * p);
        if (!compute_uv_) continue;
        T* to_u = u_data + i * m * m_out;
        T* to_v = v_data + i * n * n_out;
        jacobi.write_turns(wide ? to_u : to_v);
        jacobi.write_vectors(wide ? to_v : to_u, wide ? n_out : m_out);
      }
    });
    return Status();
  }

 private:
  const bool compute_uv_, full_matrices_;
};

Status svd_shape(ShapeContext& c) {
  PartialShape input;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2, &input));
  if (!c.attr<bool>("compute_uv")) {
    c.set_output(1, PartialShape::vector(0));
    c.set_output(2, PartialShape::vector(0));
  }
  if (!input.known_rank()) return Status();
  const int64_t m = input.dim(-2), n = input.dim(-1), p = smaller_dim(m, n);
  const PartialShape batch = input.slice(0, -2);
  c.set_output(0, batch.concatenate(PartialShape::vector(p)));
  if (c.attr<bool>("compute_uv")) {
    const bool full = c.attr<bool>("full_matrices");
    c.set_output(1, batch.concatenate(PartialShape::matrix(m, full ? m : p)));
    c.set_output(2, batch.concatenate(PartialShape::matrix(n, full ? n : p)));
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(linalg_svd) {
  ops.op("Svd")
      .input("input: T")
      .output("s: T")
      .output("u: T")
      .output("v: T")
      .attr("compute_uv: bool = true")
      .attr("full_matrices: bool = false")
      .attr("T: {double, float, half, complex64, complex128}")
      .shape(svd_shape)
      .doc(
          "Computes the singular value decomposition input = u diag(s) adjoint(v) of matrices [..., m, n]. The "
          "singular values `s` [..., p], p = min(m, n), decrease; `u` [..., m, p] and `v` [..., n, p] have orthonormal "
          "columns, m and n of them with `full_matrices`. Without `compute_uv` u and v are empty; a matrix that is not "
          "finite gives NaN.");
  kernels.add_typed<SvdKernel, float, double, std::complex<float>, std::complex<double>>("Svd", "T");
}
