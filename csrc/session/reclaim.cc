#include "session/reclaim.h"

#include <algorithm>
#include <utility>

#include "base/atomic_max.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
using State = TensorHandle::State;

int64_t help_handles(const CoreOptions& options) {
  constexpr int64_t kHelpHandles = 64;  // as many as stay in a processor's first cache, roughly
  switch (options.strategy) {
    case CleanupStrategy::kInBackground: return std::min(kHelpHandles, options.hard_handles);
    case CleanupStrategy::kOnSafePoints: return options.hard_handles;
    default: return INT64_MAX;
  }
}

bool is_small(const TensorHandle& handle, int64_t bytes) {
  constexpr int64_t kSmallBytes = 16 << 10;
  return bytes <= kSmallBytes && dtype_size(handle.dtype()) != 0;
}

/// Cuts a chain behind so many handles or bytes, whichever comes first; what is behind.
TensorHandle* cut_chain(TensorHandle* chain, int64_t handles, int64_t bytes) {
  for (;; chain = chain->queue_next) {
    bytes -= chain->charged_bytes();
    if (--handles <= 0 || bytes <= 0 || chain->queue_next == nullptr) break;
  }
  return std::exchange(chain->queue_next, nullptr);
}

}  // namespace

CoreReclaim::CoreReclaim(const CoreOptions& options, const CorePoints& points, CoreHandles& handles, CoreDrains& drains,
                         CoreReaper& reaper, CoreMemory& memory)
    : options_(options),
      points_(points),
      handles_(handles),
      drains_(drains),
      reaper_(reaper),
      memory_(memory),
      help_handles_(help_handles(options)) {
  memory.allocator().set_relief([this](int64_t) { return drain_all({}) > 0; });
}

// -- Dropping.

void CoreReclaim::drop(TensorHandle* handle) noexcept {
  const bool retains = options_.strategy == CleanupStrategy::kOnSessionClose;
  if (!handles_.drop(*handle, retains ? State::kRetained : State::kQueued)) return;
  points_.at(CorePoint::kDropBeforePush);
  const int64_t bytes = handles_.part_with(*handle);
  if (options_.strategy == CleanupStrategy::kImmediately) return handles_.free(*handle);
  return retains ? retain(handle, bytes) : enqueue(handle, bytes);
}

void CoreReclaim::enqueue(TensorHandle* handle, int64_t bytes) noexcept {
  const bool background = options_.strategy == CleanupStrategy::kInBackground;
  const bool small = !background || is_small(*handle, bytes);
  std::atomic<int64_t>& count = small ? queued_.small : queued_.large;
  const int64_t handles_before = count.fetch_add(1, kRelaxed);
  const int64_t bytes_before = queued_.bytes.fetch_add(bytes, kRelaxed);
  raise_to(queued_.peak_bytes, bytes_before + bytes);
  if (background && (handles_before == options_.soft_handles ||
                     (bytes_before <= options_.soft_bytes && bytes_before + bytes > options_.soft_bytes))) {
    urgent_.store(true, kRelaxed);  // ends a nap, but that costs what a dropper does not pay: the next maker does
  }
  // Once it is in the queue somebody else may free it, and the core with it if it was the last: whoever has something
  // to tell the reaper then holds on to the core before. Only a sleeping reaper has to be told here.
  bool holds_core = false;
  const auto hold_core = [&] {
    if (!holds_core && background) handles_.hold();
    holds_core = background;
  };
  const Queue::Pushed pushed = (small ? small_ : large_).push(handle, hold_core);
  if (pushed == Queue::Pushed::kClosed) {
    count.fetch_sub(1, kRelaxed);
    queued_.bytes.fetch_sub(bytes, kRelaxed);
    handles_.free(*handle);
  } else if (holds_core && pushed == Queue::Pushed::kFirst) {
    if (figures_.oldest_ns.load(kRelaxed) == 0) figures_.oldest_ns.store(points_.now_ns(), kRelaxed);
    reaper_.notify();
  }
  if (holds_core) handles_.release(1);
}

void CoreReclaim::retain(TensorHandle* handle, int64_t bytes) noexcept {
  queued_.retained.fetch_add(1, kRelaxed);
  queued_.retained_bytes.fetch_add(bytes, kRelaxed);
  if (retained_.push(handle) == MpscQueue<TensorHandle>::Pushed::kClosed) {
    queued_.retained.fetch_sub(1, kRelaxed);
    queued_.retained_bytes.fetch_sub(bytes, kRelaxed);
    handles_.free(*handle);
  }
}

