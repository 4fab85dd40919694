#pragma once

#include "kernels/window.h"
#include "op/common_shapes.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Indices of the channels and of the spatial axes in an image tensor. The batch is dimension 0.
struct ImageFormat {
  bool channels_first = false;

  int channels(int rank) const { return channels_first ? 1 : rank - 1; }
  int spatial(int axis) const { return channels_first ? 2 + axis : 1 + axis; }
};

/// The attrs of a convolution or pooling op that describe its window, checked and ordered by spatial axis. `axes` is 2
/// (height, width) or 3 (depth, height, width).
struct WindowAttrs {
  int axes = 2;
  ImageFormat format;
  shapes::Padding padding = shapes::Padding::kValid;
  int64_t size[3] = {1, 1, 1};  // of pooling; the size of a convolution window is that of the filter
  int64_t size_channels = 1;
  int64_t stride[3] = {1, 1, 1};
  int64_t stride_channels = 1;
  bool pools_batch = false;  // which no kernel does
  int64_t dilation[3] = {1, 1, 1};
  int64_t pad_before[3] = {0, 0, 0};
  int64_t pad_after[3] = {0, 0, 0};

  int rank() const { return axes + 2; }

  /// Reads `strides`, `padding`, `data_format` and, if the op has them, `dilations` and `explicit_paddings`.
  static Result<WindowAttrs> of_convolution(const NodeInfo& node, int axes);
  /// Reads `ksize`, `strides`, `padding`, `data_format`.
  static Result<WindowAttrs> of_pooling(const NodeInfo& node, int axes);

  /// Output size along a spatial axis for shape inference; sizes may be unknown.
  Result<int64_t> output_size(int axis, int64_t input, int64_t filter) const;
  /// Number of channels after pooling across them, for shape inference.
  Result<int64_t> output_channels(int64_t input) const;
  /// Fills `window`, including its output sizes `out`, for the spatial sizes of an input and a filter at run time.
  Status resolve(const int64_t* input, const int64_t* filter, kernels::Window* window) const;
};

}  // namespace tinytf::ops
