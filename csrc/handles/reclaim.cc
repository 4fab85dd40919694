#include "handles/reclaim.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "base/atomic_max.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {

using State = TensorHandle::State;

int64_t help_handles(const CoreOptions& options) {
  constexpr int64_t kHelpHandles = 64;  // roughly as many as stay in the L1 cache
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

/// Requires the lock that guards the figure.
void add(std::atomic<int64_t>& figure, int64_t more) { figure.store(figure.load(kRelaxed) + more, kRelaxed); }

}  // namespace

CoreReclaim::CoreReclaim(const CoreOptions& options, const TestPoints& points, CoreHandles& handles,
                         DrainTracker& drains, CoreReaper& reaper, CoreMemory& memory)
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
  points_.at(TestPoint::kDropBeforePush);
  const int64_t bytes = handles_.part_with(*handle);
  if (options_.strategy == CleanupStrategy::kImmediately) return handles_.free(*handle);
  if (!(retains ? retain(handle, bytes) : enqueue(handle, bytes))) handles_.free(*handle);
}

// Once the lock is released, another thread may free the handle, and with the last handle the core.
bool CoreReclaim::enqueue(TensorHandle* handle, int64_t bytes) noexcept {
  const bool background = options_.strategy == CleanupStrategy::kInBackground;
  DropLine& line = !background || is_small(*handle, bytes) ? small_ : large_;
  std::lock_guard lock(mutex_);
  if (queues_closed_) return false;
  const bool first = line.empty();
  line.push(handle);
  add(queued_bytes_, bytes);
  if (queued_bytes() > peak_queued_bytes_.load(kRelaxed)) peak_queued_bytes_.store(queued_bytes(), kRelaxed);
  if (background) note_queued(line, first, bytes);
  return true;
}

// Requires the mutex.
void CoreReclaim::note_queued(const DropLine& line, bool first, int64_t bytes) noexcept {
  if (line.handles() == options_.soft_handles + 1 ||
      (queued_bytes() > options_.soft_bytes && queued_bytes() - bytes <= options_.soft_bytes)) {
    urgent_.store(true, kRelaxed);  // dropping must be cheap, so the next thread that makes a value ends the nap
  }
  if (!first) return;
  if (oldest_ns_ == 0) oldest_ns_ = points_.now_ns();
  reaper_.notify();  // only a sleeping reaper has to be told here
}

bool CoreReclaim::retain(TensorHandle* handle, int64_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  if (retained_closed_) return false;
  retained_.push(handle);
  add(retained_bytes_, bytes);
  return true;
}

// -- Marks.

bool CoreReclaim::is_reached(const Extent& extent) const {
  if (extent.to_soft_mark && !above_soft_mark()) return true;
  return extent.until != Clock::time_point::max() && Clock::now() >= extent.until;
}

bool CoreReclaim::retained_warning_due() {
  return options_.retained_warning_bytes > 0 && retained_bytes_.load(kRelaxed) > options_.retained_warning_bytes &&
         !warned_.exchange(true);
}

bool CoreReclaim::nothing_queued() const {
  std::lock_guard lock(mutex_);
  return small_.empty() && large_.empty() && memory_.no_blocks();
}

// -- Freeing.

int64_t CoreReclaim::free_chain(TensorHandle* chain, DropLine& line, std::atomic<int64_t>& bytes) {
  if (chain == nullptr) return 0;
  points_.at(TestPoint::kTakenBeforeFree);
  int64_t freed = 0;
  while (chain != nullptr) {
    const CoreHandles::Batch batch = handles_.free_some(chain);
    {
      std::lock_guard lock(mutex_);
      line.count_freed(batch.handles);
      add(bytes, -batch.bytes);
    }
    freed += batch.handles;
    handles_.give_back(batch);
  }
  return freed;
}

