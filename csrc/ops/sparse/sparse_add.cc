#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "base/checked.h"
#include "base/read_once.h"
#include "base/wrapping.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

constexpr double kRowCost = 5;  // nanoseconds

/// Copies the rows of an index matrix, because the memory of a fed value may be changed concurrently.
std::vector<int64_t> read_rows(KernelContext& ctx, const Tensor& indices) {
  std::vector<int64_t> rows(static_cast<size_t>(indices.num_elements()));
  const auto* const from = indices.data<int64_t>();
  ctx.parallel().run(indices.num_elements(), 4096, 0.5, [&](int64_t i, int64_t end) {
    for (; i < end; ++i) rows[static_cast<size_t>(i)] = read_once(from + i);
  });
  return rows;
}

/// Merges two lists of index rows, assuming that they are sorted. A row that is in both lists is returned once.
class MergedRows {
 public:
  MergedRows(KernelContext& ctx, const Tensor& a, const Tensor& b)
      : rank_(static_cast<size_t>(a.dim(1))),
        a_(read_rows(ctx, a)),
        b_(read_rows(ctx, b)),
        a_end_(static_cast<size_t>(a.dim(0))),
        b_end_(static_cast<size_t>(b.dim(0))) {}

  bool at_end() const { return i_ == a_end_ && j_ == b_end_; }
  /// Positions of the next row in the lists; the end of a list that does not have it.
  struct Next {
    size_t a, b;
    const int64_t* row;
  };
  Next take() {
    const int order = compare();
    const Next next{order <= 0 ? i_ : a_end_, order >= 0 ? j_ : b_end_, (order <= 0 ? a_row() : b_row())};
    i_ += order <= 0 ? 1 : 0;
    j_ += order >= 0 ? 1 : 0;
    return next;
  }
  size_t rank() const { return rank_; }
  size_t a_end() const { return a_end_; }
  size_t b_end() const { return b_end_; }

 private:
  const int64_t* a_row() const { return a_.data() + i_ * rank_; }
  const int64_t* b_row() const { return b_.data() + j_ * rank_; }
  int compare() const {
    if (i_ == a_end_) return 1;
    if (j_ == b_end_) return -1;
    const auto *x = a_row(), *y = b_row();
    for (size_t d = 0; d < rank_; ++d) {
      if (x[d] != y[d]) return x[d] < y[d] ? -1 : 1;
    }
    return 0;
  }

  const size_t rank_;
  const std::vector<int64_t> a_, b_;
  const size_t a_end_, b_end_;
  size_t i_ = 0, j_ = 0;
};

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};

template <class T>
class SparseAddKernel final : public Kernel {
  using Real = typename RealOf<T>::Type;

