#pragma once

#include <atomic>

#include "base/ref_ptr.h"
#include "session/core_points.h"
#include "session/core_stats.h"
#include "session/reaper.h"
#include "session/waiting.h"

namespace tinytf {

/// The reaper of one core: its thread starts when it is first needed, keeps the core, and ends with it. Starting,
/// waking and figures are thread-safe.
class CoreReaper {
 public:
  /// `life` is the core's reference count.
  CoreReaper(ReaperWork& work, const RefCounted& life, CoreLock& lock, const CorePoints& points)
      : life_(life), lock_(lock), points_(points), reaper_(work) {}

  /// Its thread is to start, when it is next needed.
  void want() { wanted_ = true; }
  /// Not any more.
  void want_no_more() { wanted_ = false; }
  /// Where it is needed. If there is no thread to be had, others free.
  void start_if_wanted() {
    if (wanted_.load(std::memory_order_relaxed)) start();
  }
  /// Whether a thread was started and has not ended.
  bool alive() const { return reaper_.alive(); }
  /// Whether nobody waits for its end.
  bool was_let_go() const { return let_go_.load(std::memory_order_acquire); }

  void notify() noexcept { reaper_.notify(); }
  void rouse() noexcept { reaper_.rouse(); }
  void notify_urgent() noexcept { reaper_.notify_urgent(); }

  /// Ends the thread, if there is one.
  Status end(const Waiting& waiting);
  /// It ends by itself, after what is queued; false if there is none. With the core's lock held.
  bool let_go_of_thread();
  /// The thread's last deed; the core may go with it.
  void at_end() { life_.unref(); }
  /// In a forked child; whether there was one in the parent.
  bool forget();

  void count(CoreStats& stats) const;

 private:
  void start();

  const RefCounted& life_;
  CoreLock& lock_;
  const CorePoints& points_;
  std::atomic<bool> wanted_{false};
  std::atomic<bool> let_go_{false};
  Reaper reaper_;
};

}  // namespace tinytf
