#include "ops/data_flow/staging_area.h"

#include <algorithm>
#include <utility>

namespace tinytf::ops {

namespace {

/// Bytes that count against a limit of memory.
int64_t bytes_of(const std::vector<Tensor>& tuple) {
  int64_t bytes = 0;
  for (const Tensor& tensor : tuple) bytes += tensor.num_elements() * static_cast<int64_t>(dtype_size(tensor.dtype()));
  return bytes;
}

Status cancelled() { return Status(Code::kCancelled, "Staging operation was cancelled"); }

/// Whether the node yields such a tuple.
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
  Attempt attempt{Kind::kPut, &ctx, std::move(done)};
  for (int i = 0; i < ctx.num_inputs() && attempt.status.ok(); ++i) {
    attempt.tuple.push_back(ctx.input(i));
    Tensor& kept = attempt.tuple.back();
    if (!kept.buffer() || kept.buffer()->writable()) continue;
    Result<Tensor> own = kept.clone(ctx.allocator());  // its owner may change it later
    attempt.status = own.status();
    if (own.ok()) kept = own.take();
  }
  attempt.bytes = bytes_of(attempt.tuple);
  if (attempt.status.ok() && memory_limit_ > 0 && attempt.bytes > memory_limit_) {
    attempt.status = Status(Code::kResourceExhausted,
                            str_cat("Attempted to insert tensors with combined size of '", attempt.bytes,
                                    "' bytes into Staging Area with a memory limit of '", memory_limit_, "'."));
  }
  attempt.status.ok() ? submit(std::move(attempt)) : attempt.done(std::move(attempt.status));
}

void StagingArea::take(KernelContext& ctx, Done done) { submit({Kind::kTake, &ctx, std::move(done)}); }

void StagingArea::peek(KernelContext& ctx, int64_t index, Done done) {
  submit({Kind::kPeek, &ctx, std::move(done), index});
}

void StagingArea::submit(Attempt attempt) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    line_.push_back(std::move(attempt));
    Attempt& last = line_.back();
    // The callback takes the lock, which is held here: it cannot see the attempt before its token is known.
    last.registered = last.ctx->step().cancellation->on_cancel(
        &last.token, [self = RefPtr<StagingArea>::share(this), waiting = &last] { self->cancel(waiting); });
    if (last.registered) {
      serve_line(finished);
    } else {
      last.status = cancelled();
      finished.splice(finished.end(), line_, std::prev(line_.end()));
    }
  }
  deliver(finished);
}

/// Whether it is done, well or not. With the lock held.
bool StagingArea::serve(Attempt& attempt) {
  const auto size = static_cast<int64_t>(tuples_.size());
  if (attempt.kind == Kind::kPut) {
    const bool is_full =
        (capacity_ > 0 && size >= capacity_) || (memory_limit_ > 0 && bytes_ > memory_limit_ - attempt.bytes);
    if (is_full) return false;
    bytes_ += attempt.bytes;
    tuples_.push_back(std::move(attempt.tuple));
    return true;
  }
  if (attempt.index >= size) return false;
  Tuple& tuple = tuples_[static_cast<size_t>(attempt.index)];
  attempt.status = check_outputs(*attempt.ctx, tuple);
  if (attempt.kind == Kind::kPeek) {
    attempt.tuple = tuple;
  } else {
    bytes_ -= bytes_of(tuple);
    attempt.tuple = std::move(tuple);
    tuples_.pop_front();
  }
  return true;
}

/// Each kind is served in turn; one that waits does not hold up the others.
void StagingArea::serve_line(Line& finished) {
  for (bool progress = true; progress;) {
    progress = false;
    bool waits[] = {false, false, false};
    for (auto next = line_.begin(); next != line_.end();) {
      const auto attempt = next++;
      bool& is_held_up = waits[static_cast<size_t>(attempt->kind)];
      if (is_held_up && attempt->kind != Kind::kPeek) continue;
      if (serve(*attempt)) {
        finished.splice(finished.end(), line_, attempt);
        progress = true;
      } else {
        is_held_up = true;
      }
    }
  }
}

void StagingArea::cancel(const Attempt* attempt) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    const auto found = std::find_if(line_.begin(), line_.end(), [attempt](const Attempt& a) { return &a == attempt; });
    if (found == line_.end()) return;
    found->status = cancelled();
    finished.splice(finished.end(), line_, found);
    serve_line(finished);
  }
  deliver(finished);
}

int64_t StagingArea::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<int64_t>(tuples_.size());
}

void StagingArea::clear() {
  std::deque<Tuple> tuples;  // dropped without the lock
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    tuples.swap(tuples_);
    bytes_ = 0;
    serve_line(finished);
  }
  deliver(finished);
}

void StagingArea::forget_attempts_of_parent() {
  renewal_.run_if_due([this] { line_.clear(); });
}

void StagingArea::deliver(Line& finished) {
  for (Attempt& attempt : finished) {
    if (attempt.registered) attempt.ctx->step().cancellation->remove(attempt.token);
    if (attempt.status.ok() && attempt.kind != Kind::kPut) {
      for (size_t i = 0; i < attempt.tuple.size(); ++i) {
        attempt.ctx->set_output(static_cast<int>(i), std::move(attempt.tuple[i]));
      }
    }
    attempt.tuple.clear();
    attempt.done(std::move(attempt.status));
  }
}

}  // namespace tinytf::ops
