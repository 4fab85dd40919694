#pragma once

#include <string>
#include <vector>

#include "ops/data_flow/shared/accumulator.h"

namespace tinytf::ops {

/// A gradient with only some of its rows: row i of `values` is row indices[i] of the gradient.
struct SparseGradient {
  const Tensor& indices;  ///< int64, [n], ascending
  const Tensor& values;   ///< [n, …]
  const Tensor* shape;    ///< int64 shape of the whole gradient; null if unknown
};

/// An accumulator of sparse gradients. The mean of a row is over the gradients that have this row.
class SparseAccumulator final : public Accumulator {
 public:
  static constexpr bool kIsSparse = true;

  SparseAccumulator(std::string name, DType dtype, PartialShape shape, bool takes_mean)
      : Accumulator(std::move(name), dtype, std::move(shape), takes_mean, kIsSparse) {}

  /// Adds the gradient of a step, or drops it if it is too old. InvalidArgument if its shape does not fit.
  Status apply(const KernelContext& ctx, int64_t step, const SparseGradient& gradient);
  std::string debug_string() const override { return "SparseConditionalAccumulator '" + name_ + "'"; }

 private:
  Status check(const SparseGradient& gradient) const;
  Status check_shape(const Tensor& shape) const;
  Status check_rows(const Tensor& values) const;
  Status add(const KernelContext& ctx, const SparseGradient& gradient);
  Status yield(GradientTake& use, int64_t count) override;
  Status hand_out(GradientTake& use) override;

  // Guarded by the mutex. For each row of the sum: its values, the number of gradients that have it, and its index.
  Tensor sum_;
  std::vector<int64_t> counts_;
  std::vector<int64_t> indices_;
};

}  // namespace tinytf::ops
