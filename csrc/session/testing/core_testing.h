#pragma once

#include <functional>

#include "session/core_points.h"
#include "session/session_core.h"

namespace tinytf {

/// A test's hold on one core, which must live longer. Thread-safe.
class CoreTesting {
 public:
  explicit CoreTesting(SessionCore& core);
  /// Lets everything go.
  ~CoreTesting();
  CoreTesting(const CoreTesting&) = delete;
  CoreTesting& operator=(const CoreTesting&) = delete;

  /// The reaper takes no batch until `resume`, but for those of `step`. Returns when it is held, or if there is none.
  void pause_reaper();
  void resume();
  /// Lets the paused reaper look for work so many times; returns when it has.
  void step(int turns = 1);
  /// Waits until the reaper has freed all that was queued and is about to rest. Not while it is paused.
  void wait_idle();

  /// Called whenever a thread comes to the point, on that thread; null: not any more.
  void set_failpoint(CorePoint point, std::function<void()> action);
  /// There is no memory for the next so many handles.
  void fail_next_handles(int count);
  /// There is no new memory for values until it is called with false: free lists are all that the allocator has.
  void fail_allocations(bool fail);
  /// Below 0: the system's clock again.
  void set_fake_now_ns(int64_t now);

  struct Count {
    int64_t live = 0, queued = 0, retained = 0, closed = 0, invalidated = 0, vacant = 0;
    int64_t live_bytes = 0, queued_bytes = 0, retained_bytes = 0;
  };
  /// The handles counted one by one, by their states. Exact while no thread changes any.
  Count recount() const;
  /// Whether a flush waits for drains of others.
  bool flush_waits() const { return core_.drains_.waited_for(); }
  /// Whether a reaper's thread was started and has not ended.
  bool has_reaper() const { return core_.reaper_.alive(); }

 private:
  class Hold;
  SessionCore& core_;
  Hold& hold_;
};

}  // namespace tinytf
