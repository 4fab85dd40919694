#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/isa/compiler.h"
#include "kernels/isa/gemm_tile.h"

// Packing of parts of matrices into panels: the `width` elements of one step are contiguous, and steps follow each
// other.
namespace tinytf::kernels::TINYTF_ISA {

/// Prefetches the cache lines of from … from + n. The rows of a matrix lie in different pages, and the processor's own
/// prefetching does not cross pages.
template <class T>
inline void prefetch(const T* from, int64_t n) {
  for (int64_t at = 0; at < n; at += 64 / sizeof(T)) __builtin_prefetch(from + at);
}

/// to[p * width + r] = row_at(r)[p] for r < count, p < length. Lanes count … width are not written.
template <class T, class RowAt>
inline void pack_rows(RowAt row_at, int count, int64_t width, int64_t length, T* to) {
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
        const Quad low01 = shuffle<0, 4, 1, 5>(in[0], in[1]);
        const Quad high01 = shuffle<2, 6, 3, 7>(in[0], in[1]);
        const Quad low23 = shuffle<0, 4, 1, 5>(in[2], in[3]);
        const Quad high23 = shuffle<2, 6, 3, 7>(in[2], in[3]);
        mixed[0] = shuffle<0, 1, 4, 5>(low01, low23);
        mixed[1] = shuffle<2, 3, 6, 7>(low01, low23);
        mixed[2] = shuffle<0, 1, 4, 5>(high01, high23);
        mixed[3] = shuffle<2, 3, 6, 7>(high01, high23);
      } else {
        mixed[0] = shuffle<0, 2>(in[0], in[1]);
        mixed[1] = shuffle<1, 3>(in[0], in[1]);
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

/// pack_rows() in pieces short enough for L1.
template <class T, class RowAt>
inline void pack_across(RowAt row_at, int count, int64_t width, int64_t length, T* to) {
  constexpr int64_t kPiece = 128 / sizeof(T);
  for (int64_t p = 0; p < length; p += kPiece) {
    for (int r = 0; r < count && p + 2 * kPiece <= length; ++r) prefetch(row_at(r) + p + kPiece, kPiece);
    pack_rows([&](int r) { return row_at(r) + p; }, count, width, std::min(kPiece, length - p), to + p * width);
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

/// Makes panels side by side: panel q holds the columns from q * kWidth on, as pack_along() packs them, `length` steps
/// long. Bands of whole rows are read, so that memory is accessed in order.
template <int kWidth, class T>
inline void pack_bands(const T* from, int64_t stride, int64_t columns, int64_t length, T* to) {
  constexpr int64_t kBand = 8;
  for (int64_t p = 0; p < length; p += kBand) {
    const int64_t rows = std::min(kBand, length - p);
    for (int64_t q = 0; q < columns; q += kWidth) {
      const int count = static_cast<int>(std::min<int64_t>(kWidth, columns - q));
      pack_along<kWidth>(from + p * stride + q, stride, count, rows, to + q * length + p * kWidth);
    }
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
