// What a core frees of what was dropped: by its reaper, at safe points, under pressure.

#include <algorithm>
#include <new>
#include <utility>

#include "base/atomic_max.h"
#include "base/mapped_memory.h"
#include "session/core_testing.h"
#include "session/session_core.h"

namespace tinytf {

namespace {
constexpr auto kRelaxed = std::memory_order_relaxed;
}

bool SessionCore::above_hard_mark() const {
  return queued_.bytes.load(kRelaxed) > options_.hard_bytes ||
         queued_.small.load(kRelaxed) + queued_.large.load(kRelaxed) > options_.hard_handles;
}

bool SessionCore::above_soft_mark() const {
  return queued_.bytes.load(kRelaxed) > options_.soft_bytes ||
         queued_.small.load(kRelaxed) + queued_.large.load(kRelaxed) > options_.soft_handles;
}

bool SessionCore::is_reached(const Extent& extent) const {
  if (extent.to_soft_mark && !above_soft_mark()) return true;
  return extent.until != Clock::time_point::max() && Clock::now() >= extent.until;
}

TensorHandle* SessionCore::free_chain(TensorHandle* chain, const Extent& extent, std::atomic<int64_t>& queued,
                                      int64_t* freed) {
  constexpr int64_t kAtOnce = 64;  // figures follow in such steps, and the time is looked at
  constexpr int64_t kBytesAtOnce = 1 << 20;
  at(CorePoint::kTakenBeforeFree);
  while (chain != nullptr) {
    TensorHandle* vacant = nullptr;
    TensorHandle* const last = chain;
    int64_t count = 0;
    int64_t bytes = 0;
    while (chain != nullptr && count < kAtOnce && bytes < kBytesAtOnce) {
      TensorHandle* handle = chain;
      chain = handle->queue_next;
      if (chain != nullptr) __builtin_prefetch(chain);
      bytes += free_value(*handle);
      handle->state_.store(TensorHandle::State::kVacant, kRelaxed);
      handle->queue_next = vacant;
      vacant = handle;
      ++count;
    }
    queued.fetch_sub(count, kRelaxed);
    queued_.bytes.fetch_sub(bytes, kRelaxed);
    held_.bytes.fetch_sub(bytes, kRelaxed);
    freed_.handles.fetch_add(count, kRelaxed);
    *freed += count;
    vacate(vacant, last, count);
    if (is_reached(extent)) break;
  }
  return chain;
}

namespace {

/// Cuts a chain behind so many handles or bytes, whichever comes first; what is behind.
TensorHandle* cut_chain(TensorHandle* chain, int64_t handles, int64_t bytes, int64_t (*bytes_of)(const TensorHandle&)) {
  for (;; chain = chain->queue_next) {
    bytes -= bytes_of(*chain);
    if (--handles <= 0 || bytes <= 0 || chain->queue_next == nullptr) break;
  }
  return std::exchange(chain->queue_next, nullptr);
}

}  // namespace

class SessionCore::Draining {
 public:
  explicit Draining(SessionCore& core) : core_(core), epoch_(core.drain_epoch_.load(std::memory_order_seq_cst) & 1) {
    core_.draining_[epoch_].fetch_add(1, std::memory_order_seq_cst);
  }
  ~Draining() {
    if (core_.draining_[epoch_].fetch_sub(1, std::memory_order_seq_cst) == 1 &&
        core_.waiting_for_drains_.load(std::memory_order_seq_cst)) {
      core_.tell_waiting();
    }
  }

