#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/isa/gemm_tile.h"

// Rearranging parts of matrices into panels: `width` elements of one step lie side by side, steps follow each other.
namespace tinytf::kernels::TINYTF_ISA {

/// to[p * width + r] = rows[r][p] for r < count, p < length, where row r starts at from + r * stride or at rows[r].
/// Lanes count … width are left alone.
template <class T, class RowAt>
inline void pack_across(RowAt row_at, int count, int64_t width, int64_t length, T* to) {
  typedef T Quad __attribute__((vector_size(16)));
  constexpr int kGroup = 16 / sizeof(T);
  int r = 0;
  for (; r + kGroup <= count; r += kGroup) {
    const T* rows[kGroup];
    for (int i = 0; i < kGroup; ++i) rows[i] = row_at(r + i);
    int64_t p = 0;
    T* out = to + r;
    for (; p + kGroup <= length; p += kGroup, out += kGroup * width) {
      Quad in[kGroup], mixed[kGroup];
      for (int i = 0; i < kGroup; ++i) std::memcpy(&in[i], rows[i] + p, sizeof(Quad));
      if constexpr (kGroup == 4) {
        using Index = int32_t __attribute__((vector_size(16)));
        const Quad low01 = __builtin_shuffle(in[0], in[1], Index{0, 4, 1, 5});
        const Quad high01 = __builtin_shuffle(in[0], in[1], Index{2, 6, 3, 7});
        const Quad low23 = __builtin_shuffle(in[2], in[3], Index{0, 4, 1, 5});
        const Quad high23 = __builtin_shuffle(in[2], in[3], Index{2, 6, 3, 7});
        mixed[0] = __builtin_shuffle(low01, low23, Index{0, 1, 4, 5});
        mixed[1] = __builtin_shuffle(low01, low23, Index{2, 3, 6, 7});
        mixed[2] = __builtin_shuffle(high01, high23, Index{0, 1, 4, 5});
        mixed[3] = __builtin_shuffle(high01, high23, Index{2, 3, 6, 7});
      } else {
        using Index = int64_t __attribute__((vector_size(16)));
        mixed[0] = __builtin_shuffle(in[0], in[1], Index{0, 2});
        mixed[1] = __builtin_shuffle(in[0], in[1], Index{1, 3});
      }
      for (int i = 0; i < kGroup; ++i) std::memcpy(out + i * width, &mixed[i], sizeof(Quad));
    }
    for (; p < length; ++p, out += width) {
      for (int i = 0; i < kGroup; ++i) out[i] = rows[i][p];
    }
  }
  if (r + 2 <= count) {
    const T* first = row_at(r);
    const T* second = row_at(r + 1);
    T* out = to + r;
    for (int64_t p = 0; p < length; ++p, out += width) {
      out[0] = first[p];
      out[1] = second[p];
    }
    r += 2;
  }
  for (; r < count; ++r) {
    const T* row = row_at(r);
    for (int64_t p = 0; p < length; ++p) to[p * width + r] = row[p];
  }
}

/// to[i] = from[i] for i < n: inline, because runs are often short.
template <class T>
inline void copy_values(const T* from, int64_t n, T* to) {
  constexpr int kWidth = kLanes<T>;
  int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) store(to + i, load(from + i));
  if (i == n) return;
  const Partial<T> partial(static_cast<int>(n - i));
  partial.store(to + i, partial.load(from + i));
}

/// to[p * width + j] = from[p * stride + j] for j < count, p < length.
template <int kWidth, class T>
inline void pack_along(const T* from, int64_t stride, int count, int64_t length, T* to) {
  if (count == kWidth) {
    for (int64_t p = 0; p < length; ++p) std::memcpy(to + p * kWidth, from + p * stride, kWidth * sizeof(T));
    return;
  }
  for (int64_t p = 0; p < length; ++p) {
    for (int j = 0; j < count; ++j) to[p * kWidth + j] = from[p * stride + j];
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
