#pragma once

#include <cstdint>

namespace tinytf::kernels {

/// How a window slides over the spatial axes of a channels-last tensor, for convolution and pooling alike. Axes are
/// depth, height, width; a two-dimensional op leaves depth at its defaults, a one-dimensional one height too.
///
/// Tap t of output o reads input o * stride + t * dilation - pad_before; taps outside [0, in) read padding. The padding
/// at the end follows from `out`, which the caller's shape rule has computed. pad_before may be negative (cropping).
struct Window {
  static constexpr int kAxes = 3;
  int64_t in[kAxes] = {1, 1, 1};
  int64_t out[kAxes] = {1, 1, 1};
  int64_t size[kAxes] = {1, 1, 1};  // Taps.
  int64_t stride[kAxes] = {1, 1, 1};
  int64_t dilation[kAxes] = {1, 1, 1};
  int64_t pad_before[kAxes] = {0, 0, 0};

  int64_t in_points() const { return in[0] * in[1] * in[2]; }
  int64_t out_points() const { return out[0] * out[1] * out[2]; }
  int64_t taps() const { return size[0] * size[1] * size[2]; }
};

/// Index of height and width in Window's arrays.
inline constexpr int kHeight = 1;
inline constexpr int kWidth = 2;

}  // namespace tinytf::kernels
