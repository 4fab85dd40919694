#pragma once

#include <type_traits>

#include "kernels/isa/convert_float.h"
#include "kernels/isa/gemm_narrow.h"
#include "kernels/recurrent.h"

// Shared parts of recurrent nets: numbers as floats, and matrices for repeated products with few rows.
namespace tinytf::kernels::TINYTF_ISA {

/// Number of units processed at a time if they must be converted.
inline constexpr int64_t kUnitBlock = 256;

template <class T>
inline constexpr bool kIsFloat = std::is_same_v<T, float>;

/// n numbers as floats: in place, or converted in `room`.
template <class T>
inline const float* floats(const T* from, int64_t n, [[maybe_unused]] float* room) {
  if constexpr (kIsFloat<T>) {
    return from;
  } else {
    to_float(from, n, room);
    return room;
  }
}

/// The memory for n floats that store_floats() then moves to `to`: `to` itself, or `room`.
template <class T>
inline float* place(T* to, [[maybe_unused]] float* room) {
  if constexpr (kIsFloat<T>) {
    return to;
  } else {
    return room;
  }
}

template <class T>
inline void store_floats(const float* from, int64_t n, T* to) {
  if constexpr (kIsFloat<T>) {
    if (from != to && n > 0) std::memcpy(to, from, n * sizeof(float));
  } else {
    from_float(from, n, to);
  }
}

template <class T>
inline void load_floats_to(const T* from, int64_t n, float* to) {
  if constexpr (kIsFloat<T>) {
    copy_values(from, n, to);
  } else {
    to_float(from, n, to);
  }
}

/// Columns of B for multiply() that need no packing: packed before, or read in place. A product must begin with the
/// first of these columns.
struct ReadyColumns {
  const float* data = nullptr;
  int64_t step = 0;
  int64_t next = 0;
  bool by_few_rows = false;  ///< They are in place, and few rows are multiplied with them.

  BlockB<float> block(int64_t p, int64_t, int64_t j, int64_t, float*) const {
    return {data + p * step + j / kTileColumns<float> * next, step, next};
  }
};
template <>
inline constexpr bool kPacksColumns<ReadyColumns> = false;

/// A matrix [k, n], or [n, k] if transposed, as the right factor of products.
template <class T>
struct Columns {
  const T* data;
  int64_t ld;
  int64_t k;
  int64_t n;
  bool transposed;

  /// Whether `rows` rows are so few that reading the matrix in place is cheaper than packing it.
  bool stays(int64_t rows) const { return kIsFloat<T> && !transposed && rows <= 2 * kTileRows; }
  int64_t room() const { return ceil_div(n, kTileColumns<float>) * kTileColumns<float> * k; }

  ReadyColumns in_place() const {
    if constexpr (kIsFloat<T>) {
      return {data, ld, kTileColumns<float>, false};
    } else {
      return {};
    }
  }
  ReadyColumns pack(float* to, Parallel& parallel) const {
    constexpr int64_t kWidth = kTileColumns<float>;
    const std::conditional_t<kIsFloat<T>, MatrixB<float>, NarrowMatrix<T>> matrix = [&] {
      if constexpr (kIsFloat<T>) {
        return MatrixB<float>{data, ld, transposed, false};
      } else {
        return NarrowMatrix<T>{data, ld, transposed};
      }
    }();
    pack_columns(matrix, k, n, to, parallel);
    return {to, kWidth, kWidth * k, false};
  }
};

/// Rows [x, h] of A for multiply().
template <class T>
struct JoinedRows {
  const T* x;
  int64_t inputs;
  const T* h;
  int64_t units;

  PanelA<float> panel(int64_t i, int rows, int64_t p, int64_t length, float* room) const {
    const int64_t row = panel_row<float>(length);
    const int64_t of_x = std::clamp<int64_t>(inputs - p, 0, length);
    for (int r = 0; r < rows; ++r) {
      float* const to = room + r * row;
      if (of_x > 0) load_floats_to(x + (i + r) * inputs + p, of_x, to);
      if (of_x < length) load_floats_to(h + (i + r) * units + (p + of_x - inputs), length - of_x, to + of_x);
    }
    return {room, row, 1};
  }
};

/// First column of each gate's block of `units` columns.
struct GateColumns {
  int64_t input = 0, fresh, forget, output;
  GateColumns(GateOrder order, int64_t units)
      : fresh(order == GateOrder::kNewSecond ? units : 2 * units),
        forget(order == GateOrder::kNewSecond ? 2 * units : units),
        output(3 * units) {}
};

void fill_lstm(RecurrentTable& table);
void fill_lstm_gradient(RecurrentTable& table);
void fill_gru(GruTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
