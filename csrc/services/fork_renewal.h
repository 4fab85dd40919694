#pragma once

#include <sched.h>

#include <atomic>
#include <utility>

#include "services/fork_gate.h"

namespace tinytf {

/// Tells when state has to be renewed in a forked child, and has its owner renew it before the first use there: locks
/// that the parent's threads may hold, threads that do not exist in the child, statistics of the parent. Thread-safe.
class ForkRenewal {
 public:
  /// Whether this process is a forked child that has not renewed the state yet.
  bool due() const noexcept { return generation_.load(std::memory_order_relaxed) != ForkGate::generation(); }
  /// Calls `renew` once per forked child, on the first thread that gets here; others wait until it has returned.
  template <class Renew>
  void run_if_due(Renew&& renew) noexcept {
    if (!due() || !begin()) return;
    std::forward<Renew>(renew)();
    generation_.store(ForkGate::generation(), std::memory_order_release);
  }

 private:
  static constexpr int kBusy = -1;

  /// Returns true if the caller has to renew the state, false if that has been done.
  bool begin() noexcept {
    const int now = ForkGate::generation();
    int known = generation_.load(std::memory_order_acquire);
    if (known == now) return false;
    if (known != kBusy && generation_.compare_exchange_strong(known, kBusy, std::memory_order_acquire)) return true;
    while (generation_.load(std::memory_order_acquire) != now) sched_yield();
    return false;
  }

  std::atomic<int> generation_{ForkGate::generation()};  // generation for which the state was made or renewed
};

}  // namespace tinytf
