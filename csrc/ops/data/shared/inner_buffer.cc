#include "ops/data/shared/inner_buffer.h"

#include <utility>

#include "op/guarded.h"

namespace tinytf::ops {

void InnerBuffer::prepare(Element arguments) {
  const std::lock_guard lock(mutex_);
  call_.arguments = std::move(arguments);
  phase_ = Phase::kBegun;
}

void InnerBuffer::fail(Status error) { add({std::move(error), {}}, Phase::kEnded); }

Result<Pulled> InnerBuffer::take(PullContext& ctx, Element& element) {
  renew_if_forked();
  measure_with(ctx);
  data::Entry entry;
  Pulled pulled = Pulled::kElement;
  bool has_room = false;
  {
    const std::lock_guard lock(mutex_);
    if (!entries_.empty()) {
      entry = std::move(entries_.front());
      entries_.pop_front();
    } else {
      TINYTF_RETURN_IF_ERROR(take_failure());
      pulled = phase_ == Phase::kEnded ? Pulled::kEnd : wait(ctx);
    }
    // A task for half of the room is cheaper than one for each element.
    has_room = this->has_room() && static_cast<int64_t>(entries_.size()) <= parts_->room / 2;
  }
  if (has_room) wake();
  TINYTF_RETURN_IF_ERROR(entry.status);
  if (pulled == Pulled::kElement) element.swap(entry.element);
  return pulled;
}

/// Also a stage without work enters and leaves, because that lets the next one in.
void InnerBuffer::work(PullContext& ctx) {
  if (!parts_->limit->enter(*this)) return;
  Step step = Step::kMore;
  const Status status = guarded([&] {
    while (step == Step::kMore && !is_pausing() && ctx.check().ok()) step = this->step(ctx);
    return Status();
  });
  if (step != Step::kCalls) parts_->limit->leave();  // Else finish() does.
  if (!status.ok()) end_by_exception(status);
}

/// If the stage was woken because it was its turn to work, the turn is for another one.
void InnerBuffer::end(const Status& error) {
  ServedStage::end(error);
  parts_->limit->wake_next();
}

InnerBuffer::Step InnerBuffer::step(PullContext& ctx) {
  Phase phase = Phase::kEnded;
  Element arguments;
  {
    const std::lock_guard lock(mutex_);
    if (!has_room()) return Step::kNothing;
    phase = phase_;
    if (phase == Phase::kBegun) {
      arguments = call_.arguments;
      phase_ = Phase::kCalling;
      begin_call();
    }
  }
  if (phase == Phase::kPulling) return pull(ctx);
  if (phase == Phase::kBegun) {
    call(std::move(arguments));
    return Step::kCalls;
  }
  make_iterator(ctx);
  return Step::kMore;
}

void InnerBuffer::call(Element arguments) {
  RandomStates before = parts_->function->random_states();
  {
    const std::lock_guard lock(mutex_);
    call_.before = std::move(before);
  }
  const Status status = guarded([&] {
    const auto done = [self = RefPtr<InnerBuffer>::share(this)](const Status& status, Element results) {
      self->finish(status, std::move(results));
    };
    parts_->function->run_async(tasks(), std::move(arguments), done, stage());
    return Status();
  });
  if (!status.ok()) finish(status, {});
}

void InnerBuffer::finish(const Status& status, Element results) {
  renew_if_forked();
  {
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::kCalling) return;
    end_call();
    phase_ = status.ok() ? Phase::kCalled : Phase::kEnded;
    if (status.ok()) results_ = std::move(results);
    const Status kept = guarded([&] {
      if (!status.ok()) entries_.push_back({data::stage_error(parts_->function->failure(status), parts_->stage), {}});
      return Status();
    });
    if (!kept.ok()) keep_failure(kept);
  }
  parts_->limit->leave();
  wake_consumer();
  if (status.ok()) wake();
}

void InnerBuffer::make_iterator(PullContext& ctx) {
  Element results;
  {
    const std::lock_guard lock(mutex_);
    results = results_;
  }
  const data::AtPlace inside(ctx, place());
  // The phase stays kCalled meanwhile: the consumer would take kEnded for the end of the dataset.
  Result<IteratorPtr> iterator = inner_iterator(ctx, results);
  if (!iterator.ok() && was_cut(ctx, iterator.status())) return;
  if (!iterator.ok()) return add({data::stage_error(iterator.status(), parts_->stage), {}}, Phase::kEnded);
  iterator_ = iterator.take();
  const std::lock_guard lock(mutex_);
  results_.clear();
  phase_ = Phase::kPulling;
}

InnerBuffer::Step InnerBuffer::pull(PullContext& ctx) {
  data::Entry entry;
  const Result<Pulled> pulled = iterator_->next(ctx, entry.element);
  if (was_cut(ctx, pulled) || (pulled.ok() && pulled.value() == Pulled::kPending)) return Step::kNothing;
  if (pulled.ok() && pulled.value() == Pulled::kEnd) {
    iterator_ = nullptr;
    {
      const std::lock_guard lock(mutex_);
      phase_ = Phase::kEnded;
    }
    wake_consumer();
    return Step::kNothing;
  }
  if (!pulled.ok()) entry.status = pulled.status();
  if (parts_->tuned && pulled.ok()) parts_->tuned->note_bytes(data::bytes_of(entry.element) * parts_->room);
  add(std::move(entry), Phase::kPulling);
  return Step::kMore;
}

void InnerBuffer::add(data::Entry entry, Phase next) {
  {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    phase_ = next;
  }
  wake_consumer();
}

Status InnerBuffer::save(IteratorContext& ctx, StateWriter& state) {
  TINYTF_RETURN_IF_ERROR(pause_until_saved(ctx));
  TINYTF_RETURN_IF_ERROR(wait_for_calls(ctx));
  {
    const std::lock_guard lock(mutex_);
    const bool has_ended = phase_ == Phase::kEnded;
    state.put_int("has_ended", has_ended);
    TINYTF_RETURN_IF_ERROR(data::save_entries(state, entries_));
    if (has_ended) return Status();
    TINYTF_RETURN_IF_ERROR(call_.save(state));
    state.put_int("was_called", phase_ != Phase::kBegun);
    state.put_int("has_iterator", iterator_ != nullptr);
  }
  StateWriter inner = state.inside("inner");
  return iterator_ ? iterator_->save(ctx, inner) : Status();
}

Status InnerBuffer::restore(IteratorContext& ctx, StateReader& state, const ElementSpec& arguments,
                            const ElementSpec& elements) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(entries_, data::restore_entries(state, elements));
  if (has_ended != 0) return Status();
  TINYTF_RETURN_IF_ERROR(call_.restore(state, arguments, *parts_->function));
  TINYTF_ASSIGN_OR_RETURN(const int64_t was_called, state.get_int("was_called", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_iterator, state.get_int("has_iterator", 0, was_called));
  phase_ = Phase::kBegun;
  if (was_called == 0) return Status();
  results_ = call_.arguments;
  TINYTF_RETURN_IF_ERROR(parts_->function->run(ctx, results_));
  phase_ = Phase::kCalled;
  if (has_iterator == 0) return Status();
  const data::AtPlace inside(ctx, place());
  TINYTF_ASSIGN_OR_RETURN(iterator_, inner_iterator(ctx, results_));
  results_.clear();
  phase_ = Phase::kPulling;
  StateReader inner = state.inside("inner");
  return iterator_->restore(ctx, inner);
}

}  // namespace tinytf::ops
