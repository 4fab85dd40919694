#pragma once

#include <atomic>

#include "base/ref_ptr.h"
#include "handles/core_stats.h"
#include "handles/reaper.h"
#include "handles/test_hooks.h"
#include "handles/waiting.h"

namespace tinytf {

/// The reaper of one core. Its thread starts when it is first needed and keeps the core alive until it ends. Starting,
/// waking and statistics are thread-safe.
class CoreReaper {
 public:
  /// `life` is the core's reference count.
  CoreReaper(ReaperWork& work, const RefCounted& life, CoreLock& lock, const TestPoints& points)
      : life_(life), lock_(lock), points_(points), reaper_(work) {}

  /// Lets the thread start when it is next needed.
  void want() { wanted_ = true; }
  /// Undoes want().
  void want_no_more() { wanted_ = false; }
  /// Called where the thread is needed. If it cannot be started, other threads free the values.
  void start_if_wanted() {
    if (wanted_.load(std::memory_order_relaxed)) start();
  }
  /// Whether a thread was started and has not ended.
  bool alive() const { return reaper_.alive(); }
  /// Whether let_go_of_thread() was called: no thread waits for its end.
  bool was_let_go() const { return let_go_.load(std::memory_order_acquire); }

  void notify() noexcept { reaper_.notify(); }
  void rouse() noexcept { reaper_.rouse(); }
  void notify_urgent() noexcept { reaper_.notify_urgent(); }

  /// Ends and joins the thread, if there is one.
  Status end(const Waiting& waiting);
  /// Detaches the thread, which ends after it has freed the queued values. False if there is none. Requires the core's
  /// lock.
  bool let_go_of_thread();
  /// Called last on the thread; may destroy the core.
  void at_end() { life_.unref(); }
  /// Resets this object in a forked child. Returns whether the parent had a thread.
  bool forget();

  void count(CoreStats& stats) const;

 private:
  void start();

  const RefCounted& life_;
  CoreLock& lock_;
  const TestPoints& points_;
  std::atomic<bool> wanted_{false};
  std::atomic<bool> let_go_{false};
  Reaper reaper_;
};

}  // namespace tinytf
