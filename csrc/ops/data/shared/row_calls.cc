#include "ops/data/shared/row_calls.h"

#include "data/saved_rows.h"

namespace tinytf::ops {

Result<Pulled> RowCalls::pull(PullContext& ctx, Element& element, Status& called) {
  if (next_row_ < num_rows()) {
    TINYTF_RETURN_IF_ERROR(take_row(element));
  } else {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input_->next(ctx, element));
    if (pulled != Pulled::kElement) return pulled;
  }
  called = function_->run(ctx, element);
  return Pulled::kElement;
}

Result<Pulled> RowCalls::pull_batch(PullContext& ctx, int64_t most, Element& results, int64_t& lost) {
  results.clear();
  const Result<Pulled> pulled = input_->next_rows(ctx, most, arguments_);
  const bool is_pending = pulled.ok() && pulled.value() == Pulled::kPending;
  if (is_pending || (pulled.ok() && arguments_.collected() == 0)) return pulled;
  const Status error = pulled.ok() ? arguments_.error() : pulled.status();
  if (!error.ok()) {
    lost = arguments_.collected() + (pulled.ok() ? 0 : 1);
    arguments_.clear();
    return error;
  }
  TINYTF_RETURN_IF_ERROR(arguments_.take(block_));
  results = block_;
  if (!has_spec() || !function_->run_rows(ctx, results).ok()) {
    next_row_ = 0;
    results.clear();
    return Pulled::kElement;
  }
  block_.clear();
  return pulled;
}

Status RowCalls::save(IteratorContext& ctx, StateWriter& state) {
  TINYTF_RETURN_IF_ERROR(arguments_.error());
  TINYTF_RETURN_IF_ERROR(data::save_rows(ctx, state, arguments_));
  state.put_int("next_row", next_row_);
  state.put_int("has_block", !block_.empty());
  TINYTF_RETURN_IF_ERROR(state.put_element("block", block_));
  TINYTF_RETURN_IF_ERROR(function_->save(state));
  StateWriter input = state.inside("input");
  return input_->save(ctx, input);
}

Status RowCalls::restore(IteratorContext& ctx, StateReader& state) {
  TINYTF_RETURN_IF_ERROR(data::restore_rows(ctx, state, spec_, INT64_MAX, arguments_));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_block, state.get_int("has_block", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(block_, state.get_element("block", has_block != 0 ? data::batches_of(spec_) : ElementSpec()));
  if (!data::has_rows(block_)) {
    return Status(Code::kDataLoss, "The saved position of the iterator has a damaged block");
  }
  TINYTF_ASSIGN_OR_RETURN(next_row_, state.get_int("next_row", 0, num_rows()));
  TINYTF_RETURN_IF_ERROR(function_->restore(state));
  StateReader input = state.inside("input");
  return input_->restore(ctx, input);
}

bool RowCalls::has_spec() const {
  if (block_.size() != spec_.types.size()) return false;
  for (size_t i = 0; i < block_.size(); ++i) {
    const PartialShape batch = PartialShape::vector(num_rows()).concatenate(spec_.shapes[i]);
    if (block_[i].dtype() != spec_.types[i] || !batch.compatible_with(block_[i].shape())) return false;
  }
  return true;
}

Status RowCalls::take_row(Element& element) {
  element.resize(block_.size());
  for (size_t i = 0; i < block_.size(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(const Tensor row, block_[i].rows(next_row_, next_row_ + 1));
    element[i] = row.reshaped(Shape(Dims(row.shape().dims().begin() + 1, row.shape().dims().end())));
  }
  if (++next_row_ == num_rows()) {
    block_.clear();
    next_row_ = 0;
  }
  return Status();
}

}  // namespace tinytf::ops
