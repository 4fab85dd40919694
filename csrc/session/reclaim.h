#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

#include "session/core_options.h"
#include "session/core_points.h"
#include "session/core_reaper.h"
#include "session/core_stats.h"
#include "session/drains.h"
#include "session/drop_line.h"
#include "session/handles.h"
#include "session/memory.h"

namespace tinytf {

/// Frees what the owners of a core's handles have dropped, as the core's strategy says: by the reaper, at safe points,
/// by who makes the next value, or when the session is closed. Thread-safe. Freeing may take long: not with the GIL
/// held then.
class CoreReclaim final : public ReaperWork {
 public:
  CoreReclaim(const CoreOptions& options, const CorePoints& points, CoreHandles& handles, CoreDrains& drains,
              CoreReaper& reaper, CoreMemory& memory);

  /// A handle's owner is gone. Neither allocates nor throws, in any state, and locks for some instructions only; the
  /// core may go with it.
  void drop(TensorHandle* handle) noexcept;

  // -- By those who make values.

  /// Before a handle is made: there will be something to free.
  void expect_handle() noexcept {
    reaper_.start_if_wanted();
    reaper_.rouse();  // it may sleep while nothing is held, so that who drops this need not wake it
    if (urgent_.load(std::memory_order_relaxed) && urgent_.exchange(false, std::memory_order_relaxed)) {
      reaper_.notify_urgent();
    }
  }
  /// Under kOnSafePoints frees what is queued, within the budget; else nothing. Cheap where nothing is queued.
  void safe_point() {
    if (options_.strategy != CleanupStrategy::kOnSafePoints) return;
    if (small_.handles() > 0) drain_at_safe_point();
  }
  /// Before an operation: what nobody else has freed in time is freed here. True if `relieve` would do something.
  bool pressed() const { return small_.handles() > help_handles_ || above_hard_mark(); }
  void relieve();
  /// Whether `relieve` may take long.
  bool above_hard_mark() const {
    return queued_bytes() > options_.hard_bytes || small_.handles() + large_.handles() > options_.hard_handles;
  }

  // -- On demand.

  /// Frees all that is queued now, whatever the strategy (kOnSessionClose queues nothing); how many.
  int64_t collect() { return drain_all({}); }
  /// As collect, and gives all memory that waits for new values back to the system; how many bytes. May take long.
  int64_t trim();
  /// Waits until all that was queued before the call is freed. DeadlineExceeded; below 0: no time limit. Cancelled
  /// if `interrupted` says so.
  Status flush(int64_t timeout_ms, const std::function<bool()>& interrupted = nullptr);
  /// True once, when dropped values have come to hold more than `retained_warning_bytes`.
  bool retained_warning_due();

  // -- By the core's end.

  /// Frees all that is queued; from now on who drops frees.
  void close_queues();
  /// The same of what is retained.
  void close_retained();
  /// Frees all that was dropped; the core goes on as at the start.
  void reset();
  /// Waits for all drains that are under way.
  void wait_for_drains() { (void)drains_.wait(Waiting()); }

  bool nothing_queued() const override;
  /// In a forked child.
  void forget_other_threads();
  void count(CoreStats& stats) const;

 private:
  using Clock = std::chrono::steady_clock;

  /// How far one drain goes; it frees at least one handle.
  struct Extent {
    int64_t handles = INT64_MAX;
    int64_t bytes = INT64_MAX;
    Clock::time_point until = Clock::time_point::max();
    bool to_soft_mark = false;
  };

  /// Puts a dropped handle behind the others; false if the line is closed.
  bool enqueue(TensorHandle* handle, int64_t bytes) noexcept;
  bool retain(TensorHandle* handle, int64_t bytes) noexcept;
  void note_queued(const DropLine& line, bool first, int64_t bytes) noexcept;

  /// Frees the oldest of what waits by now; how many.
  int64_t drain(DropLine& line, const Extent& extent);
  int64_t drain_all(const Extent& extent);
  /// Frees what was taken out of a line; how many.
  int64_t free_chain(TensorHandle* chain, DropLine& line, std::atomic<int64_t>& bytes);
  void close_line(DropLine& line, std::atomic<int64_t>& bytes, bool& closed);
  int64_t queued_bytes() const { return queued_bytes_.load(std::memory_order_relaxed); }
  bool above_soft_mark() const {
    return queued_bytes() > options_.soft_bytes || small_.handles() + large_.handles() > options_.soft_handles;
  }
  /// Whether the time is over, or the mark was come down to.
  bool is_reached(const Extent& extent) const;
  void drain_at_safe_point();

  // The reaper's work.
  int64_t free_batch() override;
  bool more_may_come() const override { return handles_.any() || memory_.holds_much(); }
  bool urgent() const override { return above_soft_mark(); }
  void before_batch() override;
  void before_rest() override { points_.at(CorePoint::kBeforeRest); }
  void before_end() override;
  void at_end() override { reaper_.at_end(); }

  const CoreOptions& options_;
  const CorePoints& points_;
  CoreHandles& handles_;
  CoreDrains& drains_;
  CoreReaper& reaper_;
  CoreMemory& memory_;
  const int64_t help_handles_;  // more small values queued than this are freed by who makes the next
  std::atomic<bool> warned_{false};

  struct alignas(64) Figures {
    std::atomic<int64_t> drains{0}, max_pause_us{0}, backpressure_events{0}, max_lag_us{0};
  } figures_;

  // Changed under the mutex, which is a leaf.
  alignas(64) mutable std::mutex mutex_;
  bool queues_closed_ = false, retained_closed_ = false;
  DropLine small_;  // plain memory of little size, worth its while in the maker's cache
  DropLine large_;
  DropLine retained_;
  std::atomic<int64_t> queued_bytes_{0}, peak_queued_bytes_{0}, retained_bytes_{0};
  std::atomic<bool> urgent_{false};  // the soft mark was passed, and the reaper may nap
  int64_t oldest_ns_ = 0;            // when the first of what is queued came; 0: nobody noted it
};

}  // namespace tinytf
