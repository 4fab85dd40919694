#include "ops/data/shared/parallel_cycle.h"

#include <utility>

#include "base/checked.h"

namespace tinytf::ops {

Result<Pulled> InnerSource::take(PullContext& ctx, RefPtr<InnerBuffer>& buffer) {
  renew_if_forked();
  measure_with(ctx);
  Pulled pulled = Pulled::kElement;
  bool has_room = false;
  {
    const std::lock_guard lock(mutex_);
    if (!opened_.empty()) {
      buffer = std::move(opened_.front());
      opened_.pop_front();
    } else {
      TINYTF_RETURN_IF_ERROR(take_failure());
      pulled = has_ended_ ? Pulled::kEnd : wait(ctx);
    }
    has_room = this->has_room();
  }
  if (has_room) wake();
  return pulled;
}

RefPtr<InnerBuffer> InnerSource::new_buffer(int64_t index) const { return make_ref<InnerBuffer>(*this, parts_, index); }

int64_t InnerSource::take_index() {
  const std::lock_guard lock(mutex_);
  if (workers_ == 0 || made_ < workers_) return made_++;
  const int64_t index = free_.front();
  free_.pop_front();
  return index;
}

void InnerSource::release(const InnerBuffer& buffer) {
  if (workers_ == 0) return;
  bool has_room = false;
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(buffer.index());
    has_room = this->has_room();
  }
  if (has_room) wake();
}

void InnerSource::work(PullContext& ctx) {
  while (!is_pausing() && ctx.check().ok()) {
    {
      const std::lock_guard lock(mutex_);
      if (!has_room()) return;
    }
    Element element;
    const Result<Pulled> pulled = input_->next(ctx, element);
    if (was_cut(ctx, pulled) || (pulled.ok() && pulled.value() == Pulled::kPending)) return;
    const bool has_ended = pulled.ok() && pulled.value() == Pulled::kEnd;
    RefPtr<InnerBuffer> buffer = has_ended ? nullptr : new_buffer(take_index());
    if (buffer && pulled.ok()) buffer->prepare(std::move(element));
    if (buffer && !pulled.ok()) buffer->fail(pulled.status());
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = has_ended;
      if (is_abandoned()) return;  // The consumer has abandoned the buffers that were there.
      if (buffer) opened_.push_back(buffer);
    }
    if (buffer) buffer->wake();
    wake_consumer();
  }
}

void InnerSource::abandon_all() {
  abandon();
  std::deque<RefPtr<InnerBuffer>> opened;
  {
    const std::lock_guard lock(mutex_);
    opened.swap(opened_);
  }
  for (const auto& buffer : opened) buffer->abandon();
}

Status InnerSource::save(IteratorContext& ctx, StateWriter& state) {
  TINYTF_RETURN_IF_ERROR(pause_until_saved(ctx));
  std::deque<RefPtr<InnerBuffer>> opened;
  {
    const std::lock_guard lock(mutex_);
    state.put_int("has_ended", has_ended_);
    state.put_int("made", made_);
    state.put_int("free", static_cast<int64_t>(free_.size()));
    for (size_t i = 0; i < free_.size(); ++i) state.put_int(str_cat("free_", i), free_[i]);
    opened = opened_;
  }
  state.put_int("opened", static_cast<int64_t>(opened.size()));
  for (size_t i = 0; i < opened.size(); ++i) {
    StateWriter part = state.inside(str_cat("opened_", i));
    part.put_int("index", opened[i]->index());
    TINYTF_RETURN_IF_ERROR(opened[i]->save(ctx, part));
  }
  StateWriter input = state.inside("input");
  return input_->save(ctx, input);
}

Result<RefPtr<InnerBuffer>> InnerSource::restored_buffer(IteratorContext& ctx, StateReader& state,
                                                         const ElementSpec& arguments,
                                                         const ElementSpec& elements) const {
  TINYTF_ASSIGN_OR_RETURN(const int64_t index, state.get_int("index", 0, INT64_MAX));
  RefPtr<InnerBuffer> buffer = new_buffer(index);
  TINYTF_RETURN_IF_ERROR(buffer->restore(ctx, state, arguments, elements));
  return buffer;
}

