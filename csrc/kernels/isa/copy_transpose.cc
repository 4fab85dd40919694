#include <cstring>

#include "kernels/isa/compiler.h"
#include "kernels/isa/copy_parts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Two-dimensional transposition in tiles whose rows are one cache line, through a buffer in L1: each line of source and
// destination is accessed once, even if strides alias in the cache. Within a tile, 16-byte rows go through a network of
// interleaves.
namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int kLine = 64;

template <class T>
struct Rows;  // 16 bytes of T as a vector.

template <>
struct Rows<Word1> {
  typedef uint8_t V __attribute__((vector_size(16)));
  static V low(V a, V b) { return shuffle<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b); }
  static V high(V a, V b) { return shuffle<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b); }
};

template <>
struct Rows<Word2> {
  typedef uint16_t V __attribute__((vector_size(16)));
  static V low(V a, V b) { return shuffle<0, 8, 1, 9, 2, 10, 3, 11>(a, b); }
  static V high(V a, V b) { return shuffle<4, 12, 5, 13, 6, 14, 7, 15>(a, b); }
};

template <>
struct Rows<Word4> {
  typedef uint32_t V __attribute__((vector_size(16)));
  static V low(V a, V b) { return shuffle<0, 4, 1, 5>(a, b); }
  static V high(V a, V b) { return shuffle<2, 6, 3, 7>(a, b); }
};

template <>
struct Rows<Word8> {
  typedef uint64_t V __attribute__((vector_size(16)));
  static V low(V a, V b) { return shuffle<0, 2>(a, b); }
  static V high(V a, V b) { return shuffle<1, 3>(a, b); }
};

template <>
struct Rows<Word16> {
  typedef uint64_t V __attribute__((vector_size(16)));
  static V low(V a, V) { return a; }
  static V high(V, V b) { return b; }
};

/// Transposes a square of 16-byte rows: log2(n) rounds of interleaving row k with row k + n / 2.
template <class T>
inline void transpose_square(const T* src, int64_t src_stride, T* dst, int64_t dst_stride) {
  constexpr int n = 16 / sizeof(T);
  using V = typename Rows<T>::V;
  V rows[n], next[n];
  for (int k = 0; k < n; ++k) std::memcpy(&rows[k], src + k * src_stride, sizeof(V));
#pragma GCC unroll 4
  for (int width = 1; width < n; width *= 2) {
#pragma GCC unroll 8
    for (int k = 0; k < n / 2; ++k) {
      next[2 * k] = Rows<T>::low(rows[k], rows[k + n / 2]);
      next[2 * k + 1] = Rows<T>::high(rows[k], rows[k + n / 2]);
    }
#pragma GCC unroll 16
    for (int k = 0; k < n; ++k) rows[k] = next[k];
  }
  for (int k = 0; k < n; ++k) std::memcpy(dst + k * dst_stride, &rows[k], sizeof(V));
}

inline void store_line(const void* line, void* dst, bool stream) {
#if defined(__SSE2__)
  if (stream) {
    for (int k = 0; k < kLine / 16; ++k) {
      _mm_stream_si128(static_cast<__m128i*>(dst) + k, _mm_load_si128(static_cast<const __m128i*>(line) + k));
    }
    return;
  }
#else
  (void)stream;
#endif
  std::memcpy(dst, line, kLine);
}

template <class T>
void tile(const T* src, int64_t src_stride, T* dst, int64_t dst_stride, bool stream) {
  constexpr int n = kLine / sizeof(T);
  constexpr int square = 16 / sizeof(T);
  alignas(kLine) T buffer[n * n];
  for (int i = 0; i < n; i += square) {
    for (int j = 0; j < n; j += square) transpose_square(src + i * src_stride + j, src_stride, buffer + j * n + i, n);
  }
  for (int j = 0; j < n; ++j) store_line(buffer + j * n, dst + j * dst_stride, stream);
}

template <class T>
void edge(const Loose<T>* src, int64_t src_stride, Loose<T>* dst, int64_t dst_stride, int64_t rows, int64_t columns) {
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < rows; ++i) dst[j * dst_stride + i] = src[i * src_stride + j];
  }
}

template <class T>
void block(const T* src, int64_t src_stride, T* dst, int64_t dst_stride, int64_t rows, int64_t columns, bool stream) {
  constexpr int64_t n = kLine / sizeof(T);
  for (int64_t i = 0; i < rows; i += n) {
    for (int64_t j = 0; j < columns; j += n) {
      const T* from = src + i * src_stride + j;
      T* to = dst + j * dst_stride + i;
      if (rows - i >= n && columns - j >= n) {
        tile(from, src_stride, to, dst_stride, stream);
      } else {
        edge<T>(from, src_stride, to, dst_stride, rows - i < n ? rows - i : n, columns - j < n ? columns - j : n);
      }
    }
  }
}

}  // namespace

void transpose_block(const void* src, int64_t src_stride, void* dst, int64_t dst_stride, size_t size, int64_t rows,
                     int64_t columns, bool stream) {
  with_word(size, [&](auto* word) {
    using T = std::remove_pointer_t<decltype(word)>;
    block(static_cast<const T*>(src), src_stride, static_cast<T*>(dst), dst_stride, rows, columns, stream);
  });
}

void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace tinytf::kernels::TINYTF_ISA
