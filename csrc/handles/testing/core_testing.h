#pragma once

#include <functional>

#include "handles/session_core.h"
#include "handles/test_hooks.h"

namespace tinytf {

/// Test control over one core, which must outlive it. Thread-safe.
class CoreTesting {
 public:
  explicit CoreTesting(SessionCore& core);
  /// Removes all holds and simulated failures.
  ~CoreTesting();
  CoreTesting(const CoreTesting&) = delete;
  CoreTesting& operator=(const CoreTesting&) = delete;

  /// Keeps the reaper from taking batches until `resume`, except for turns of `step`. Returns when it is held, or if
  /// there is none.
  void pause_reaper();
  void resume();
  /// Lets the paused reaper look for work `turns` times; returns when it has.
  void step(int turns = 1);
  /// Waits until the reaper has freed everything queued and is about to rest. Must not be called while it is paused.
  void wait_idle();

  /// Sets a function that each thread calls when it reaches the point; null: none.
  void set_failpoint(TestPoint point, std::function<void()> action);
  /// Lets the next `count` requests for a handle's memory fail.
  void fail_next_handles(int count);
  /// Until called with false, the allocator gets no new memory for values and has only its free lists.
  void fail_allocations(bool fail);
  /// Sets the core's clock; negative: the system's clock again.
  void set_fake_now_ns(int64_t now);

  struct Count {
    int64_t live = 0, queued = 0, retained = 0, closed = 0, invalidated = 0, vacant = 0;
    int64_t live_bytes = 0, queued_bytes = 0, retained_bytes = 0;
  };
  /// Counts the handles one by one, by state. Exact while no thread changes any.
  Count recount() const;
  /// Whether a flush waits for drains of other threads.
  bool flush_waits() const { return core_.drains_.waited_for(); }
  /// Whether a reaper's thread was started and has not ended.
  bool has_reaper() const { return core_.reaper_.alive(); }

 private:
  class Hold;
  SessionCore& core_;
  Hold& hold_;
};

}  // namespace tinytf
