#pragma once

#include <atomic>
#include <chrono>

namespace tinytf {

/// Wakes one thread that waits; what is given while nobody waits is kept for the next wait, once. A semaphore that
/// counts to one, of what every system has: `give` neither locks nor waits, and time is measured by the clock that
/// nobody sets.
class WakeSignal {
 public:
  WakeSignal();
  ~WakeSignal();
  WakeSignal(const WakeSignal&) = delete;
  WakeSignal& operator=(const WakeSignal&) = delete;

  /// From any thread.
  void give() noexcept;
  /// For one thread at a time.
  void take();
  /// False if nothing was given until then.
  bool take_until(std::chrono::steady_clock::time_point until);
  /// In a forked child, where the thread that waited does not exist.
  void forget();

 private:
#if defined(__linux__)
  std::atomic<int> given_{0};  // the kernel looks at it
#else
  void* semaphore_;
#endif
};

}  // namespace tinytf
