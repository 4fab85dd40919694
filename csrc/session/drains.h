#pragma once

#include <atomic>
#include <cstdint>

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
    explicit Drain(CoreDrains& drains) : drains_(drains), epoch_(drains.epoch_.load(std::memory_order_seq_cst) & 1) {
      drains_.under_way_[epoch_].fetch_add(1, std::memory_order_seq_cst);
    }
    ~Drain() {
      if (drains_.under_way_[epoch_].fetch_sub(1, std::memory_order_seq_cst) == 1 && drains_.waited_for()) {
        drains_.lock_.tell();
      }
    }
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;

   private:
    const ForkGate::Pass pass_;
    CoreDrains& drains_;
    const int epoch_;
  };

  /// Waits for all drains that began before. Those that begin from now on find what was queued since; with the queues
  /// closed, nothing.
  Status wait(const Waiting& waiting);
  bool waited_for() const { return waited_for_.load(std::memory_order_seq_cst); }

  /// A drain puts something back: said while it counts, so before those who wait for it go on.
  void note_put_back() { put_back_.fetch_add(1, std::memory_order_seq_cst); }
  /// How often that was.
  int64_t times_put_back() const { return put_back_.load(std::memory_order_seq_cst); }

  /// In a forked child.
  void forget();

 private:
  CoreLock& lock_;
  // By the epoch in which they began.
  std::atomic<int> epoch_{0};
  std::atomic<int> under_way_[2] = {{0}, {0}};
  std::atomic<bool> waited_for_{false};
  std::atomic<int64_t> put_back_{0};
};

}  // namespace tinytf