 public:
  explicit SparseAddKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check(ctx));
    const Real threshold = *ctx.input(6).data<Real>();
    MergedRows rows(ctx, ctx.input(0), ctx.input(3));
    const T *x = ctx.input(1).data<T>(), *y = ctx.input(4).data<T>();
    std::vector<int64_t> indices;
    std::vector<T> values;
    const Size steps = Size(ctx.input(1).dim(0)) + ctx.input(4).dim(0);
    ctx.parallel().run_in_order(steps.value(), kRowCost, [&](int64_t k, int64_t end) {
      for (; k < end && !rows.at_end(); ++k) {
        const auto next = rows.take();
        const bool in_a = next.a != rows.a_end(), in_b = next.b != rows.b_end();
        const T sum = in_a && in_b ? wrapping_add(x[next.a], y[next.b]) : in_a ? x[next.a] : y[next.b];
        if (in_a && in_b && !reaches(sum, threshold)) continue;
        indices.insert(indices.end(), next.row, next.row + rows.rank());
        values.push_back(sum);
      }
    });
    const auto n = static_cast<int64_t>(values.size()), rank = static_cast<int64_t>(rows.rank());
    TINYTF_ASSIGN_OR_RETURN(Tensor * sum_indices, ctx.allocate_output(0, Shape({n, rank})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * sum_values, ctx.allocate_output(1, Shape({n})));
    std::copy(indices.begin(), indices.end(), sum_indices->data<int64_t>());
    std::copy(values.begin(), values.end(), sum_values->data<T>());
    ctx.set_output(2, ctx.input(2));
    return Status();
  }

 private:
  static bool reaches(const T& sum, Real threshold) {
    if constexpr (std::is_integral_v<T>) {
      return threshold <= 0 || sum >= threshold || sum <= static_cast<T>(-threshold);
    } else {
      return std::abs(sum) >= threshold;
    }
  }

  static Status check(KernelContext& ctx) {
    const Tensor &a = ctx.input(0), &x = ctx.input(1), &a_shape = ctx.input(2);
    const Tensor &b = ctx.input(3), &y = ctx.input(4), &b_shape = ctx.input(5), &threshold = ctx.input(6);
    if (a.rank() != 2 || b.rank() != 2) {
      return invalid_argument("Input indices should be matrices but received shapes: ", a.shape().to_string(), " and ",
                              b.shape().to_string());
    }
    if (x.rank() != 1 || y.rank() != 1) {
      return invalid_argument("Input values should be vectors but received shapes: ", x.shape().to_string(), " and ",
                              y.shape().to_string());
    }
    if (x.dim(0) != a.dim(0) || y.dim(0) != b.dim(0)) {
      return invalid_argument("Expected ", a.dim(0), " and ", b.dim(0), " non-empty input values, got ", x.dim(0),
                              " and ", y.dim(0));
    }
    if (a_shape.rank() != 1 || b_shape.rank() != 1) {
      return invalid_argument("Input shapes should be a vector but received shapes ", a_shape.shape().to_string(),
                              " and ", b_shape.shape().to_string());
    }
    if (a_shape.dim(0) != b_shape.dim(0)) {
      return invalid_argument("Operands do not have the same ranks; got shapes: ", sizes_text(a_shape), " and ",
                              sizes_text(b_shape));
    }
    for (int64_t d = 0; d < a_shape.dim(0); ++d) {
      if (a_shape.int_at(d) != b_shape.int_at(d)) {
        return invalid_argument("Operands' shapes do not match: got ", a_shape.int_at(d), " and ", b_shape.int_at(d),
                                " for dimension ", d);
      }
    }
    if (a.dim(1) != a_shape.dim(0) || b.dim(1) != a_shape.dim(0)) {
      return invalid_argument("Input indices should have a column for each dimension but received shapes: ",
                              a.shape().to_string(), " and ", b.shape().to_string());
    }
    if (threshold.rank() != 0) {
      return invalid_argument("The magnitude threshold must be a scalar: got shape ", threshold.shape().to_string());
    }
    return Status();
  }

  static std::string sizes_text(const Tensor& shape) {
    constexpr int64_t kMost = 10;
    std::string text;
    for (int64_t d = 0; d < std::min(shape.dim(0), kMost); ++d) text += str_cat(d > 0 ? " " : "", shape.int_at(d));
    return shape.dim(0) > kMost ? text + "..." : text;
  }
};

template <class T>
class SparseAddGradKernel final : public Kernel {
 public:
  explicit SparseAddGradKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &grad = ctx.input(0), &a = ctx.input(1), &b = ctx.input(2), &sum = ctx.input(3);
    TINYTF_RETURN_IF_ERROR(check(grad, a, b, sum));
    TINYTF_ASSIGN_OR_RETURN(Tensor * a_grad, ctx.allocate_output(0, Shape({a.dim(0)})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * b_grad, ctx.allocate_output(1, Shape({b.dim(0)})));
    T *x = a_grad->data<T>(), *y = b_grad->data<T>();
    std::fill(x, x + a.dim(0), T(0));
    std::fill(y, y + b.dim(0), T(0));
    MergedRows rows(ctx, a, b);
    const std::vector<int64_t> sums = read_rows(ctx, sum);
    const auto count = static_cast<size_t>(sum.dim(0));
    size_t at = 0;
    const Size steps = Size(a.dim(0)) + b.dim(0);
    ctx.parallel().run_in_order(steps.value(), kRowCost, [&](int64_t k, int64_t end) {
      for (; k < end && at < count && !rows.at_end(); ++k) {
        const auto next = rows.take();
        if (!std::equal(next.row, next.row + rows.rank(), sums.data() + at * rows.rank())) continue;
        if (next.a != rows.a_end()) x[next.a] = grad.data<T>()[at];
        if (next.b != rows.b_end()) y[next.b] = grad.data<T>()[at];
        ++at;
      }
    });
    return Status();
  }

