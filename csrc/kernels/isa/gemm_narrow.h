#pragma once

#include "kernels/isa/convert_float.h"
#include "kernels/isa/gemm_real.h"

// Products of half and bfloat16 matrices: panels are converted to float as they are packed; a tile of C is summed in
// float and rounded once.
namespace tinytf::kernels::TINYTF_ISA {

template <class T>
struct NarrowMatrix {
  const T* data;
  int64_t ld;
  bool transposed;  // Stored with steps as rows (A), or with columns as rows (B).

  PanelA<float> panel(int64_t i, int rows, int64_t p, int64_t length, float* room) const {
    if (!transposed) {
      const int64_t row = panel_row<float>(length);
      for (int r = 0; r < rows; ++r) to_float(data + (i + r) * ld + p, length, room + r * row);
      return {room, row, 1};
    }
    pack<kTileRows>(false, i, rows, p, length, room);
    return {room, 1, kTileRows};
  }
  BlockB<float> block(int64_t p, int64_t length, int64_t j, int64_t columns, float* room) const {
    constexpr int64_t kColumns = kTileColumns<float>;
    for (int64_t q = 0; q < columns; q += kColumns) {
      pack<kColumns>(transposed, j + q, static_cast<int>(std::min(kColumns, columns - q)), p, length,
                     room + q * length);
    }
    return {room, kColumns, kColumns * length};
  }

 private:
  template <int kWidth>
  void pack(bool across, int64_t i, int count, int64_t p, int64_t length, float* room) const {
    if (!across) {
      for (int64_t q = 0; q < length; ++q) to_float(data + (p + q) * ld + i, count, room + q * kWidth);
      return;
    }
    constexpr int kPiece = 128;
    float rows[kWidth][kPiece];
    for (int64_t q = 0; q < length; q += kPiece) {
      const int64_t steps = std::min<int64_t>(kPiece, length - q);
      for (int r = 0; r < count; ++r) to_float(data + (i + r) * ld + p + q, steps, rows[r]);
      pack_across([&](int r) { return rows[r]; }, count, kWidth, steps, room + q * kWidth);
    }
  }
};

/// multiply() for C and bias of a narrow type: sums in a float tile that is rounded once. Works with any sources of
/// float panels.
template <class T, class SourceA, class SourceB>
void multiply_rounded(int64_t m0, int64_t m1, int64_t n0, int64_t n1, int64_t k, const SourceA& a, const SourceB& b,
                      T* c, int64_t ldc, const TileEnd<T>& end) {
  constexpr int64_t kRows = 32 * kTileRows, kColumns = 512;
  Scratch scratch((kRows + 1) * kColumns * sizeof(float));
  float* const bias = scratch.as<float>();
  float* const tile = bias + kColumns;
  for (int64_t j = n0; j < n1; j += kColumns) {
    const int64_t columns = std::min(kColumns, n1 - j);
    if (end.bias != nullptr) to_float(end.bias + (j - n0), columns, bias);
    for (int64_t i = m0; i < m1; i += kRows) {
      const int64_t rows = std::min(kRows, m1 - i);
      T* const to = c + (i - m0) * ldc + (j - n0);
      if (end.accumulate) {
        for (int64_t r = 0; r < rows; ++r) to_float(to + r * ldc, columns, tile + r * kColumns);
      }
      multiply<float>(i, i + rows, j, j + columns, k, a, b, tile, kColumns,
                      {end.accumulate, end.bias != nullptr ? bias : nullptr, end.relu});
      for (int64_t r = 0; r < rows; ++r) from_float(tile + r * kColumns, columns, to + r * ldc);
    }
  }
}

template <class T>
void multiply_narrow(const Product<T>& g, Parallel& parallel) {
  if (g.m == 0 || g.n == 0) return;
  const NarrowMatrix<T> a{g.a, g.lda, g.transpose_a}, b{g.b, g.ldb, g.transpose_b};
  split_output<float>(g.m, g.n, g.k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    const T* bias = g.end.bias != nullptr ? g.end.bias + n0 : nullptr;
    const TileEnd<T> end{g.end.accumulate, bias, g.end.relu};
    multiply_rounded(m0, m1, n0, n1, g.k, a, b, g.c + m0 * g.ldc + n0, g.ldc, end);
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