 private:
  const ForkGate::Pass pass_;
  SessionCore& core_;
  const int epoch_;
};

TensorHandle* SessionCore::put_back(Queue& queue, TensorHandle* chain) {
  at(CorePoint::kBeforePutBack);
  put_back_.fetch_add(1, std::memory_order_seq_cst);  // while the drain counts, so before a flush goes on
  return queue.put_back(chain);
}

int64_t SessionCore::drain(Queue& queue, const Extent& extent) {
  if (queue.empty()) return 0;
  const Draining draining(*this);
  const int64_t since = freed_.oldest_ns.load(kRelaxed) != 0 ? freed_.oldest_ns.exchange(0, kRelaxed) : 0;
  std::atomic<int64_t>& queued = &queue == &small_ ? queued_.small : queued_.large;
  int64_t freed = 0;
  // Once for what was put back, once for what was queued since.
  for (int part = 0; part < 2; ++part) {
    TensorHandle* chain = queue.take();
    if (chain == nullptr) break;
    TensorHandle* rest = nullptr;
    const bool bounded = extent.handles != INT64_MAX || extent.bytes != INT64_MAX;
    if (bounded) {  // others may have the rest at once
      rest = cut_chain(chain, extent.handles, extent.bytes,
                       [](const TensorHandle& handle) { return handle.bytes_.load(kRelaxed); });
      if (rest != nullptr) rest = put_back(queue, rest);
    }
    TensorHandle* late = free_chain(chain, bounded ? Extent{} : extent, queued, &freed);
    if (late != nullptr) late = put_back(queue, late);
    if (late != nullptr) free_chain(late, Extent{}, queued, &freed);  // the queue was closed meanwhile
    if (rest != nullptr) free_chain(rest, Extent{}, queued, &freed);
    if (bounded || is_reached(extent)) break;
  }
  if (since != 0) {
    raise_to(freed_.max_lag_us, (now_ns() - since) / 1000);
    if (!nothing_queued()) freed_.oldest_ns.store(since, kRelaxed);
  }
  if (options_.strategy == CleanupStrategy::kInBackground && !queue.empty()) reaper_.notify();  // of what was put back
  return freed;
}

int64_t SessionCore::drain_all(const Extent& extent) {
  int64_t freed = drain(large_, extent);
  freed += drain(small_, extent);
  return freed + return_blocks();
}

bool SessionCore::dispose(void* block, size_t size) noexcept {
  if (options_.memory_limit_bytes > 0) return false;                       // which counts what is given back
  if (generation_.load(kRelaxed) != ForkGate::generation()) return false;  // a child that has not used the session yet
  const int64_t bytes = static_cast<int64_t>(size);
  if (reaper_wanted_.load(kRelaxed)) start_reaper();
  const int64_t before = returning_bytes_.fetch_add(bytes, kRelaxed);
  const bool room = before == 0 || before + bytes <= options_.soft_bytes;
  if (room && reaper_.alive()) {
    switch (blocks_.push(new (block) UnusedBlock{nullptr, bytes})) {
      case MpscQueue<UnusedBlock>::Pushed::kFirst: reaper_.notify(); return true;
      case MpscQueue<UnusedBlock>::Pushed::kMore: return true;
      case MpscQueue<UnusedBlock>::Pushed::kClosed: break;
    }
  }
  returning_bytes_.fetch_sub(bytes, kRelaxed);
  return false;
}

void SessionCore::grown() noexcept {
  if (generation_.load(kRelaxed) != ForkGate::generation()) return;
  if (reaper_wanted_.load(kRelaxed)) start_reaper();
  reaper_.rouse();
}

void SessionCore::let_memory_decay() {
  if (!allocator_->holds_much() && !Allocator::process().holds_much()) return;
  const ForkGate::Pass pass;
  const int64_t now = now_ns();
  allocator_->decay_if_due(now);
  Allocator::process().decay_if_due(now);
}

int64_t SessionCore::return_blocks() {
  if (blocks_.empty()) return 0;
  const Draining draining(*this);
  return free_blocks(blocks_.take_all());
}

int64_t SessionCore::free_blocks(UnusedBlock* block) noexcept {
  int64_t freed = 0;
  for (; block != nullptr; ++freed) {
    UnusedBlock* const next = block->queue_next;
    const int64_t bytes = block->bytes;
    unmap_memory(block, static_cast<size_t>(bytes));
    returned_blocks_.fetch_add(1, kRelaxed);
    returning_bytes_.fetch_sub(bytes, kRelaxed);
    block = next;
  }
  return freed;
}

void SessionCore::drain_at_safe_point() {
  const int64_t handles = queued_.small.load(kRelaxed);
  const bool bounded = options_.safe_point_budget_us > 0 && !above_hard_mark();
  // The clock costs as much as freeing a value: short pauses are not measured.
  const bool long_one = bounded || handles > 16 || queued_.bytes.load(kRelaxed) > (256 << 10);
  const Clock::time_point begin = long_one ? Clock::now() : Clock::time_point();
  Extent extent;
  if (bounded) extent.until = begin + std::chrono::microseconds(options_.safe_point_budget_us);
  drain(small_, extent);
  freed_.drains.fetch_add(1, kRelaxed);
  if (long_one) {
    let_memory_decay();
    const auto pause = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    raise_to(freed_.max_pause_us, static_cast<int64_t>(pause.count()));
  }
}

void SessionCore::relieve() {
  if (above_hard_mark()) {
    freed_.backpressure_events.fetch_add(1, kRelaxed);
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

int64_t SessionCore::collect() {
  if (generation_.load(kRelaxed) != ForkGate::generation()) start_anew_in_child();
  return drain_all({});
}

int64_t SessionCore::trim() {
  collect();
  const ForkGate::Pass pass;
  const int64_t bytes = allocator_->trim();
  Allocator::trim_c_library();
  return bytes;
}

// -- The reaper's work.

void SessionCore::start_reaper() {
  std::lock_guard lock(mutex_);
  if (!reaper_wanted_.exchange(false)) return;
  ref();                          // the thread's own
  if (!reaper_.start()) unref();  // who makes handles frees then, at the hard mark at the latest
}

int64_t SessionCore::free_batch() {
  Extent extent;
  extent.handles = 256;  // what is left for others, and how long a fork waits
  extent.bytes = 8 << 20;
  return drain_all(extent);
}

bool SessionCore::nothing_queued() const { return small_.empty() && large_.empty() && blocks_.empty(); }

bool SessionCore::more_may_come() const {
  return held_.units.load(kRelaxed) > 1 || allocator_->holds_much();  // which nobody tells when it becomes idle
}

void SessionCore::before_batch() {
  at(CorePoint::kReaperTurn);
  let_memory_decay();
}

void SessionCore::before_rest() { at(CorePoint::kBeforeRest); }

void SessionCore::before_end() {
  if (abandoned_.load(std::memory_order_acquire)) close_queues();
}

void SessionCore::at_end() { unref(); }

}  // namespace tinytf