int64_t CoreReclaim::drain(DropLine& line, const Extent& extent) {
  constexpr int64_t kHandles = 64;  // after each such step, other threads get the lock and the limits are checked
  constexpr int64_t kBytes = 1 << 20;
  if (line.handles() == 0) return 0;
  const DrainTracker::Drain drain(drains_);
  int64_t left = 0;
  int64_t since = 0;
  {
    std::lock_guard lock(mutex_);
    left = std::min(extent.handles, line.length());  // handles dropped meanwhile are left to others
    since = std::exchange(oldest_ns_, 0);
  }
  int64_t freed = 0;
  int64_t bytes = extent.bytes;
  while (left > 0 && bytes > 0) {
    DropLine::Taken taken;
    {
      std::lock_guard lock(mutex_);
      taken = line.take(std::min(left, kHandles), std::min(bytes, kBytes));
    }
    if (taken.chain == nullptr) break;
    freed += free_chain(taken.chain, line, queued_bytes_);
    left -= taken.handles;
    bytes -= taken.bytes;
    if (is_reached(extent)) break;
  }
  if (since != 0) {
    raise_to(figures_.max_lag_us, (points_.now_ns() - since) / 1000);
    std::lock_guard lock(mutex_);
    if (!small_.empty() || !large_.empty()) oldest_ns_ = since;
  }
  return freed;
}

int64_t CoreReclaim::drain_all(const Extent& extent) {
  int64_t freed = drain(large_, extent);
  freed += drain(small_, extent);
  return freed + memory_.return_blocks();
}

void CoreReclaim::drain_at_safe_point() {
  const int64_t handles = small_.handles();
  const bool bounded = options_.safe_point_budget_us > 0 && !above_hard_mark();
  // Reading the clock costs as much as freeing a value, so short pauses are not measured.
  const bool long_one = bounded || handles > 16 || queued_bytes() > (256 << 10);
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
  } else if (small_.handles() > help_handles_) {
    constexpr int64_t kHelp = 512;  // a short pause, yet more than one operation drops
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
  drain_all(extent);
  if (Clock::now() >= waiting.deadline() && !nothing_queued()) return waiting.look("not all dropped values are freed");
  return drains_.wait(waiting);  // other threads may be freeing the rest
}

// -- The core's end.

void CoreReclaim::close_line(DropLine& line, std::atomic<int64_t>& bytes, bool& closed) {
  const ForkGate::Pass pass;
  TensorHandle* chain = nullptr;
  {
    std::lock_guard lock(mutex_);
    closed = true;
    chain = line.take_all();
  }
  free_chain(chain, line, bytes);
}

void CoreReclaim::close_queues() {
  close_line(large_, queued_bytes_, queues_closed_);
  close_line(small_, queued_bytes_, queues_closed_);
  memory_.close_blocks();
}

void CoreReclaim::close_retained() { close_line(retained_, retained_bytes_, retained_closed_); }

void CoreReclaim::reset() {
  drain_all({});
  bool open = false;
  close_line(retained_, retained_bytes_, open);
  warned_ = false;
}

void CoreReclaim::forget_other_threads() { new (&mutex_) std::mutex; }

// -- The reaper's work.

int64_t CoreReclaim::free_batch() {
  Extent extent;
  extent.handles = 256;  // limits how long other threads and forks wait for this drain
  extent.bytes = 8 << 20;
  return drain_all(extent);
}

void CoreReclaim::before_batch() {
  points_.at(TestPoint::kReaperTurn);
  memory_.let_decay();
}

void CoreReclaim::before_end() {
  if (reaper_.was_let_go()) close_queues();
}

// -- Statistics.

void CoreReclaim::count(CoreStats& stats) const {
  stats.retained = retained_.handles();
  stats.queued = small_.handles() + large_.handles();
  stats.queued_bytes = queued_bytes();
  stats.retained_bytes = retained_bytes_.load(kRelaxed);
  stats.peak_queued_bytes = peak_queued_bytes_.load(kRelaxed);
  stats.max_lag_us = figures_.max_lag_us.load(kRelaxed);
  stats.drains = figures_.drains.load(kRelaxed);
  stats.max_pause_us = figures_.max_pause_us.load(kRelaxed);
  stats.backpressure_events = figures_.backpressure_events.load(kRelaxed);
}

}  // namespace tinytf
