#pragma once

#include <cstdint>

namespace tinytf {

/// Small numbers for the threads that run, so that what threads would meet at can be kept once for each: as long as no
/// more than kThreadSlots threads have asked and live, no two have the same. A number is a hint, not a right: what lies
/// at it still needs a lock.
constexpr int kThreadSlots = 16;

class ThreadSlot {
 public:
  /// This thread's number, from 0 to kThreadSlots - 1.
  static int get() noexcept { return current_ >= 0 ? current_ : take(); }
  /// This thread uses another number from now on: at its own, another one stays.
  static void use(int slot) noexcept { current_ = slot; }

 private:
  static int take() noexcept;
#if defined(__GLIBC__)
  // A module that is loaded late would ask the loader for the address; so few bytes always have room.
  __attribute__((tls_model("initial-exec")))
#endif
  static inline thread_local int current_ = -1;
};

}  // namespace tinytf
