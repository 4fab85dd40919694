#pragma once

#include "kernels/isa/convert_float.h"

// Rows of any floating type as floats: in place if they are floats already, else through a buffer.
namespace tinytf::kernels::TINYTF_ISA {

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

inline const float* load(const float* x, int64_t, float*) { return x; }
template <class T>
const float* load(const T* x, int64_t n, float* buffer) {
  to_float(x, n, buffer);
  return buffer;
}

/// The memory in which results for `y` are computed; `store` then moves them to `y`.
inline float* target(float* y, float*) { return y; }
template <class T>
float* target(T*, float* buffer) {
  return buffer;
}
inline void store(const float*, int64_t, float*) {}
template <class T>
void store(const float* from, int64_t n, T* to) {
  from_float(from, n, to);
}

}  // namespace tinytf::kernels::TINYTF_ISA