// -- Marks.

bool CoreReclaim::above_hard_mark() const {
  return queued_.bytes.load(kRelaxed) > options_.hard_bytes ||
         queued_.small.load(kRelaxed) + queued_.large.load(kRelaxed) > options_.hard_handles;
}

bool CoreReclaim::above_soft_mark() const {
  return queued_.bytes.load(kRelaxed) > options_.soft_bytes ||
         queued_.small.load(kRelaxed) + queued_.large.load(kRelaxed) > options_.soft_handles;
}

bool CoreReclaim::is_reached(const Extent& extent) const {
  if (extent.to_soft_mark && !above_soft_mark()) return true;
  return extent.until != Clock::time_point::max() && Clock::now() >= extent.until;
}

bool CoreReclaim::retained_warning_due() {
  return options_.retained_warning_bytes > 0 &&
         queued_.retained_bytes.load(kRelaxed) > options_.retained_warning_bytes && !warned_.exchange(true);
}

// -- Freeing.

TensorHandle* CoreReclaim::free_chain(TensorHandle* chain, const Extent& extent, std::atomic<int64_t>& queued,
                                      int64_t* freed) {
  points_.at(CorePoint::kTakenBeforeFree);
  while (chain != nullptr) {  // figures follow in small steps, and the time is looked at
    const CoreHandles::Batch batch = handles_.free_some(chain);
    queued.fetch_sub(batch.handles, kRelaxed);
    queued_.bytes.fetch_sub(batch.bytes, kRelaxed);
    *freed += batch.handles;
    handles_.give_back(batch);
    if (is_reached(extent)) break;
  }
  return chain;
}

TensorHandle* CoreReclaim::put_back(Queue& queue, TensorHandle* chain) {
  points_.at(CorePoint::kBeforePutBack);
  drains_.note_put_back();
  return queue.put_back(chain);
}

int64_t CoreReclaim::drain(Queue& queue, const Extent& extent) {
  if (queue.empty()) return 0;
  const CoreDrains::Drain drain(drains_);
  const int64_t since = figures_.oldest_ns.load(kRelaxed) != 0 ? figures_.oldest_ns.exchange(0, kRelaxed) : 0;
  std::atomic<int64_t>& queued = &queue == &small_ ? queued_.small : queued_.large;
  int64_t freed = 0;
  // Once for what was put back, once for what was queued since.
  for (int part = 0; part < 2; ++part) {
    TensorHandle* chain = queue.take();
    if (chain == nullptr) break;
    TensorHandle* rest = nullptr;
    const bool bounded = extent.handles != INT64_MAX || extent.bytes != INT64_MAX;
    if (bounded) {  // others may have the rest at once
      rest = cut_chain(chain, extent.handles, extent.bytes);
      if (rest != nullptr) rest = put_back(queue, rest);
    }
    TensorHandle* late = free_chain(chain, bounded ? Extent{} : extent, queued, &freed);
    if (late != nullptr) late = put_back(queue, late);
    if (late != nullptr) free_chain(late, Extent{}, queued, &freed);  // the queue was closed meanwhile
    if (rest != nullptr) free_chain(rest, Extent{}, queued, &freed);
    if (bounded || is_reached(extent)) break;
  }
  if (since != 0) {
    raise_to(figures_.max_lag_us, (points_.now_ns() - since) / 1000);
    if (!nothing_queued()) figures_.oldest_ns.store(since, kRelaxed);
  }
  if (options_.strategy == CleanupStrategy::kInBackground && !queue.empty()) reaper_.notify();  // of what was put back
  return freed;
}

int64_t CoreReclaim::drain_all(const Extent& extent) {
  int64_t freed = drain(large_, extent);
  freed += drain(small_, extent);
  return freed + memory_.return_blocks();
}

void CoreReclaim::drain_at_safe_point() {
  const int64_t handles = queued_.small.load(kRelaxed);
  const bool bounded = options_.safe_point_budget_us > 0 && !above_hard_mark();
  // The clock costs as much as freeing a value: short pauses are not measured.
  const bool long_one = bounded || handles > 16 || queued_.bytes.load(kRelaxed) > (256 << 10);
  const Clock::time_point begin = long_one ? Clock::now() : Clock::time_point();
  Extent extent;
  if (bounded) extent.until = begin + std::chrono::microseconds(options_.safe_point_budget_us);
  drain(small_, extent);
  figures_.drains.fetch_add(1, kRelaxed);
  if (long_one) {
    memory_.let_decay();
    const auto pause = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    raise_to(figures_.max_pause_us, static_cast<int64_t>(pause.count()));
  }
}

