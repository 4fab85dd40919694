#include "ops/data/shared/parallel_calls.h"

#include <algorithm>
#include <utility>

#include "op/guarded.h"
#include "services/thread_pool.h"

namespace tinytf::ops {

int64_t automatic_parallelism() { return std::max(ThreadPool::process().size(), 1); }

RefPtr<data::TunedNumber> tuned_parallelism(const IteratorContext& ctx, int64_t most) {
  return ctx.tasks.tuner() != nullptr ? ctx.tasks.tuner()->parallelism(most) : nullptr;
}

bool ParallelCalls::has_room() const {
  return !has_ended_ && !is_abandoned() && !has_failed() && calls() < most_running() &&
         static_cast<int64_t>(calls_.size()) < most_results();
}

Result<Pulled> ParallelCalls::take(PullContext& ctx, Outcome& outcome) {
  renew_if_forked();
  measure_with(ctx);
  Pulled pulled = Pulled::kElement;
  bool has_room = false;
  float running = 0;
  {
    const std::lock_guard lock(mutex_);
    running = static_cast<float>(calls());
    if (!pop(outcome)) {
      TINYTF_RETURN_IF_ERROR(take_failure());
      pulled = has_ended_ && calls_.empty() ? Pulled::kEnd : wait(ctx);
    }
    has_room = this->has_room();
  }
  if (has_room) wake();
  if (ctx.statistics != nullptr && pulled == Pulled::kElement) {
    ctx.statistics->set_scalar(limits_.statistic, running / static_cast<float>(most_running()));
  }
  return pulled;
}

/// With the lock: takes the first result, or without an order any.
bool ParallelCalls::pop(Outcome& outcome) {
  auto found = calls_.begin();
  if (!limits_.in_order) found = std::find_if(found, calls_.end(), [](const auto& call) { return call->is_done; });
  if (found == calls_.end() || !(*found)->is_done) return false;
  outcome = std::move((*found)->outcome);
  calls_.erase(found);
  return true;
}

void ParallelCalls::work(PullContext& ctx) {
  while (!is_pausing() && ctx.check().ok()) {
    {
      const std::lock_guard lock(mutex_);
      if (!has_room()) return;
    }
    Element element;
    const Result<Pulled> pulled = input_->next(ctx, element);
    if (was_cut(ctx, pulled)) return;
    if (!pulled.ok()) {
      add(pulled.status(), nullptr);
    } else if (pulled.value() == Pulled::kPending) {
      return;
    } else if (pulled.value() == Pulled::kElement) {
      add(Status(), &element);
    } else {
      {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
      }
      wake_consumer();
    }
  }
}

/// Adds an error of the input, or calls the function.
void ParallelCalls::add(Status status, Element* argument) {
  auto call = std::make_shared<Call>();
  if (argument == nullptr) {
    call->is_done = true;
    call->outcome.status = std::move(status);
  }
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
    if (argument != nullptr) begin_call();
  }
  if (argument == nullptr) return wake_consumer();
  this->call(std::move(call), std::move(*argument));
}

void ParallelCalls::call(std::shared_ptr<Call> call, Element argument) {
  const Status status = guarded([&] {
    const auto done = [self = RefPtr<ParallelCalls>::share(this), call](const Status& status, Element results) {
      self->finish(*call, status, std::move(results));
    };
    function_->run_async(tasks(), std::move(argument), done, stage());
    return Status();
  });
  if (!status.ok()) finish(*call, status, {});
}

void ParallelCalls::finish(Call& call, const Status& status, Element results) {
  renew_if_forked();
  if (limits_.tuned && status.ok()) limits_.tuned->note_bytes(data::bytes_of(results));
  bool has_room = false;
  {
    const std::lock_guard lock(mutex_);
    if (call.is_done) return;
    call.outcome = {function_->failure(status), std::move(results)};
    call.is_done = true;
    end_call();
    has_room = this->has_room();
  }
  wake_consumer();
  if (has_room) wake();
}

data::StageHeld ParallelCalls::held() const {
  const std::lock_guard lock(mutex_);
  return {static_cast<int64_t>(calls_.size()), most_results(), most_running()};
}

Status ParallelCalls::save(IteratorContext& ctx, StateWriter& state) {
  TINYTF_RETURN_IF_ERROR(pause_until_saved(ctx));
  TINYTF_RETURN_IF_ERROR(wait_for_calls(ctx));
  {
    const std::lock_guard lock(mutex_);
    state.put_int("has_ended", has_ended_);
    state.put_int("results", static_cast<int64_t>(calls_.size()));
    for (size_t i = 0; i < calls_.size(); ++i) {
      const Outcome& outcome = calls_[i]->outcome;
      state.put_status(str_cat("status_", i), outcome.status);
      if (!outcome.status.ok()) continue;
      TINYTF_RETURN_IF_ERROR(state.put_element(str_cat("result_", i), outcome.element));
    }
  }
  TINYTF_RETURN_IF_ERROR(function_->save(state));
  StateWriter input = state.inside("input");
  return input_->save(ctx, input);
}

Status ParallelCalls::restore(IteratorContext& ctx, StateReader& state, const ElementSpec& spec) {
  Pause pause(*this);
  TINYTF_RETURN_IF_ERROR(pause.begin(ctx));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t results, state.get_int("results", 0, INT64_MAX));
  std::deque<std::shared_ptr<Call>> calls;
  for (int64_t i = 0; i < results; ++i) {  // Ends at the first result that the state lacks.
    auto call = std::make_shared<Call>();
    call->is_done = true;
    TINYTF_RETURN_IF_ERROR(state.get_status(str_cat("status_", i), call->outcome.status));
    if (call->outcome.status.ok()) {
      TINYTF_ASSIGN_OR_RETURN(call->outcome.element, state.get_element(str_cat("result_", i), spec));
    }
    calls.push_back(std::move(call));
  }
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = has_ended != 0;
    calls_.swap(calls);
  }
  TINYTF_RETURN_IF_ERROR(function_->restore(state));
  StateReader input = state.inside("input");
  return input_->restore(ctx, input);
}

}  // namespace tinytf::ops