Status InnerSource::restore(IteratorContext& ctx, StateReader& state, const ElementSpec& arguments,
                            const ElementSpec& elements) {
  Pause pause(*this);
  TINYTF_RETURN_IF_ERROR(pause.begin(ctx));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t made, state.get_int("made", 0, INT64_MAX - 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t free_count, state.get_int("free", 0, INT64_MAX));
  std::deque<int64_t> free;
  for (int64_t i = 0; i < free_count; ++i) {  // Ends at the first index that the state lacks.
    TINYTF_ASSIGN_OR_RETURN(const int64_t index, state.get_int(str_cat("free_", i), 0, INT64_MAX));
    free.push_back(index);
  }
  TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("opened", 0, INT64_MAX));
  std::deque<RefPtr<InnerBuffer>> opened;
  for (int64_t i = 0; i < count; ++i) {  // Ends at the first buffer that the state lacks.
    StateReader part = state.inside(str_cat("opened_", i));
    TINYTF_ASSIGN_OR_RETURN(RefPtr<InnerBuffer> buffer, restored_buffer(ctx, part, arguments, elements));
    opened.push_back(std::move(buffer));
  }
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = has_ended != 0;
    made_ = made;
    free_.swap(free);
    opened_.swap(opened);
  }
  StateReader input = state.inside("input");
  return input_->restore(ctx, input);
}

Result<IteratorPtr> ParallelCycleIterator::make(const FunctionDataset& dataset, IteratorContext& ctx,
                                                const ParallelCycleOptions& options) {
  auto parts = std::make_shared<InnerBufferParts>();
  TINYTF_ASSIGN_OR_RETURN(parts->function, dataset.function().bind(ctx));
  parts->place = ctx.place;
  parts->levels = dataset.levels();
  parts->limit = make_ref<WorkLimit>(options.working, options.tuned);
  parts->tuned = options.tuned;
  parts->room = options.room;
  parts->stage = options.stage;
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, dataset.input().make_iterator(ctx));
  auto source = make_ref<InnerSource>(ctx, std::move(input), std::move(parts), options);
  return IteratorPtr(std::make_unique<ParallelCycleIterator>(dataset, options, std::move(source)));
}

ParallelCycleIterator::~ParallelCycleIterator() {
  source_->abandon_all();
  for (const auto& buffer : places_) {
    if (buffer) buffer->abandon();
  }
}

Result<Pulled> ParallelCycleIterator::pull(PullContext& ctx, Element& element) {
  return options_.is_sloppy ? pull_sloppily(ctx, element) : pull_in_order(ctx, element);
}

Result<Pulled> ParallelCycleIterator::pull_in_order(PullContext& ctx, Element& element) {
  while (!has_ended_ || open_ > 0) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const auto place = static_cast<size_t>(position_.place());
    if (place >= places_.size() || !places_[place]) {
      if (is_replacing_ && !has_ended_ && static_cast<int64_t>(places_.size()) < options_.cycle.length) {
        // The first datasets are those of the places of the cycle, also of those that were not reached yet.
        TINYTF_ASSIGN_OR_RETURN(const Pulled filled, fill(ctx, places_.size()));
        if (filled == Pulled::kPending) return filled;
        continue;
      }
      TINYTF_ASSIGN_OR_RETURN(const Pulled filled, fill(ctx, place));
      if (filled == Pulled::kPending) return filled;
      leave_empty_place(filled == Pulled::kElement);
      continue;
    }
    Result<Pulled> pulled = places_[place]->take(ctx, element);
    if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
    if (!pulled.ok() || pulled.value() == Pulled::kElement) {  // An error counts as an element of the block.
      position_.advance(options_.cycle, places());
      return pulled;
    }
    close(place);
    is_replacing_ = options_.workers > 0;
    if (!is_replacing_) position_.skip(places());
  }
  return Pulled::kEnd;
}

/// An empty place was filled, or there is nothing to fill it with. As in TensorFlow, a worker that replaces another one
/// waits for its turn, and without one the block goes on at the next place.
void ParallelCycleIterator::leave_empty_place(bool was_filled) {
  if (options_.workers == 0) {
    if (!was_filled) position_.skip(places());
    return;
  }
  if (!was_filled) position_.pass(places());
  if (was_filled && is_replacing_) position_.skip(places());
  is_replacing_ = false;
}

