#pragma once

#include <sched.h>

#include <atomic>
#include <utility>

#include "services/fork_gate.h"

namespace tinytf {

/// Has something made anew in a forked child before it is used there: locks that the parent's threads may hold, threads
/// that do not exist, counts of what they did. Thread-safe.
class ForkRenewal {
 public:
  /// Whether this is a child that has not renewed it yet.
  bool due() const noexcept { return generation_.load(std::memory_order_relaxed) != ForkGate::generation(); }
  /// Once in each child `renew` is called, by the first thread that comes; others wait until it has ended.
  template <class Renew>
  void run_if_due(Renew&& renew) noexcept {
    if (!due() || !begin()) return;
    std::forward<Renew>(renew)();
    generation_.store(ForkGate::generation(), std::memory_order_release);
  }

 private:
  static constexpr int kBusy = -1;

  /// Whether it is the caller's to do; if not, it has been done.
  bool begin() noexcept {
    const int now = ForkGate::generation();
    int known = generation_.load(std::memory_order_acquire);
    if (known == now) return false;
    if (known != kBusy && generation_.compare_exchange_strong(known, kBusy, std::memory_order_acquire)) return true;
    while (generation_.load(std::memory_order_acquire) != now) sched_yield();
    return false;
  }

  std::atomic<int> generation_{ForkGate::generation()};  // of the process for which it was made or renewed last
};

}  // namespace tinytf
