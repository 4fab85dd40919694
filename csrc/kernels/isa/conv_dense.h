#pragma once

#include <numeric>

#include "kernels/conv.h"
#include "kernels/isa/conv_filter_gradient.h"
#include "kernels/isa/conv_product.h"

// Convolution and its gradients for float and double.
namespace tinytf::kernels::TINYTF_ISA {

template <class T>
void conv_forward(const ConvShape& shape, const T* input, const T* filter, T* output, const T* bias, bool relu,
                  Parallel& parallel) {
  const Window& w = shape.window;
  const int64_t n = shape.out_channels;
  WindowMultiplier<T>({shape.batch,
                       shape.in_channels,
                       n,
                       {forward_axis(w, 0), forward_axis(w, 1), forward_axis(w, 2)},
                       input,
                       filter,
                       output,
                       w.out_points() * n,
                       {w.out[1] * w.out[2] * n, w.out[2] * n, n},
                       bias,
                       relu})
      .run(parallel);
}

/// One axis of the gradient of the input at the points r, r + stride, …. The taps that reach them are first_tap,
/// first_tap - tap_step, …, ordered so that their reads of out_backprop ascend.
struct InputPhase {
  ConvAxis axis;
  int64_t first_tap = 0;
  int64_t tap_step = 1;
};

inline InputPhase input_phase(const Window& w, int i, int64_t r) {
  InputPhase phase;
  const int64_t stride = w.stride[i], dilation = w.dilation[i];
  const int64_t common = std::gcd(stride, dilation);
  phase.tap_step = stride / common;
  phase.axis = {(w.in[i] - r + stride - 1) / stride, 1, w.out[i], 0, 0, dilation / common};
  for (int64_t tap = 0; tap < w.size[i]; ++tap) {
    const int64_t reach = r + w.pad_before[i] - tap * dilation;
    if (reach % stride != 0) continue;
    ++phase.axis.taps;
    phase.first_tap = tap;
    phase.axis.first = reach / stride;
  }
  return phase;
}

/// The filter of a phase with its taps in that order and its channels exchanged: [taps…, out channel, in channel].
template <class T>
void turn_filter(const ConvShape& shape, const T* filter, const InputPhase (&phases)[3], T* turned) {
  const Window& w = shape.window;
  const int64_t n = shape.in_channels, depth = shape.out_channels;
  const auto tap_at = [&](int i, int64_t t) { return phases[i].first_tap - t * phases[i].tap_step; };
  for (int64_t z = 0; z < phases[0].axis.taps; ++z) {
    for (int64_t y = 0; y < phases[1].axis.taps; ++y) {
      for (int64_t x = 0; x < phases[2].axis.taps; ++x, turned += n * depth) {
        const T* from = filter + ((tap_at(0, z) * w.size[1] + tap_at(1, y)) * w.size[2] + tap_at(2, x)) * n * depth;
        pack_across([=](int64_t i) { return from + i * depth; }, static_cast<int>(n), n, depth, turned);
      }
    }
  }
}

template <class T>
void conv_backprop_input(const ConvShape& shape, const T* filter, const T* out_backprop, T* in_backprop,
                         Parallel& parallel) {
  const Window& w = shape.window;
  const int64_t n = shape.in_channels;
  if (shape.batch * w.in_points() * n == 0) return;
  Scratch turned(w.taps() * shape.out_channels * n * sizeof(T));
  const int64_t row = w.in[2] * n, plane = w.in[1] * row;
  for (int64_t z = 0; z < std::min(w.stride[0], w.in[0]); ++z) {
    for (int64_t y = 0; y < std::min(w.stride[1], w.in[1]); ++y) {
      for (int64_t x = 0; x < std::min(w.stride[2], w.in[2]); ++x) {
        const InputPhase phases[3] = {input_phase(w, 0, z), input_phase(w, 1, y), input_phase(w, 2, x)};
        turn_filter(shape, filter, phases, turned.as<T>());
        WindowMultiplier<T>({shape.batch,
                             shape.out_channels,
                             n,
                             {phases[0].axis, phases[1].axis, phases[2].axis},
                             out_backprop,
                             turned.as<T>(),
                             in_backprop + z * plane + y * row + x * n,
                             w.in[0] * plane,
                             {w.stride[0] * plane, w.stride[1] * row, w.stride[2] * n}})
            .run(parallel);
      }
    }
  }
}

template <class T>
void conv_backprop_filter(const ConvShape& shape, const T* input, const T* out_backprop, T* filter_backprop,
                          Parallel& parallel) {
  FilterGradient<T>(shape, input, out_backprop).run(filter_backprop, parallel);
}

}  // namespace tinytf::kernels::TINYTF_ISA
