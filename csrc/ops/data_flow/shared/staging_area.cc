#include "ops/data_flow/shared/staging_area.h"

#include "op/kept_value.h"

namespace tinytf::ops {

namespace {

using Kind = StagingUse::Kind;

/// Checks that the outputs of the node match the tuple.
Status check_outputs(const KernelContext& ctx, const std::vector<Tensor>& tuple) {
  if (static_cast<int>(tuple.size()) != ctx.num_outputs()) {
    return invalid_argument("Mismatch stage/unstage: ", tuple.size(), " vs. ", ctx.num_outputs());
  }
  for (size_t i = 0; i < tuple.size(); ++i) {
    const DType wanted = ctx.node().outputs[i].dtype;
    if (tuple[i].dtype() == wanted) continue;
    return invalid_argument("Mismatch stage/unstage: ", dtype_name(tuple[i].dtype()), " vs. ", dtype_name(wanted));
  }
  return Status();
}

}  // namespace

void StagingArea::put(KernelContext& ctx, Done done) {
  StagingUse use{&ctx, std::move(done), Kind::kPut};
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    Result<Tensor> kept = kept_value(ctx, ctx.input(i));
    if (!kept.ok()) return use.done(kept.status());
    use.tuple.push_back(kept.take());
  }
  use.bytes = counted_bytes(use.tuple);
  if (memory_limit_ > 0 && use.bytes > memory_limit_) {
    return use.done(Status(Code::kResourceExhausted,
                           str_cat("Attempted to insert tensors with combined size of '", use.bytes,
                                   "' bytes into Staging Area with a memory limit of '", memory_limit_, "'.")));
  }
  submit(std::move(use));
}

void StagingArea::take(KernelContext& ctx, Done done) { submit({&ctx, std::move(done), Kind::kTake}); }

void StagingArea::peek(KernelContext& ctx, int64_t index, Done done) {
  submit({&ctx, std::move(done), Kind::kPeek, index});
}

bool StagingArea::serve(StagingUse& use) {
  const auto size = static_cast<int64_t>(tuples_.size());
  if (use.kind == Kind::kPut) {
    const bool is_full =
        (capacity_ > 0 && size >= capacity_) || (memory_limit_ > 0 && bytes_ > memory_limit_ - use.bytes);
    if (is_full) return false;
    tuples_.push_back(std::move(use.tuple));
    bytes_ += use.bytes;
    return true;
  }
  if (use.index >= size) return false;
  Tuple& tuple = tuples_[static_cast<size_t>(use.index)];
  use.status = check_outputs(*use.ctx, tuple);
  if (!use.status.ok()) return true;
  if (use.kind == Kind::kPeek) {
    use.tuple = tuple;
  } else {
    bytes_ -= counted_bytes(tuple);
    use.tuple = std::move(tuple);
    tuples_.pop_front();
  }
  return true;
}

Status StagingArea::hand_out(StagingUse& use) {
  if (use.kind == Kind::kPut) return Status();
  for (size_t i = 0; i < use.tuple.size(); ++i) use.ctx->set_output(static_cast<int>(i), std::move(use.tuple[i]));
  return Status();
}

int64_t StagingArea::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(tuples_.size());
}

void StagingArea::clear() {
  std::deque<Tuple> tuples;  // released without the lock
  change_and_serve([&] {
    tuples.swap(tuples_);
    bytes_ = 0;
  });
}

}  // namespace tinytf::ops
