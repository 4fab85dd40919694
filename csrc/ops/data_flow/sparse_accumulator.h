#pragma once

#include <string>
#include <vector>

#include "ops/data_flow/accumulator.h"

namespace tinytf::ops {

/// Gradients of which each has some rows only: row i of `values` is row indices[i] of the gradient.
struct SparseGradient {
  const Tensor& indices;  ///< int64, [n], ascending
  const Tensor& values;   ///< [n, …]
  const Tensor* shape;    ///< int64, of the gradient; null if nobody says
};

/// A sum of such gradients. A mean is over those that have the row, not over all.
class SparseAccumulator final : public Accumulator {
 public:
  static constexpr bool kIsSparse = true;

  SparseAccumulator(std::string name, DType dtype, PartialShape shape, bool takes_mean)
      : Accumulator(std::move(name), dtype, std::move(shape), takes_mean, kIsSparse) {}

  /// Adds the gradient of a step, or drops it. InvalidArgument if it does not fit.
  Status apply(const KernelContext& ctx, int64_t step, const SparseGradient& gradient);
  std::string debug_string() const override { return "SparseConditionalAccumulator '" + name_ + "'"; }

 private:
  Status check(const SparseGradient& gradient) const;
  Status check_shape(const Tensor& shape) const;
  Status check_rows(const Tensor& values) const;
  Status add(const KernelContext& ctx, const SparseGradient& gradient);
  Status yield(GradientTake& use, int64_t count) override;
  Status hand_out(GradientTake& use) override;

  // Under the mutex. Row i of the sum, the gradients that have it, and which row it is.
  Tensor sum_;
  std::vector<int64_t> counts_;
  std::vector<int64_t> indices_;
};

}  // namespace tinytf::ops
