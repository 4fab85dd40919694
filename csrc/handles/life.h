#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "handles/core_handles.h"
#include "handles/core_reaper.h"
#include "handles/core_stats.h"
#include "handles/gate.h"
#include "handles/memory.h"
#include "handles/operations.h"
#include "handles/reclaim.h"
#include "handles/test_hooks.h"
#include "handles/waiting.h"

namespace tinytf {

/// Ends a core, or resets it. Thread-safe.
class CoreLife {
 public:
  using Life = CoreStats::Life;

  CoreLife(CoreLock& lock, const TestPoints& points, CoreGate& gate, CoreOperations& operations, CoreReaper& reaper,
           CoreReclaim& reclaim, CoreHandles& handles, CoreMemory& memory)
      : lock_(lock),
        points_(points),
        gate_(gate),
        operations_(operations),
        reaper_(reaper),
        reclaim_(reclaim),
        handles_(handles),
        memory_(memory) {}

  Life now() const { return life_.load(std::memory_order_acquire); }
  /// See SessionCore.
  Status close(int64_t timeout_ms, bool cancel_pending, const std::function<bool()>& interrupted);
  void abandon();
  Status reset(int64_t timeout_ms, const std::function<bool()>& interrupted);
  /// In a forked child, after the lock was renewed: discards the state of the parent's other threads.
  void start_anew();

 private:
  /// FailedPrecondition if the function `name` would wait for the calling thread itself, because it is inside an
  /// operation or, respectively, within close() or reset().
  Status refuse_inside(const char* name) const;
  Status refuse_within(const char* name) const;
  bool is_open() const { return now() == Life::kOpen && !abandoned_; }
  /// Makes the calling thread the only one that ends or resets the core.
  void begin();
  /// Waits for entries and for pending operations; releases the lock.
  Status wait_for_use(const Waiting& waiting, std::unique_lock<std::mutex>& lock);
  void free_everything();

  CoreLock& lock_;
  const TestPoints& points_;
  CoreGate& gate_;
  CoreOperations& operations_;
  CoreReaper& reaper_;
  CoreReclaim& reclaim_;
  CoreHandles& handles_;
  CoreMemory& memory_;

  std::atomic<Life> life_{Life::kOpen};
  // Guarded by the lock.
  bool abandoned_ = false;
  bool busy_ = false;       // a close() or reset() no longer waits for other such calls
  std::thread::id closer_;  // the thread in that call, while busy_
};

}  // namespace tinytf
