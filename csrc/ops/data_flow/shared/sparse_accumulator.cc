#include "ops/data_flow/shared/sparse_accumulator.h"

#include <utility>

namespace tinytf::ops {

namespace {

template <class... Parts>
Status gradient_misfit(const Parts&... parts) {
  return invalid_argument("Shape mismatch: ", parts...);
}

int64_t row_size(const Tensor& values) { return values.shape().product(1, values.rank()); }

}  // namespace

Status SparseAccumulator::check_shape(const Tensor& shape) const {
  if (shape_.rank() > shape.num_elements()) {
    return gradient_misfit("expected shape rank at least ", shape_.rank(), ", got ", shape.num_elements());
  }
  for (int d = 0; d < shape_.rank(); ++d) {
    const int64_t given = shape.int_at(d);
    if (shape_.dim(d) != kUnknownDim && shape_.dim(d) != given) {
      return gradient_misfit("expected shape dim ", d, " to be ", shape_.dim(d), ", got ", given);
    }
  }
  return Status();
}

Status SparseAccumulator::check_rows(const Tensor& values) const {
  if (!is_empty()) {
    if (sum_.rank() != values.rank())
      return gradient_misfit("expected values rank ", sum_.rank(), ", got ", values.rank());
    for (int d = 1; d < sum_.rank(); ++d) {
      if (sum_.dim(d) == values.dim(d)) continue;
      return gradient_misfit("expected values dim ", d, " to be ", sum_.dim(d), ", got ", values.dim(d));
    }
    return Status();
  }
  if (shape_.rank() > values.rank()) {
    return gradient_misfit("expected values rank at least ", shape_.rank(), ", got ", values.rank());
  }
  for (int d = 1; d < shape_.rank(); ++d) {
    if (shape_.dim(d) == kUnknownDim || shape_.dim(d) == values.dim(d)) continue;
    return gradient_misfit("expected values dim ", d, " to be ", shape_.dim(d), ", got ", values.dim(d));
  }
  return Status();
}

Status SparseAccumulator::check(const SparseGradient& gradient) const {
  const Tensor &indices = gradient.indices, &values = gradient.values;
  if (indices.rank() != 1) {
    return invalid_argument("Input indices should be vector but received shape: ", indices.shape().to_string());
  }
  if (values.rank() == 0) return invalid_argument("Values cannot be 0-dimensional.");
  if (values.dim(0) != indices.dim(0)) {
    return invalid_argument("Expected ", indices.dim(0), " non-empty input values, got ", values.dim(0));
  }
  if (gradient.shape != nullptr) TINYTF_RETURN_IF_ERROR(check_shape(*gradient.shape));
  const int64_t rows = shape_.rank() > 0 ? shape_.dim(0) : kUnknownDim;
  for (int64_t i = 0; rows != kUnknownDim && i < indices.num_elements(); ++i) {
    const int64_t index = indices.int_at(i);
    if (index < rows) continue;
    return gradient_misfit("index of slice ", i, " exceeded limits of shape; index is ", index, " exceeded ", rows);
  }
  return check_rows(values);
}

Status SparseAccumulator::apply(const KernelContext& ctx, int64_t step, const SparseGradient& gradient) {
  return add_gradient(step, [&]() -> Status {
    TINYTF_RETURN_IF_ERROR(check(gradient));
    return add(ctx, gradient);
  });
}

/// Merges the rows of the sum with the rows of the gradient, which are both sorted. As in TensorFlow, unsorted rows
/// stay in the order in which the merge meets them.
Status SparseAccumulator::add(const KernelContext& ctx, const SparseGradient& gradient) {
  const int64_t old_rows = is_empty() ? 0 : static_cast<int64_t>(indices_.size());
  const int64_t new_rows = gradient.indices.num_elements();
  /// The row of the old sum and the row of the gradient that make up a row of the new sum (-1 for none), and its index.
  struct Source {
    int64_t old_row, new_row, index;
  };
  std::vector<Source> sources;
  sources.reserve(static_cast<size_t>(old_rows + new_rows));
  for (int64_t i = 0, j = 0; i < old_rows || j < new_rows;) {
    const int64_t old_index = i < old_rows ? indices_[static_cast<size_t>(i)] : INT64_MAX;
    const int64_t new_index = j < new_rows ? gradient.indices.int_at(j) : INT64_MAX;
    const bool takes_old = i < old_rows && (j == new_rows || old_index <= new_index);
    const bool takes_new = j < new_rows && (i == old_rows || new_index <= old_index);
    sources.push_back({takes_old ? i++ : -1, takes_new ? j++ : -1, takes_old ? old_index : new_index});
  }
  Shape shape = gradient.values.shape();
  shape.set_dim(0, static_cast<int64_t>(sources.size()));
  TINYTF_ASSIGN_OR_RETURN(Tensor sum, Tensor::allocate(ctx.allocator(), dtype_, shape));
  std::vector<int64_t> indices(sources.size()), counts(sources.size());
  const int64_t width = row_size(gradient.values);
  for (size_t row = 0; row < sources.size(); ++row) {
    const auto [i, j, index] = sources[row];
    const int64_t begin = static_cast<int64_t>(row) * width;
    indices[row] = index;
    counts[row] = (i >= 0 ? counts_[static_cast<size_t>(i)] : 0) + (j >= 0 ? 1 : 0);
    copy_elements(i >= 0 ? sum_ : gradient.values, (i >= 0 ? i : j) * width, sum, begin, width);
    if (i >= 0 && j >= 0) add_elements(sum, begin, gradient.values, j * width, width);
  }
  sum_ = std::move(sum);
  indices_ = std::move(indices);
  counts_ = std::move(counts);
  return Status();
}

/// Allocates the outputs before anything changes.
Status SparseAccumulator::yield(GradientTake& use, int64_t /*count*/) {
  TINYTF_RETURN_IF_ERROR(use.ctx->allocate_output(0, Shape({static_cast<int64_t>(indices_.size())})).status());
  TINYTF_RETURN_IF_ERROR(use.ctx->allocate_output(2, Shape({sum_.rank()})).status());
  const int64_t width = row_size(sum_);
  for (size_t row = 0; takes_mean_ && row < counts_.size(); ++row) {
    divide_elements(sum_, static_cast<int64_t>(row) * width, width, counts_[row]);
  }
  use.sum = std::exchange(sum_, Tensor());
  use.indices.swap(indices_);
  return Status();
}

/// Must not fail, because the result would be lost.
Status SparseAccumulator::hand_out(GradientTake& use) {
  KernelContext& ctx = *use.ctx;
  std::copy(use.indices.begin(), use.indices.end(), ctx.output(0).tensor.data<int64_t>());
  auto* sizes = ctx.output(2).tensor.data<int64_t>();
  sizes[0] = shape_.rank() > 0 ? shape_.dim(0) : -1;  // unknown unless declared
  std::copy(use.sum.shape().dims().begin() + 1, use.sum.shape().dims().end(), sizes + 1);
  ctx.set_output(1, std::move(use.sum));
  return Status();
}

}  // namespace tinytf::ops
