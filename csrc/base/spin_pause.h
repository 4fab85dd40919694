#pragma once

namespace tinytf {

/// Tells the processor that this thread spins until another thread writes.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace tinytf
