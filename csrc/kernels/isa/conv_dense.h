#pragma once

#include <numeric>

#include "kernels/conv.h"
#include "kernels/isa/conv_patches.h"
#include "kernels/isa/gemm_narrow.h"

// Convolution as products of patch matrices.
namespace tinytf::kernels::TINYTF_ISA {

/// multiply() for a C of any type; panels are of the computed type.
template <class T, class SourceA, class SourceB>
void multiply_any(int64_t m0, int64_t m1, int64_t n0, int64_t n1, int64_t k, const SourceA& a, const SourceB& b, T* c,
                  int64_t ldc, const TileEnd<T>& end) {
  if constexpr (kNarrow<T>) {
    multiply_rounded(m0, m1, n0, n1, k, a, b, c, ldc, end);
  } else {
    multiply<T>(m0, m1, n0, n1, k, a, b, c, ldc, end);
  }
}

template <class T>
using StoredB = std::conditional_t<kNarrow<T>, NarrowMatrix<T>, MatrixB<T>>;

template <class T>
StoredB<T> matrix_b(const T* data, int64_t ld) {
  if constexpr (kNarrow<T>) {
    return {data, ld, false};
  } else {
    return {data, ld, false, false};
  }
}

template <class Matrix, class T>
Matrix input_patches(const ConvShape& shape, const T* input) {
  const Window& w = shape.window;
  PatchAxis axes[3];
  for (int i = 0; i < 3; ++i) axes[i] = {w.out[i], w.stride[i], w.in[i], w.size[i], -w.pad_before[i], w.dilation[i]};
  return {input, shape.in_channels, axes};
}

template <class T>
void conv_forward(const ConvShape& shape, const void* input, const void* filter, void* output,
                  const ConvEpilogue& epilogue, Parallel& parallel) {
  const int64_t m = shape.batch * shape.window.out_points(), n = shape.out_channels;
  const int64_t k = shape.window.taps() * shape.in_channels;
  if (m == 0 || n == 0) return;
  const Patches<T> patches = input_patches<Patches<T>>(shape, static_cast<const T*>(input));
  const StoredB<T> taps = matrix_b(static_cast<const T*>(filter), n);
  const T* const bias = static_cast<const T*>(epilogue.bias);
  T* const target = static_cast<T*>(output);
  split_output<Computed<T>>(m, n, k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    const TileEnd<T> end{false, bias != nullptr ? bias + n0 : nullptr, epilogue.relu};
    multiply_any(m0, m1, n0, n1, k, patches, taps, target + m0 * n + n0, n, end);
  });
}

/// to[j, i] = from[i, j], converted to the computed type.
template <class T>
void transpose(const T* from, int64_t rows, int64_t columns, Computed<T>* to) {
  if constexpr (kNarrow<T>) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) to[j * rows + i] = static_cast<float>(from[i * columns + j]);
    }
  } else {
    pack_across([=](int64_t i) { return from + i * columns; }, static_cast<int>(rows), rows, columns, to);
  }
}

/// One axis of the gradient of the input at the points r, r + stride, …: the taps that reach them are first_tap,
/// first_tap - tap_step, …, ordered so that what they read of out_backprop ascends.
struct InputPhase {
  PatchAxis axis;
  int64_t first_tap = 0;
  int64_t tap_step = 1;
};

inline InputPhase input_phase(const Window& w, int i, int64_t r) {
  InputPhase phase;
  const int64_t stride = w.stride[i], dilation = w.dilation[i];
  phase.tap_step = stride / std::gcd(stride, dilation);
  phase.axis = {(w.in[i] - r + stride - 1) / stride, 1, w.out[i], 0, 0, dilation * phase.tap_step / stride};
  for (int64_t tap = 0; tap < w.size[i]; ++tap) {
    const int64_t reach = r + w.pad_before[i] - tap * dilation;
    if (reach % stride != 0) continue;
    ++phase.axis.taps;
    phase.first_tap = tap;
    phase.axis.first = reach / stride;
  }
  return phase;
}

