#include "ops/data_flow/accumulator.h"

#include <algorithm>
#include <utility>

namespace tinytf::ops {

namespace {

template <class T, class Compute>
void update(Tensor& sum, Compute compute) {
  T* values = sum.data<T>();
  for (int64_t i = 0, n = sum.num_elements(); i < n; ++i) values[i] = compute(values[i], i);
}

void add(Tensor& sum, const Tensor& more) {
  switch (sum.dtype()) {
    case DType::kFloat:
      return update<float>(sum, [more = more.data<float>()](float x, int64_t i) { return x + more[i]; });
    case DType::kDouble:
      return update<double>(sum, [more = more.data<double>()](double x, int64_t i) { return x + more[i]; });
    default:
      return update<Half>(sum, [more = more.data<Half>()](Half x, int64_t i) {
        return Half(static_cast<float>(x) + static_cast<float>(more[i]));
      });
  }
}

void divide(Tensor& sum, int64_t count) {
  switch (sum.dtype()) {
    case DType::kFloat: return update<float>(sum, [n = static_cast<float>(count)](float x, int64_t) { return x / n; });
    case DType::kDouble:
      return update<double>(sum, [n = static_cast<double>(count)](double x, int64_t) { return x / n; });
    default:
      return update<Half>(sum, [n = static_cast<float>(Half(static_cast<float>(count)))](Half x, int64_t) {
        return Half(static_cast<float>(x) / n);
      });
  }
}

Status cancelled() { return Status(Code::kCancelled, "TakeGrad operation was cancelled"); }

}  // namespace

Accumulator::~Accumulator() {
  // As for queues: the step of a waiting taking keeps the accumulator alive; of those found here there is no more.
  forget_attempts_of_parent();
  for (Attempt& attempt : line_) attempt.done(cancelled());
}

Status Accumulator::check_shape(const Shape& shape) const {
  const auto misfit = [&shape](const std::string& expected) {
    return invalid_argument("Shape mismatch: expected ", expected, ", got ", shape.to_string());
  };
  if (count_ > 0 && !(sum_.shape() == shape)) return misfit(sum_.shape().to_string());
  return shape_.merge(PartialShape(shape)).ok() ? Status() : misfit(shape_.to_string());
}

Status Accumulator::apply(KernelContext& ctx, int64_t step, const Tensor& gradient) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    if (step < global_step_) return Status();
    TINYTF_RETURN_IF_ERROR(check_shape(gradient.shape()));
    if (count_ == 0) {
      TINYTF_ASSIGN_OR_RETURN(sum_, gradient.clone(ctx.allocator()));
    } else {
      add(sum_, gradient);
    }
    ++count_;
    serve(finished);
  }
  deliver(finished);
  return Status();
}

void Accumulator::take(KernelContext& ctx, int64_t required, Done done) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    line_.push_back({&ctx, required, std::move(done), Status(), Tensor()});
    Attempt& attempt = line_.back();
    // The callback takes the lock, which is held here: it cannot see the attempt before its token is known.
    attempt.registered = ctx.step().cancellation->on_cancel(
        &attempt.token, [self = RefPtr<Accumulator>::share(this), waiting = &attempt] { self->cancel(waiting); });
    if (attempt.registered) {
      serve(finished);
    } else {
      attempt.status = cancelled();
      finished.splice(finished.end(), line_, std::prev(line_.end()));
    }
  }
  deliver(finished);
}

void Accumulator::serve(Line& finished) {
  while (!line_.empty() && count_ > 0 && count_ >= line_.front().required) {
    if (takes_mean_) divide(sum_, count_);
    line_.front().result = std::exchange(sum_, Tensor());
    count_ = 0;
    ++global_step_;
    finished.splice(finished.end(), line_, line_.begin());
  }
}

void Accumulator::cancel(const Attempt* attempt) {
  Line finished;
  {
    std::lock_guard lock(mutex_);
    forget_attempts_of_parent();
    const auto found = std::find_if(line_.begin(), line_.end(), [attempt](const Attempt& a) { return &a == attempt; });
    if (found == line_.end()) return;
    found->status = cancelled();
    finished.splice(finished.end(), line_, found);
    serve(finished);  // those behind it may need fewer
  }
  deliver(finished);
}

void Accumulator::set_global_step(int64_t step) {
  std::lock_guard lock(mutex_);
  global_step_ = step;
}

int64_t Accumulator::count() const {
  std::lock_guard lock(mutex_);
  return count_;
}

void Accumulator::forget_attempts_of_parent() {
  renewal_.run_if_due([this] { line_.clear(); });
}

void Accumulator::deliver(Line& finished) {
  for (Attempt& attempt : finished) {
    if (attempt.registered) attempt.ctx->step().cancellation->remove(attempt.token);
    if (attempt.status.ok()) attempt.ctx->set_output(0, std::move(attempt.result));
    attempt.done(std::move(attempt.status));
  }
}

}  // namespace tinytf::ops
