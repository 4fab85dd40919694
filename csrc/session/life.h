#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "session/core_points.h"
#include "session/core_reaper.h"
#include "session/core_stats.h"
#include "session/gate.h"
#include "session/handles.h"
#include "session/memory.h"
#include "session/operations.h"
#include "session/reclaim.h"
#include "session/waiting.h"

namespace tinytf {

/// The end of a core, and its beginning anew. Thread-safe.
class CoreLife {
 public:
  using Life = CoreStats::Life;

  CoreLife(CoreLock& lock, const CorePoints& points, CoreGate& gate, CoreOperations& operations, CoreReaper& reaper,
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
  /// As SessionCore says of these.
  Status close(int64_t timeout_ms, bool cancel_pending, const std::function<bool()>& interrupted);
  void abandon();
  Status reset(int64_t timeout_ms, const std::function<bool()>& interrupted);
  /// In a forked child, when the lock is new: what the parent's other threads were at is nobody's.
  void start_anew();

 private:
  /// Why the calling thread may not do what `name` says: it would wait for itself.
  Status refuse_inside(const char* name) const;
  Status refuse_within(const char* name) const;
  bool is_open() const { return now() == Life::kOpen && !abandoned_; }
  /// One call at a time ends the core.
  void begin();
  /// Waits for those inside and what they have left to run.
  Status wait_for_use(const Waiting& waiting, std::unique_lock<std::mutex>& lock);
  void free_everything();

  CoreLock& lock_;
  const CorePoints& points_;
  CoreGate& gate_;
  CoreOperations& operations_;
  CoreReaper& reaper_;
  CoreReclaim& reclaim_;
  CoreHandles& handles_;
  CoreMemory& memory_;

  std::atomic<Life> life_{Life::kOpen};
  // Guarded by the lock.
  bool abandoned_ = false;
  bool busy_ = false;       // a call of close or reset is past its waiting for others
  std::thread::id closer_;  // while busy_
};

}  // namespace tinytf
