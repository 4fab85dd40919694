#pragma once

#include <algorithm>

#include "kernels/conv.h"
#include "kernels/isa/convert_float.h"
#include "kernels/isa/scratch.h"
#include "kernels/isa/window_loop.h"

// Depthwise convolution: one multiply-add per tap and channel, bound by memory; channels are the vector axis.
namespace tinytf::kernels::TINYTF_ISA {

/// out[c * multiplier + q] += in[c] * taps[c * multiplier + q]
template <class V>
inline void add_products(const V* in, const V* taps, int64_t channels, int64_t multiplier, V* out) {
  if (multiplier == 1) {
    for (int64_t c = 0; c < channels; ++c) out[c] += in[c] * taps[c];
    return;
  }
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t q = 0; q < multiplier; ++q) out[c * multiplier + q] += in[c] * taps[c * multiplier + q];
  }
}

/// in[c] += sum over q of out[c * multiplier + q] * taps[c * multiplier + q]
template <class V>
inline void add_sums(const V* out, const V* taps, int64_t channels, int64_t multiplier, V* in) {
  if (multiplier == 1) return add_products(out, taps, channels, 1, in);
  for (int64_t c = 0; c < channels; ++c) {
    V sum = in[c];
    for (int64_t q = 0; q < multiplier; ++q) sum += out[c * multiplier + q] * taps[c * multiplier + q];
    in[c] = sum;
  }
}

inline double depthwise_row_cost(const DepthwiseShape& s) {
  return static_cast<double>(s.window.out[2]) * s.window.taps() * s.channels * s.multiplier / 8;
}

template <class V>
void depthwise_forward(const DepthwiseShape& s, const V* input, const V* filter, V* output, Parallel& parallel) {
  const Window& w = s.window;
  const int64_t wide = s.channels * s.multiplier, rows = w.out[0] * w.out[1];
  parallel.run(s.batch * rows, 1, depthwise_row_cost(s), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t image = row / rows;
      const V* from = input + image * w.in_points() * s.channels;
      V* to = output + image * w.out_points() * wide;
      for_each_out(w, row % rows, row % rows + 1, [&](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
        V* out = to + point * wide;
        std::fill_n(out, wide, V());
        for_each_tap(w, taps, at, [&](int64_t tap, int64_t source) {
          add_products(from + source * s.channels, filter + tap * wide, s.channels, s.multiplier, out);
        });
      });
    }
  });
}

/// Overlapping windows add to one point, so an image is one unit of work.
template <class V>
void depthwise_backprop_input(const DepthwiseShape& s, const V* filter, const V* errors, V* in_backprop,
                              Parallel& parallel) {
  const Window& w = s.window;
  const int64_t wide = s.channels * s.multiplier, rows = w.out[0] * w.out[1];
  parallel.run(s.batch, 1, rows * depthwise_row_cost(s), [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) {
      V* to = in_backprop + image * w.in_points() * s.channels;
      const V* from = errors + image * w.out_points() * wide;
      std::fill_n(to, w.in_points() * s.channels, V());
      const auto add_point = [=, &s, &w](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
        for_each_tap(w, taps, at, [&](int64_t tap, int64_t source) {
          add_sums(from + point * wide, filter + tap * wide, s.channels, s.multiplier, to + source * s.channels);
        });
      };
      for_each_out_in_order(w, depthwise_row_cost(s), parallel, add_point);
    }
  });
}

/// Splits the images into chunks, whose number depends only on the shape; their sums are added in order.
template <class V>
void depthwise_backprop_filter(const DepthwiseShape& s, const V* input, const V* errors, V* filter_backprop,
                               Parallel& parallel) {
  const Window& w = s.window;
  const int64_t wide = s.channels * s.multiplier, rows = w.out[0] * w.out[1], size = w.taps() * wide;
  const int64_t chunks = std::clamp<int64_t>(s.batch, 1, 16), chunk = (s.batch + chunks - 1) / chunks;
  Scratch scratch(chunks * size * sizeof(V));
  V* const sums = scratch.as<V>();
  parallel.run(chunks, 1, chunk * rows * depthwise_row_cost(s), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      V* sum = sums + i * size;
      std::fill_n(sum, size, V());
      for (int64_t image = i * chunk; image < std::min(s.batch, (i + 1) * chunk); ++image) {
        const V* in = input + image * w.in_points() * s.channels;
        const V* out = errors + image * w.out_points() * wide;
        const auto add_point = [=, &s, &w](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
          for_each_tap(w, taps, at, [&](int64_t tap, int64_t source) {
            const V* left = in + source * s.channels;
            const V* right = out + point * wide;
            V* to = sum + tap * wide;
            add_products(left, right, s.channels, s.multiplier, to);
          });
        };
        for_each_out_in_order(w, depthwise_row_cost(s), parallel, add_point);
      }
    }
  });
  parallel.run(size, 64, static_cast<double>(chunks), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      V sum = sums[i];
      for (int64_t c = 1; c < chunks; ++c) sum += sums[c * size + i];
      filter_backprop[i] = sum;
    }
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
