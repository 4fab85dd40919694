#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/isa/gemm_pack.h"
#include "kernels/isa/gemm_tile.h"
#include "kernels/isa/scratch.h"

// Blocking of a matrix product for the caches. Panels of B (kTileColumns wide) for a block of kDepth steps stay in L2
// while one panel of A after the other (kTileRows high, in L1) sweeps over them.
namespace tinytf::kernels::TINYTF_ISA {

/// Steps of k whose products are summed in registers, and bytes of B that one block holds.
inline constexpr int64_t kMaxDepth = 640;
inline constexpr int64_t kBlockBytes = 768 << 10;

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// Length of the pieces if `total` is split evenly into the fewest pieces of at most `limit`; a multiple of `unit`.
inline int64_t even_piece(int64_t total, int64_t limit, int64_t unit) {
  const int64_t pieces = std::max<int64_t>(1, ceil_div(total, limit));
  return std::max<int64_t>(unit, ceil_div(ceil_div(total, pieces), unit) * unit);
}

/// Row stride of a panel of A that is stored row by row: an odd number of cache lines, so that the rows do not compete
/// for the same lines of L1.
template <class T>
constexpr int64_t panel_row(int64_t length) {
  constexpr int64_t kLine = 64 / sizeof(T);
  return (((length + kLine - 1) / kLine) | 1) * kLine;
}

/// Whether a source of columns packs them, and so needs room.
template <class SourceB>
inline constexpr bool kPacksColumns = true;

/// Computes C[m0 … m1, n0 … n1] from panels of the sources:
///   PanelA<T> a.panel(i, rows, p, length, T* room)      rows of A from i on, steps p … p + length; room for packing
///   BlockB<T> b.block(p, length, j, columns, T* room)   likewise columns of B, as panels that are kTileColumns wide
/// `c` and the bias of `end` point at the rectangle's first element; `end` applies after the last step.
template <class T, class SourceA, class SourceB>
void multiply(int64_t m0, int64_t m1, int64_t n0, int64_t n1, int64_t k, const SourceA& a, const SourceB& b, T* c,
              int64_t ldc, const TileEnd<T>& end) {
  constexpr int64_t kColumns = kTileColumns<T>;
  const int64_t depth = even_piece(k, kMaxDepth * 4 / static_cast<int64_t>(sizeof(T)), 8);
  const int64_t limit = std::max(kColumns, kBlockBytes / static_cast<int64_t>(sizeof(T)) / depth / kColumns * kColumns);
  const int64_t width = even_piece(n1 - n0, limit, kColumns);
  const int64_t panels = ceil_div(width, kColumns);

  const size_t room_a = kTileRows * panel_row<T>(depth) * sizeof(T);
  Scratch scratch(room_a + (kPacksColumns<SourceB> ? panels * kColumns * depth * sizeof(T) : 0));
  T* const packed_a = scratch.as<T>();
  T* const packed_b = reinterpret_cast<T*>(scratch.as<char>() + room_a);

  for (int64_t j0 = n0; j0 < n1; j0 += width) {
    const int64_t j1 = std::min(j0 + width, n1);
    for (int64_t p = 0; p == 0 || p < k; p += depth) {
      const int64_t length = std::min(depth, k - p);
      const bool last = p + length >= k;
      const BlockB<T> block_b = b.block(p, length, j0, j1 - j0, packed_b);
      for (int64_t i = m0; i < m1; i += kTileRows) {
        const int rows = static_cast<int>(std::min<int64_t>(kTileRows, m1 - i));
        const PanelA<T> panel_a = a.panel(i, rows, p, length, packed_a);
        for (int64_t j = j0, q = 0; j < j1; j += kColumns, ++q) {
          int lanes;
          const TileFn<T> run = tile_for<T>(rows, static_cast<int>(std::min(kColumns, j1 - j)), &lanes);
          const TileEnd<T> tile_end = {end.accumulate || p > 0, last && end.bias ? end.bias + (j - n0) : nullptr,
                                       last && end.relu};
          run({length}, panel_a, block_b.panel(q), c + (i - m0) * ldc + (j - n0), ldc, lanes, tile_end);
        }
      }
    }
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
