#pragma once

namespace tinytf {

/// Tells the processor that this thread waits in a loop for another to write.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace tinytf
