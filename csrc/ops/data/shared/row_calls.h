#pragma once

#include <memory>
#include <utility>

#include "data/batch_rows.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// Calls a function with the elements of an input, on the consumer's thread. If the function is made of element-wise
/// ops and batches are wanted, it is called once for each batch. If such a call fails, it is called for each row, to
/// find the one that fails.
class RowCalls {
 public:
  /// `spec`: of the input's elements; must outlive this object.
  RowCalls(const ElementSpec& spec, IteratorPtr input, std::unique_ptr<data::BoundFunction> function)
      : spec_(spec), input_(std::move(input)), function_(std::move(function)), maps_rows_(function_->maps_rows(spec)) {}

  /// Calls the function with the next element: kElement with `called`, the status of the call, and the results in
  /// `element`. An error is one of the input.
  Result<Pulled> pull(PullContext& ctx, Element& element, Status& called);

  /// Whether pull_batch may be called.
  bool makes_batches() const { return maps_rows_ && next_row_ == num_rows(); }
  /// Calls the function with the next elements, at most `most` of them. Sets `results` to a batch, or to nothing if
  /// there are no elements, or if pull() has to call the function for each. kEnd: the input has ended behind them.
  /// After an error, `lost` is the number of elements that were taken from the input, the failing one included.
  Result<Pulled> pull_batch(PullContext& ctx, int64_t most, Element& results, int64_t& lost);

  Status save(IteratorContext& ctx, StateWriter& state);
  Status restore(IteratorContext& ctx, StateReader& state);

 private:
  int64_t num_rows() const { return block_.empty() ? 0 : block_[0].dim(0); }
  /// Whether the block has the spec that the input's dataset declares.
  bool has_spec() const;
  Status take_row(Element& element);

  const ElementSpec& spec_;
  const IteratorPtr input_;
  const std::unique_ptr<data::BoundFunction> function_;
  const bool maps_rows_;
  data::BatchRows arguments_;  // Of the next call with rows, while the input is pending.
  Element block_;              // Arguments for which the call failed. Their rows are passed one by one.
  int64_t next_row_ = 0;
};

}  // namespace tinytf::ops
