#pragma once

#include "kernels/window.h"
#include "op/common_shapes.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Where batch, channels and the spatial axes of an image tensor stand.
struct ImageFormat {
  bool channels_first = false;

  int channels(int rank) const { return channels_first ? 1 : rank - 1; }
  int spatial(int axis) const { return channels_first ? 2 + axis : 1 + axis; }
};

/// The attrs of a convolution or pooling op that say how its window moves, checked and sorted by spatial axis. `axes`
/// is 2 (height, width) or 3 (depth, height, width).
struct WindowAttrs {
  int axes = 2;
  ImageFormat format;
  shapes::Padding padding = shapes::Padding::kValid;
  int64_t size[3] = {1, 1, 1};  // of pooling; a convolution's is its filter's
  int64_t size_channels = 1;
  int64_t stride[3] = {1, 1, 1};
  int64_t stride_channels = 1;
  int64_t dilation[3] = {1, 1, 1};
  int64_t pad_before[3] = {0, 0, 0};
  int64_t pad_after[3] = {0, 0, 0};

  int rank() const { return axes + 2; }

  /// Reads `strides`, `padding`, `data_format` and, where the op has them, `dilations`, `explicit_paddings`.
  static Result<WindowAttrs> of_convolution(const NodeInfo& node, int axes);
  /// Reads `ksize`, `strides`, `padding`, `data_format`.
  static Result<WindowAttrs> of_pooling(const NodeInfo& node, int axes);

  /// Output size along a spatial axis as shape inference knows it; sizes may be unknown.
  Result<int64_t> output_size(int axis, int64_t input, int64_t filter) const;
  /// Fills `window` for a run-time input (by spatial axis) and filter. Its `out` follows from them.
  Status resolve(const int64_t* input, const int64_t* filter, kernels::Window* window) const;
};

}  // namespace tinytf::ops
