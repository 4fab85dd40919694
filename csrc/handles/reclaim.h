#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

#include "handles/core_handles.h"
#include "handles/core_options.h"
#include "handles/core_reaper.h"
#include "handles/core_stats.h"
#include "handles/drain_tracker.h"
#include "handles/drop_line.h"
#include "handles/memory.h"
#include "handles/test_hooks.h"

namespace tinytf {

/// Frees the dropped handles of a core, as its strategy says: by the reaper, at safe points, by the thread that makes
/// the next value, or when the session is closed. Thread-safe. Freeing may take long and must not be done with the GIL
/// held.
class CoreReclaim final : public ReaperWork {
 public:
  CoreReclaim(const CoreOptions& options, const TestPoints& points, CoreHandles& handles, DrainTracker& drains,
              CoreReaper& reaper, CoreMemory& memory);

  /// Called when a handle's owner is gone. Neither allocates nor throws, in any state, and locks only for some
  /// instructions. May destroy the core.
  void drop(TensorHandle* handle) noexcept;

  // -- For threads that make values.

  /// Called before a handle is made, because there will be something to free.
  void expect_handle() noexcept {
    reaper_.start_if_wanted();
    reaper_.rouse();  // wakes it from sleep, so that dropping this handle need not
    if (urgent_.load(std::memory_order_relaxed) && urgent_.exchange(false, std::memory_order_relaxed)) {
      reaper_.notify_urgent();
    }
  }
  /// Under kOnSafePoints, frees queued values within the time budget; else does nothing. Cheap if nothing is queued.
  void safe_point() {
    if (options_.strategy != CleanupStrategy::kOnSafePoints) return;
    if (small_.handles() > 0) drain_at_safe_point();
  }
  /// Called before an operation, to free values here that were not freed in time elsewhere. True if `relieve` has work.
  bool pressed() const { return small_.handles() > help_handles_ || above_hard_mark(); }
  void relieve();
  /// Whether `relieve` may take long.
  bool above_hard_mark() const {
    return queued_bytes() > options_.hard_bytes || small_.handles() + large_.handles() > options_.hard_handles;
  }

  // -- On demand.

  /// Frees everything that is queued, whatever the strategy (kOnSessionClose queues nothing). Returns the number of
  /// values and blocks freed.
  int64_t collect() { return drain_all({}); }
  /// As collect, and frees idle memory like CoreMemory::trim, whose result it returns. May take long.
  int64_t trim();
  /// Waits until everything queued before the call is freed. DeadlineExceeded after `timeout_ms` milliseconds;
  /// negative: no time limit. Cancelled if `interrupted` returns true.
  Status flush(int64_t timeout_ms, const std::function<bool()>& interrupted = nullptr);
  /// Returns true once, when retained values exceed `retained_warning_bytes`.
  bool retained_warning_due();

  // -- For the end of the core.

  /// Frees everything that is queued. From now on, the thread that drops a handle frees it.
  void close_queues();
  /// The same for retained handles.
  void close_retained();
  /// Frees all dropped handles; later ones are queued or retained as before.
  void reset();
  /// Waits for all drains in progress.
  void wait_for_drains() { (void)drains_.wait(Waiting()); }

  bool nothing_queued() const override;
  /// Resets locks in a forked child.
  void forget_other_threads();
  void count(CoreStats& stats) const;

 private:
  using Clock = std::chrono::steady_clock;

  /// Limits of one drain, which frees at least one handle.
  struct Extent {
    int64_t handles = INT64_MAX;
    int64_t bytes = INT64_MAX;
    Clock::time_point until = Clock::time_point::max();
    bool to_soft_mark = false;
  };

  /// Appends a dropped handle to its queue; false if that is closed.
  bool enqueue(TensorHandle* handle, int64_t bytes) noexcept;
  bool retain(TensorHandle* handle, int64_t bytes) noexcept;
  void note_queued(const DropLine& line, bool first, int64_t bytes) noexcept;

  /// Frees the oldest of the handles that are queued now; returns their number.
  int64_t drain(DropLine& line, const Extent& extent);
  int64_t drain_all(const Extent& extent);
  /// Frees handles that were taken out of a line; returns their number.
  int64_t free_chain(TensorHandle* chain, DropLine& line, std::atomic<int64_t>& bytes);
  void close_line(DropLine& line, std::atomic<int64_t>& bytes, bool& closed);
  int64_t queued_bytes() const { return queued_bytes_.load(std::memory_order_relaxed); }
  bool above_soft_mark() const {
    return queued_bytes() > options_.soft_bytes || small_.handles() + large_.handles() > options_.soft_handles;
  }
  /// Whether the drain has reached its time limit or the soft mark.
  bool is_reached(const Extent& extent) const;
  void drain_at_safe_point();

  // Work of the reaper's thread.
  int64_t free_batch() override;
  bool more_may_come() const override { return handles_.any() || memory_.holds_much(); }
  bool urgent() const override { return above_soft_mark(); }
  void before_batch() override;
  void before_rest() override { points_.at(TestPoint::kBeforeRest); }
  void before_end() override;
  void at_end() override { reaper_.at_end(); }

  const CoreOptions& options_;
  const TestPoints& points_;
  CoreHandles& handles_;
  DrainTracker& drains_;
  CoreReaper& reaper_;
  CoreMemory& memory_;
  const int64_t help_handles_;  // if more small values are queued, threads that make values free some
  std::atomic<bool> warned_{false};

  struct alignas(64) Figures {
    std::atomic<int64_t> drains{0}, max_pause_us{0}, backpressure_events{0}, max_lag_us{0};
  } figures_;

  // Written under the mutex, which is a leaf in the lock order; urgent_ also without it.
  alignas(64) mutable std::mutex mutex_;
  bool queues_closed_ = false, retained_closed_ = false;
  DropLine small_;  // small values without objects; their memory is best reused while it is cached
  DropLine large_;
  DropLine retained_;
  std::atomic<int64_t> queued_bytes_{0}, peak_queued_bytes_{0}, retained_bytes_{0};
  std::atomic<bool> urgent_{false};  // the soft mark was exceeded, and the reaper may nap
  int64_t oldest_ns_ = 0;            // when the oldest queued value was queued; 0: not recorded
};

}  // namespace tinytf
