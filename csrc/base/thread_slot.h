#pragma once

#include <cstdint>

namespace tinytf {

/// Small numbers for live threads, used as indices of per-thread data to avoid contention. No two threads share a
/// number as long as at most kThreadSlots live threads have asked for one. A number is only a hint: the data at its
/// index still needs a lock.
constexpr int kThreadSlots = 16;

class ThreadSlot {
 public:
  /// The number of the calling thread, from 0 to kThreadSlots - 1.
  static int get() noexcept { return current_ >= 0 ? current_ : take(); }
  /// Gives the calling thread another number, because another thread occupies the data at its present one.
  static void use(int slot) noexcept { current_ = slot; }

 private:
  static int take() noexcept;
#if defined(__GLIBC__)
  // Otherwise a module loaded at run time would call the loader for the address. There is always room for so few bytes.
  __attribute__((tls_model("initial-exec")))
#endif
  static inline thread_local int current_ = -1;
};

}  // namespace tinytf