/// Takes an element from the first place that has one, beginning with the current place.
Result<Pulled> ParallelCycleIterator::pull_sloppily(PullContext& ctx, Element& element) {
  TINYTF_RETURN_IF_ERROR(fill_all(ctx));
  for (int64_t i = 0; open_ > 0 && i < static_cast<int64_t>(places_.size());) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const auto count = static_cast<int64_t>(places_.size());
    const int64_t place = (position_.place() + i) % count;
    if (!places_[static_cast<size_t>(place)]) {
      ++i;
      continue;
    }
    Result<Pulled> pulled = places_[static_cast<size_t>(place)]->take(ctx, element);
    if (pulled.ok() && pulled.value() == Pulled::kEnd) {
      close(static_cast<size_t>(place));
      TINYTF_ASSIGN_OR_RETURN(const Pulled filled, fill(ctx, static_cast<size_t>(place)));
      if (filled != Pulled::kElement) ++i;
      continue;
    }
    if (pulled.ok() && pulled.value() == Pulled::kPending) {
      ++i;
      continue;
    }
    position_.jump(place);
    position_.advance(options_.cycle, count);
    return pulled;
  }
  return has_ended_ && open_ == 0 ? Pulled::kEnd : Pulled::kPending;
}

/// Puts the next dataset of the source into an empty place.
Result<Pulled> ParallelCycleIterator::fill(PullContext& ctx, size_t place) {
  if (has_ended_) return Pulled::kEnd;
  RefPtr<InnerBuffer> buffer;
  TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, source_->take(ctx, buffer));
  if (pulled == Pulled::kEnd) has_ended_ = true;
  if (pulled != Pulled::kElement) return pulled;
  if (place >= places_.size()) places_.resize(place + 1);
  places_[place] = std::move(buffer);
  ++open_;
  return pulled;
}

/// Fills empty places and some new ones, if the source has datasets.
Status ParallelCycleIterator::fill_all(PullContext& ctx) {
  const int64_t most = static_cast<int64_t>(places_.size()) + options_.ahead;
  for (int64_t place = 0; place < places() && place < most; ++place) {
    const auto i = static_cast<size_t>(place);
    if (i < places_.size() && places_[i]) continue;
    TINYTF_RETURN_IF_ERROR(ctx.check());
    TINYTF_ASSIGN_OR_RETURN(const Pulled filled, fill(ctx, i));
    if (filled != Pulled::kElement) return Status();
  }
  return Status();
}

void ParallelCycleIterator::close(size_t place) {
  const RefPtr<InnerBuffer> ended = std::exchange(places_[place], nullptr);
  --open_;
  source_->release(*ended);
}

data::StageHeld ParallelCycleIterator::held() const {
  data::StageHeld held{0, 0, options_.tuned ? options_.tuned->value() : options_.working};
  for (const auto& buffer : places_) {
    if (buffer) held.elements += buffer->ready();
  }
  const Size most = (Size(options_.cycle.length) + options_.ahead) * options_.room;
  held.most = most.ok() ? most.value() : 0;
  return held;
}

Status ParallelCycleIterator::save(IteratorContext& ctx, StateWriter& state) {
  StateWriter source = state.inside("source");
  TINYTF_RETURN_IF_ERROR(source_->save(ctx, source));
  state.put_int("has_ended", has_ended_);
  state.put_int("is_replacing", is_replacing_);
  position_.save(state);
  state.put_int("places", static_cast<int64_t>(places_.size()));
  for (size_t i = 0; i < places_.size(); ++i) {
    StateWriter part = state.inside(str_cat("place_", i));
    part.put_int("is_open", static_cast<bool>(places_[i]));
    if (!places_[i]) continue;
    part.put_int("index", places_[i]->index());
    TINYTF_RETURN_IF_ERROR(places_[i]->save(ctx, part));
  }
  return source_->function().save(state);  // Afterwards, because now no buffer calls it.
}

Status ParallelCycleIterator::restore(IteratorContext& ctx, StateReader& state) {
  const ElementSpec& arguments = dataset().input().spec();
  StateReader source = state.inside("source");
  TINYTF_RETURN_IF_ERROR(source_->restore(ctx, source, arguments, dataset().spec()));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("places", 0, options_.cycle.length));
  TINYTF_ASSIGN_OR_RETURN(const int64_t is_replacing, state.get_int("is_replacing", 0, 1));
  has_ended_ = has_ended != 0;
  is_replacing_ = is_replacing != 0;
  places_.clear();
  open_ = 0;
  for (int64_t i = 0; i < count; ++i) {  // Ends at the first place that the state lacks.
    StateReader part = state.inside(str_cat("place_", i));
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_open, part.get_int("is_open", 0, 1));
    places_.emplace_back();
    if (is_open == 0) continue;
    TINYTF_ASSIGN_OR_RETURN(places_.back(), source_->restored_buffer(ctx, part, arguments, dataset().spec()));
    ++open_;
  }
  TINYTF_RETURN_IF_ERROR(source_->function().restore(state));
  return position_.restore(state, options_.cycle, count);
}

}  // namespace tinytf::ops
