#pragma once

#include <cstdint>
#include <mutex>

#include "handles/waiting.h"
#include "services/fork_gate.h"

namespace tinytf {

/// Tracks the drains of a core, which free values, for threads that wait for them. Thread-safe.
class DrainTracker {
 public:
  explicit DrainTracker(CoreLock& lock) : lock_(lock) {}

  /// A drain is in progress while this lives. Forks wait for it.
  class Drain {
   public:
    explicit Drain(DrainTracker& drains);
    ~Drain();
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;

   private:
    friend class DrainTracker;
    const ForkGate::Pass pass_;
    DrainTracker& drains_;
    int64_t number_;
    Drain* older_;
    Drain* newer_ = nullptr;
  };

  /// Waits for all drains that began before the call. Later ones free only handles that were dropped since then.
  Status wait(const Waiting& waiting);
  /// Resets this object in a forked child.
  void forget() {
    waiting_ = 0;
    oldest_ = newest_ = nullptr;
  }
  /// Whether a thread waits.
  bool waited_for() const {
    std::lock_guard lock(lock_.mutex);
    return waiting_ > 0;
  }

 private:
  CoreLock& lock_;
  // Guarded by the lock.
  int64_t begun_ = 0;
  int waiting_ = 0;
  Drain* oldest_ = nullptr;
  Drain* newest_ = nullptr;
};

}  // namespace tinytf
