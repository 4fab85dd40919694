#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(__SSE2__)
#include <xmmintrin.h>
#endif

// Control of denormal numbers on this thread. TensorFlow's kernels flush them: they read and write zeros in their
// place, because processors are up to a hundred times slower on denormals. Python and NumPy keep them.
namespace tinytf {

namespace float_mode {

#if defined(__x86_64__) || defined(__SSE2__)
using Word = unsigned int;
inline constexpr Word kFlush = 0x8040;  // FTZ and DAZ: flush results and operands
inline Word get() { return _mm_getcsr(); }
inline void set(Word word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
using Word = uint64_t;
inline constexpr Word kFlush = Word{1} << 24;  // FZ: flush operands and results
inline Word get() {
  Word word;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
inline void set(Word word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
using Word = unsigned int;
inline constexpr Word kFlush = 0;
inline Word get() { return 0; }
inline void set(Word) {}
#endif

}  // namespace float_mode

/// While it lives, this thread flushes denormal numbers. Used around kernels.
class FlushDenormals {
 public:
  FlushDenormals() : before_(float_mode::get()) { float_mode::set(before_ | float_mode::kFlush); }
  ~FlushDenormals() { float_mode::set(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  const float_mode::Word before_;
};

/// While it lives, this thread keeps denormal numbers. Used around calls from kernels into user code.
class KeepDenormals {
 public:
  KeepDenormals() : before_(float_mode::get()) { float_mode::set(before_ & ~float_mode::kFlush); }
  ~KeepDenormals() { float_mode::set(before_); }
  KeepDenormals(const KeepDenormals&) = delete;
  KeepDenormals& operator=(const KeepDenormals&) = delete;

 private:
  const float_mode::Word before_;
};

/// Flushes denormal numbers for the rest of this thread's life. For threads that run only kernels.
inline void flush_denormals_for_good() { float_mode::set(float_mode::get() | float_mode::kFlush); }

}  // namespace tinytf