 private:
  static Status check(const Tensor& grad, const Tensor& a, const Tensor& b, const Tensor& sum) {
    if (a.rank() != 2 || b.rank() != 2 || sum.rank() != 2) {
      return invalid_argument("Input indices should be matrices but received shapes: ", a.shape().to_string(), " and ",
                              b.shape().to_string(), " and ", sum.shape().to_string());
    }
    if (grad.rank() != 1) {
      return invalid_argument("Input backprop_val_grad should be a vector but received shape: ",
                              grad.shape().to_string());
    }
    if (a.dim(1) != b.dim(1) || b.dim(1) != sum.dim(1)) {
      return invalid_argument("The densified operands should have the same ndims; for A, B, sum got: ", a.dim(1),
                              b.dim(1), sum.dim(1));
    }
    if (grad.dim(0) != sum.dim(0)) {
      return invalid_argument(
          "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got ", grad.dim(0),
          " and ", sum.dim(0));
    }
    return Status();
  }
};

Status sparse_add_shape(ShapeContext& c) {
  PartialShape shape;
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1, &shape));
  c.set_output(0, PartialShape::matrix(kUnknownDim, shape.dim(0)));
  c.set_output(1, PartialShape::vector(kUnknownDim));
  c.set_output(2, shape.known_rank() ? shape : PartialShape::vector(kUnknownDim));
  return Status();
}

Status sparse_add_grad_shape(ShapeContext& c) {
  for (int i = 0; i < 2; ++i) {
    PartialShape indices;
    TINYTF_RETURN_IF_ERROR(c.with_rank(i + 1, 2, &indices));
    c.set_output(i, PartialShape::vector(indices.dim(0)));
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_sparse_add) {
  using namespace tinytf::ops;
  ops.op("SparseAdd")
      .input("a_indices: int64")
      .input("a_values: T")
      .input("a_shape: int64")
      .input("b_indices: int64")
      .input("b_values: T")
      .input("b_shape: int64")
      .input("thresh: Treal")
      .output("sum_indices: int64")
      .output("sum_values: T")
      .output("sum_shape: int64")
      .attr("T: numbertype")
      .attr("Treal: realnumbertype")
      .shape(sparse_add_shape)
      .doc(
          "Adds two SparseTensors of equal shapes, whose elements must be sorted by their indices. Sums of two "
          "elements with absolute values below `thresh` are left out.");
  ops.op("SparseAddGrad")
      .input("backprop_val_grad: T")
      .input("a_indices: int64")
      .input("b_indices: int64")
      .input("sum_indices: int64")
      .output("a_val_grad: T")
      .output("b_val_grad: T")
      .attr("T: numbertype")
      .shape(sparse_add_grad_shape)
      .not_differentiable()
      .doc(
          "Computes the gradients of SparseAdd with respect to the values of both SparseTensors, from the gradient "
          "`backprop_val_grad` with respect to the values of the sum.");
  kernels.add_typed<SparseAddGradKernel, float, double, int32_t, int64_t, int16_t, int8_t, std::complex<float>,
                    std::complex<double>>("SparseAddGrad", "T");
  const auto add = [&](auto type) {
    using T = decltype(type);
    kernels.add<SparseAddKernel<T>>("SparseAdd")
        .where("T", {tinytf::dtype_of<T>})
        .where("Treal", {tinytf::dtype_of<typename RealOf<T>::Type>});
  };
  add(float());
  add(double());
  add(int32_t());
  add(int64_t());
  add(int16_t());
  add(int8_t());
  add(std::complex<float>());
  add(std::complex<double>());
}
