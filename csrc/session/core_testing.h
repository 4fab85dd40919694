#pragma once

#include <functional>

#include "session/session_core.h"

namespace tinytf {

/// Places in a core where tests can hold a thread or look.
enum class CorePoint : uint8_t {
  kDropBeforePush,     ///< a dropper: the handle is queued by its state, but not in the queue
  kTakenBeforeFree,    ///< a drain: handles are out of the queue, but not freed
  kBeforePutBack,      ///< a drain: handles are out of the queue, and what it has no time for is to go back
  kClosingBeforeJoin,  ///< close: nobody is inside any more, nothing is freed yet
  kReaperTurn,         ///< the reaper, before it looks for work
  kBeforeRest,         ///< the reaper: it has announced a rest and found nothing
  kInDeleter,          ///< whoever frees a value; may throw std::exception, which counts as a failed deleter
  kTakeHandle,         ///< a maker, before it takes memory for a handle; std::bad_alloc says that there is none
};

/// What a core calls at its points; where there is none, as everywhere but in tests, a point costs one load.
class CoreHooks {
 public:
  virtual ~CoreHooks() = default;
  virtual void at(CorePoint point) = 0;
  /// It must not be held any more.
  virtual void reaper_told_to_stop() = 0;
  /// Of a clock that the test moves, for how long values are queued; below 0: the system's.
  virtual int64_t fake_now_ns() = 0;
};

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
  bool flush_waits() const { return core_.waiting_for_drains_; }
  /// Whether a reaper's thread was started and has not ended.
  bool has_reaper() const { return core_.reaper_.alive(); }

 private:
  class Hold;
  SessionCore& core_;
  Hold& hold_;
};

}  // namespace tinytf