void CoreReclaim::relieve() {
  if (above_hard_mark()) {
    figures_.backpressure_events.fetch_add(1, kRelaxed);
    Extent extent;
    extent.to_soft_mark = true;
    if (options_.strategy == CleanupStrategy::kInBackground) drain(large_, extent);
    if (above_soft_mark()) drain(small_, extent);
  } else if (queued_.small.load(kRelaxed) > help_handles_) {
    constexpr int64_t kHelp = 512;  // a short pause, and more than one operation drops
    Extent extent;
    extent.handles = kHelp;
    drain(small_, extent);
  }
}

int64_t CoreReclaim::trim() {
  collect();
  return memory_.trim();
}

Status CoreReclaim::flush(int64_t timeout_ms, const std::function<bool()>& interrupted) {
  const Waiting waiting(timeout_ms, interrupted);
  Extent extent;
  extent.until = waiting.deadline();
  for (;;) {
    const int64_t put_back = drains_.times_put_back();
    drain_all(extent);
    if (Clock::now() >= waiting.deadline() && !nothing_queued()) return waiting.look("not everything is freed");
    TINYTF_RETURN_IF_ERROR(drains_.wait(waiting));
    // Others had taken it, and have freed it unless they put something back.
    if (drains_.times_put_back() == put_back) return Status();
  }
}

// -- The core's end.

void CoreReclaim::close_queues() {
  const ForkGate::Pass pass;
  int64_t freed = 0;
  large_.close([&](TensorHandle* chain) {
    if (chain != nullptr) free_chain(chain, {}, queued_.large, &freed);
  });
  small_.close([&](TensorHandle* chain) {
    if (chain != nullptr) free_chain(chain, {}, queued_.small, &freed);
  });
  memory_.close_blocks();
}

void CoreReclaim::close_retained() { free_retained(retained_.close()); }

void CoreReclaim::reset() {
  drain_all({});
  free_retained(retained_.take_all());
  warned_ = false;
}

void CoreReclaim::free_retained(TensorHandle* chain) {
  if (chain == nullptr) return;
  // They become queued ones, which nobody else sees.
  int64_t count = 0;
  int64_t bytes = 0;
  for (TensorHandle* handle = chain; handle != nullptr; handle = handle->queue_next) {
    bytes += handle->charged_bytes();
    ++count;
  }
  queued_.retained.fetch_sub(count, kRelaxed);
  queued_.retained_bytes.fetch_sub(bytes, kRelaxed);
  queued_.small.fetch_add(count, kRelaxed);
  queued_.bytes.fetch_add(bytes, kRelaxed);
  const ForkGate::Pass pass;
  int64_t freed = 0;
  free_chain(chain, {}, queued_.small, &freed);
}

// -- The reaper's work.

int64_t CoreReclaim::free_batch() {
  Extent extent;
  extent.handles = 256;  // what is left for others, and how long a fork waits
  extent.bytes = 8 << 20;
  return drain_all(extent);
}

void CoreReclaim::before_batch() {
  points_.at(CorePoint::kReaperTurn);
  memory_.let_decay();
}

void CoreReclaim::before_end() {
  if (reaper_.was_let_go()) close_queues();
}

// -- Figures.

void CoreReclaim::count(CoreStats& stats) const {
  stats.retained = queued_.retained.load(kRelaxed);
  stats.queued = queued_.small.load(kRelaxed) + queued_.large.load(kRelaxed);
  stats.queued_bytes = queued_.bytes.load(kRelaxed);
  stats.retained_bytes = queued_.retained_bytes.load(kRelaxed);
  stats.peak_queued_bytes = queued_.peak_bytes.load(kRelaxed);
  stats.max_lag_us = figures_.max_lag_us.load(kRelaxed);
  stats.drains = figures_.drains.load(kRelaxed);
  stats.max_pause_us = figures_.max_pause_us.load(kRelaxed);
  stats.backpressure_events = figures_.backpressure_events.load(kRelaxed);
}

}  // namespace tinytf
