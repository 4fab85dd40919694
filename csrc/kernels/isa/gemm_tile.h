#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// The innermost loops of matrix products: one tile of C, a few rows by one or two vectors, held in registers.
namespace tinytf::kernels::TINYTF_ISA {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
inline constexpr int kTileRows = 12;  // 24 accumulators of 32 registers.
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
inline constexpr int kTileRows = 6;  // 12 accumulators of 16 registers.
#else
inline constexpr int kVectorBytes = 16;
inline constexpr int kTileRows = 4;  // 8 accumulators of 16 registers: without FMA, products need registers too.
#endif

template <class T>
inline constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int kTileColumns = 2 * kLanes<T>;

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <class T>
using Vector = typename VectorOf<T>::type;

template <class T>
inline Vector<T> load(const T* from) {
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}
template <class T>
inline void store(T* to, Vector<T> vector) {
  std::memcpy(to, &vector, sizeof vector);
}

/// Loads and stores the first `count` lanes only; the others read as zero, and their memory is not accessed.
#if defined(__AVX512F__)
template <class T>
struct Partial {
  explicit Partial(int count) : mask(static_cast<Mask>((1u << count) - 1)) {}
  Vector<T> load(const T* from) const {
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm512_maskz_loadu_epi32(mask, from);
    else
      return (Vector<T>)_mm512_maskz_loadu_epi64(mask, from);
  }
  void store(T* to, Vector<T> vector) const {
    if constexpr (sizeof(T) == 4)
      _mm512_mask_storeu_epi32(to, mask, (__m512i)vector);
    else
      _mm512_mask_storeu_epi64(to, mask, (__m512i)vector);
  }
  using Mask = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
  Mask mask;
};
#elif defined(__AVX2__)
alignas(32) inline constexpr int32_t kMaskBits[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
template <class T>
struct Partial {
  explicit Partial(int count)
      : mask(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMaskBits + 8 - count * (sizeof(T) / 4)))) {}
  Vector<T> load(const T* from) const {
    if constexpr (sizeof(T) == 4)
      return (Vector<T>)_mm256_maskload_epi32(reinterpret_cast<const int*>(from), mask);
    else
      return (Vector<T>)_mm256_maskload_epi64(reinterpret_cast<const long long*>(from), mask);
  }
  void store(T* to, Vector<T> vector) const {
    if constexpr (sizeof(T) == 4)
      _mm256_maskstore_epi32(reinterpret_cast<int*>(to), mask, (__m256i)vector);
    else
      _mm256_maskstore_epi64(reinterpret_cast<long long*>(to), mask, (__m256i)vector);
  }
  __m256i mask;
};
#else
template <class T>
struct Partial {
  explicit Partial(int lanes) : count(lanes) {}
  Vector<T> load(const T* from) const {
    Vector<T> vector{};
    for (int i = 0; i < count; ++i) vector[i] = from[i];
    return vector;
  }
  void store(T* to, Vector<T> vector) const {
    for (int i = 0; i < count; ++i) to[i] = vector[i];
  }
  int count;
};
#endif

/// Operations on a tile after its products are summed, in this order.
template <class T>
struct TileEnd {
  bool accumulate = false;  // Add the old values of C.
  const T* bias = nullptr;  // Of the tile's first column.
  bool relu = false;
};

/// Location of a panel of A: element (i, p) is at data[i * row + p * step].
template <class T>
struct PanelA {
  const T* data;
  int64_t row;
  int64_t step;
};

/// Location of a panel of B: element (p, j) is at data[p * step + j].
template <class T>
struct PanelB {
  const T* data;
  int64_t step;
};

/// Panels of B, `next` elements apart.
template <class T>
struct BlockB {
  const T* data;
  int64_t step;
  int64_t next;
  PanelB<T> panel(int64_t q) const { return {data + q * next, step}; }
};

/// The products of each element: `outer` runs of `inner` steps. a_outer and b_outer are the panels' strides between the
/// starts of two runs.
struct Steps {
  int64_t inner;
  int64_t outer = 1;
  int64_t a_outer = 0;
  int64_t b_outer = 0;
};

/// Computes C[Rows, Vectors], summed over `steps`. The last vector has `lanes` valid lanes; Cut if these are not all.
template <class T, int Rows, int Vectors, bool Cut>
void tile(const Steps& steps, PanelA<T> a, PanelB<T> b, T* c, int64_t ldc, int lanes, const TileEnd<T>& end) {
  constexpr int kWidth = kLanes<T>;
  const Partial<T> partial(Cut ? lanes : kWidth);
  const auto load_at = [&](const T* from, int v) {
    return Cut && v == Vectors - 1 ? partial.load(from + v * kWidth) : load(from + v * kWidth);
  };

  Vector<T> sum[Rows][Vectors] = {};
  // Every third row gets a pointer, the two after it are indexed: so the pointers fit in registers.
  constexpr int kPointers = (Rows + 2) / 3;
  const T* rows[kPointers];
  for (int64_t q = 0; q < steps.outer; ++q) {
    for (int i = 0; i < kPointers; ++i) rows[i] = a.data + 3 * i * a.row;
    const T* from_b = b.data;
    for (int64_t p = 0; p < steps.inner; ++p) {
      Vector<T> right[Vectors];
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) right[v] = load_at(from_b, v);
#pragma GCC unroll 16
      for (int i = 0; i < Rows; ++i) {
        const T left = rows[i / 3][(i % 3) * a.row];
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) sum[i][v] += left * right[v];
      }
#pragma GCC unroll 4
      for (int i = 0; i < kPointers; ++i) rows[i] += a.step;
      from_b += b.step;
    }
    a.data += steps.a_outer;
    b.data += steps.b_outer;
  }

  if (end.accumulate) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[i][v] += load_at(c + i * ldc, v);
    }
  }
  if (end.bias != nullptr) {
    Vector<T> bias[Vectors];
    for (int v = 0; v < Vectors; ++v) bias[v] = load_at(end.bias, v);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[i][v] += bias[v];
    }
  }
  if (end.relu) {
    const Vector<T> zero{};
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[i][v] = sum[i][v] < zero ? zero : sum[i][v];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
      T* to = c + i * ldc + v * kWidth;
      if (Cut && v == Vectors - 1)
        partial.store(to, sum[i][v]);
      else
        store(to, sum[i][v]);
    }
  }
}

template <class T>
using TileFn = void (*)(const Steps&, PanelA<T>, PanelB<T>, T*, int64_t, int, const TileEnd<T>&);

template <class T>
struct TileFns {
  TileFn<T> by_shape[kTileRows][2][2];  // [rows - 1][vectors - 1][cut]
};

template <class T, int... Row>
constexpr TileFns<T> make_tile_fns(std::integer_sequence<int, Row...>) {
  return {{{{tile<T, Row + 1, 1, false>, tile<T, Row + 1, 1, true>},
            {tile<T, Row + 1, 2, false>, tile<T, Row + 1, 2, true>}}...}};
}
template <class T>
inline constexpr TileFns<T> kTileFns = make_tile_fns<T>(std::make_integer_sequence<int, kTileRows>());

/// Returns the loop for `rows` (1 … kTileRows) by `columns` (1 … kTileColumns) elements, and its argument `lanes`.
template <class T>
inline TileFn<T> tile_for(int rows, int columns, int* lanes) {
  const int vectors = columns > kLanes<T> ? 2 : 1;
  *lanes = columns - (vectors - 1) * kLanes<T>;
  return kTileFns<T>.by_shape[rows - 1][vectors - 1][*lanes != kLanes<T>];
}

}  // namespace tinytf::kernels::TINYTF_ISA
