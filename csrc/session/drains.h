#pragma once

#include <cstdint>
#include <mutex>

#include "services/fork_gate.h"
#include "session/waiting.h"

namespace tinytf {

/// What of a core is being freed, for those who wait until it is. Thread-safe.
class CoreDrains {
 public:
  explicit CoreDrains(CoreLock& lock) : lock_(lock) {}

  /// One drain, for as long as it lives. Forks wait for it.
  class Drain {
   public:
    explicit Drain(CoreDrains& drains);
    ~Drain();
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;

   private:
    friend class CoreDrains;
    const ForkGate::Pass pass_;
    CoreDrains& drains_;
    int64_t number_;
    Drain* older_;
    Drain* newer_ = nullptr;
  };

  /// Waits for all drains that began before. Those that begin from now on find what was dropped since.
  Status wait(const Waiting& waiting);
  /// In a forked child.
  void forget() {
    waiting_ = 0;
    oldest_ = newest_ = nullptr;
  }
  /// Whether somebody waits.
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