template <class T>
void conv_backprop_input(const ConvShape& shape, const void* filter, const void* out_backprop, void* in_backprop,
                         Parallel& parallel) {
  const Window& w = shape.window;
  const int64_t n = shape.in_channels, depth = shape.out_channels;
  T* const target = static_cast<T*>(in_backprop);
  if (shape.batch * w.in_points() * n == 0) return;
  const bool strided = w.stride[0] * w.stride[1] * w.stride[2] > 1;

  for (int64_t rz = 0; rz < std::min(w.stride[0], w.in[0]); ++rz) {
    for (int64_t ry = 0; ry < std::min(w.stride[1], w.in[1]); ++ry) {
      for (int64_t rx = 0; rx < std::min(w.stride[2], w.in[2]); ++rx) {
        const InputPhase z = input_phase(w, 0, rz), y = input_phase(w, 1, ry), x = input_phase(w, 2, rx);
        const int64_t taps = z.axis.taps * y.axis.taps * x.axis.taps;
        const int64_t m = shape.batch * z.axis.points * y.axis.points * x.axis.points, k = taps * depth;
        // Filters of this phase as a matrix (tap, out channel) × in channel.
        Scratch turned(k * n * sizeof(Computed<T>));
        int64_t tap = 0;
        for (int64_t a = 0; a < z.axis.taps; ++a) {
          for (int64_t b = 0; b < y.axis.taps; ++b) {
            for (int64_t c = 0; c < x.axis.taps; ++c, ++tap) {
              const int64_t from =
                  ((z.first_tap - a * z.tap_step) * w.size[1] + y.first_tap - b * y.tap_step) * w.size[2] +
                  x.first_tap - c * x.tap_step;
              transpose(static_cast<const T*>(filter) + from * n * depth, n, depth,
                        turned.as<Computed<T>>() + tap * n * depth);
            }
          }
        }
        const MatrixB<Computed<T>> taps_matrix{turned.as<Computed<T>>(), n, false, false};
        const PatchAxis axes[3] = {z.axis, y.axis, x.axis};
        const Patches<T> patches(static_cast<const T*>(out_backprop), depth, axes);
        split_output<Computed<T>>(m, n, k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
          if (!strided) {
            return multiply_any(m0, m1, n0, n1, k, patches, taps_matrix, target + m0 * n + n0, n, TileEnd<T>());
          }
          constexpr int64_t kRows = 32 * kTileRows;
          const int64_t columns = n1 - n0;
          Scratch dense(kRows * columns * sizeof(T));
          for (int64_t i = m0; i < m1; i += kRows) {
            const int64_t rows = std::min(kRows, m1 - i);
            multiply_any(i, i + rows, n0, n1, k, patches, taps_matrix, dense.as<T>(), columns, TileEnd<T>());
            for (int64_t r = 0; r < rows; ++r) {
              int64_t at = i + r;
              const int64_t px = at % x.axis.points * w.stride[2] + rx;
              at /= x.axis.points;
              const int64_t py = at % y.axis.points * w.stride[1] + ry;
              at /= y.axis.points;
              const int64_t pz = at % z.axis.points * w.stride[0] + rz, image = at / z.axis.points;
              const int64_t point = ((image * w.in[0] + pz) * w.in[1] + py) * w.in[2] + px;
              std::copy_n(dense.as<T>() + r * columns, columns, target + point * n + n0);
            }
          }
        });
      }
    }
  }
}

/// A source of A whose steps start further on.
template <class Source>
struct StepsFrom {
  const Source& source;
  int64_t first;
  template <class Value>
  PanelA<Value> panel(int64_t i, int rows, int64_t p, int64_t length, Value* room) const {
    return source.panel(i, rows, first + p, length, room);
  }
};

template <class T>
void conv_backprop_filter(const ConvShape& shape, const void* input, const void* out_backprop, void* filter_backprop,
                          Parallel& parallel) {
  using Value = Computed<T>;
  const int64_t m = shape.window.taps() * shape.in_channels, n = shape.out_channels;
  const int64_t points = shape.batch * shape.window.out_points();
  if (m == 0 || n == 0) return;
  const TransposedPatches<T> patches = input_patches<TransposedPatches<T>>(shape, static_cast<const T*>(input));
  const T* const errors = static_cast<const T*>(out_backprop);
  T* const target = static_cast<T*>(filter_backprop);

  // Few outputs are long sums: the points are cut into chunks, as many as the shape says, whose sums are added in
  // order.
  constexpr int64_t kMostSums = int64_t{1} << 20;
  const int64_t chunks = std::min({int64_t{16}, points / 1024, kMostSums / (m * n)});
  if (chunks <= 1) {
    split_output<Value>(m, n, points, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
      multiply_any(m0, m1, n0, n1, points, patches, matrix_b(errors, n), target + m0 * n + n0, n, TileEnd<T>());
    });
    return;
  }
  Scratch scratch(chunks * m * n * sizeof(Value));
  Value* const sums = scratch.as<Value>();
  const int64_t chunk = ceil_div(points, chunks);
  const double cost = static_cast<double>(m) * n * chunk / kProductsPerNs * (sizeof(Value) / 4.0);
  parallel.run(chunks, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * chunk, length = std::max<int64_t>(0, std::min(chunk, points - first));
      multiply<Value>(0, m, 0, n, length, StepsFrom<TransposedPatches<T>>{patches, first},
                      matrix_b(errors + first * n, n), sums + i * m * n, n, TileEnd<Value>());
    }
  });
  parallel.run(m, 1, static_cast<double>(chunks) * n / 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * n; i < end * n; ++i) {
      Value sum = sums[i];
      for (int64_t c = 1; c < chunks; ++c) sum += sums[c * m * n + i];
      target[i] = static_cast<T>(sum);
    }
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
