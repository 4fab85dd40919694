#pragma once

#include <atomic>
#include <chrono>

namespace tinytf {

/// Wakes one waiting thread. A signal given while no thread waits is kept for the next wait: a binary semaphore based
/// on system primitives. (On macOS it counts further, so extra wake-ups are possible there.) `give` neither locks nor
/// blocks, and deadlines use the steady clock.
class WakeSignal {
 public:
  WakeSignal();
  ~WakeSignal();
  WakeSignal(const WakeSignal&) = delete;
  WakeSignal& operator=(const WakeSignal&) = delete;

  /// May be called on any thread.
  void give() noexcept;
  /// Waits for a signal. Only one thread may wait at a time.
  void take();
  /// Waits for a signal; false if none was given before `until`.
  bool take_until(std::chrono::steady_clock::time_point until);
  /// Resets the signal in a forked child, where the waiting thread does not exist.
  void forget();

 private:
#if defined(__linux__)
  std::atomic<int> given_{0};  // futex word
#else
  void* semaphore_;
#endif
};

}  // namespace tinytf
