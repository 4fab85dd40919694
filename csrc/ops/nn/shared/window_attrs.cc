#include "ops/nn/shared/window_attrs.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/checked.h"
#include "op/registration.h"

namespace tinytf::ops {

namespace {

using IntList = std::vector<int64_t>;

Status read_common(const NodeInfo& node, WindowAttrs* attrs) {
  const std::string* format = node.attrs.get<std::string>("data_format");
  if (format != nullptr && *format == "NCHW_VECT_C") {
    return unimplemented(node.op->name, " only supports NHWC and NCHW on device type CPU");
  }
  attrs->format.channels_first = format != nullptr && format->compare(0, 2, "NC") == 0;
  TINYTF_ASSIGN_OR_RETURN(attrs->padding, shapes::padding_from_string(*node.attrs.get<std::string>("padding")));
  return Status();
}

/// A list attr with one entry per dimension, separated by role. The batch entry must be 1.
struct PerDimension {
  int64_t batch = 1;
  int64_t channels = 1;
  int64_t spatial[3] = {1, 1, 1};
};

PerDimension split(const IntList& list, const WindowAttrs& attrs) {
  PerDimension entries;
  entries.batch = list[0];
  entries.channels = list[attrs.format.channels(attrs.rank())];
  for (int axis = 0; axis < attrs.axes; ++axis) entries.spatial[axis] = list[attrs.format.spatial(axis)];
  return entries;
}

/// Checks that the list attr `name` has one entry per dimension, each in the range of int32.
Status check_list(const NodeInfo& node, const char* name, const char* what, const WindowAttrs& attrs) {
  const IntList& list = *node.attrs.get<IntList>(name);
  if (static_cast<int>(list.size()) != attrs.rank()) {
    return invalid_argument(node.op->name, " requires the ", what, " attribute to contain ", attrs.rank(),
                            " values, but got: ", list.size());
  }
  using Limits = std::numeric_limits<int32_t>;
  for (const int64_t entry : list) {
    if (entry >= Limits::min() && entry <= Limits::max()) continue;
    return invalid_argument("Attr ", name, " has value ", entry, " out of range for an int32");
  }
  return Status();
}

Status read_explicit_paddings(const NodeInfo& node, WindowAttrs* attrs) {
  const IntList* paddings = node.attrs.get<IntList>("explicit_paddings");
  if (attrs->padding != shapes::Padding::kExplicit) {
    if (paddings == nullptr || paddings->empty()) return Status();
    return invalid_argument("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
  }
  const int rank = attrs->rank();
  if (paddings == nullptr || static_cast<int>(paddings->size()) != 2 * rank) {
    return invalid_argument("explicit_paddings attribute must contain ", 2 * rank,
                            " values, but got: ", paddings ? paddings->size() : 0);
  }
  for (int64_t padding : *paddings) {
    if (padding < 0) return invalid_argument("All elements of explicit_paddings must be nonnegative");
  }
  const int channels = attrs->format.channels(rank);
  for (int dim : {0, channels}) {
    if ((*paddings)[2 * dim] != 0 || (*paddings)[2 * dim + 1] != 0) {
      return invalid_argument("Nonzero explicit padding in the batch or depth dimensions is not supported");
    }
  }
  for (int axis = 0; axis < attrs->axes; ++axis) {
    attrs->pad_before[axis] = (*paddings)[2 * attrs->format.spatial(axis)];
    attrs->pad_after[axis] = (*paddings)[2 * attrs->format.spatial(axis) + 1];
  }
  return Status();
}

}  // namespace

Result<WindowAttrs> WindowAttrs::of_convolution(const NodeInfo& node, int axes) {
  WindowAttrs attrs;
  attrs.axes = axes;
  TINYTF_RETURN_IF_ERROR(read_common(node, &attrs));

  const IntList& strides = *node.attrs.get<IntList>("strides");
  TINYTF_RETURN_IF_ERROR(check_list(node, "strides", "stride", attrs));
  const PerDimension stride = split(strides, attrs);
  if (stride.batch != 1 || stride.channels != 1) {
    return invalid_argument("Current implementation does not yet support strides in the batch and depth dimensions.");
  }
  std::copy_n(stride.spatial, 3, attrs.stride);
  for (int64_t s : stride.spatial) {
    if (s <= 0) return invalid_argument("Sliding window strides should be larger than 0.");
  }

  if (const IntList* dilations = node.attrs.get<IntList>("dilations")) {
    TINYTF_RETURN_IF_ERROR(check_list(node, "dilations", "dilation", attrs));
    const PerDimension dilation = split(*dilations, attrs);
    if (dilation.batch != 1 || dilation.channels != 1) {
      return invalid_argument(
          "Current implementation does not yet support dilations in the batch and depth dimensions.");
    }
    std::copy_n(dilation.spatial, 3, attrs.dilation);
    for (int64_t d : dilation.spatial) {
      if (d <= 0) return invalid_argument("Dilated rates should be larger than 0.");
    }
  }
  TINYTF_RETURN_IF_ERROR(read_explicit_paddings(node, &attrs));
  return attrs;
}

Result<WindowAttrs> WindowAttrs::of_pooling(const NodeInfo& node, int axes) {
  WindowAttrs attrs;
  attrs.axes = axes;
  TINYTF_RETURN_IF_ERROR(read_common(node, &attrs));
  const IntList& strides = *node.attrs.get<IntList>("strides");
  const IntList& ksize = *node.attrs.get<IntList>("ksize");
  TINYTF_RETURN_IF_ERROR(check_list(node, "strides", "stride", attrs));
  TINYTF_RETURN_IF_ERROR(check_list(node, "ksize", "ksize", attrs));
  const PerDimension stride = split(strides, attrs);
  const PerDimension size = split(ksize, attrs);
  attrs.pools_batch = stride.batch != 1 || size.batch != 1;
  std::copy_n(stride.spatial, 3, attrs.stride);
  std::copy_n(size.spatial, 3, attrs.size);
  attrs.stride_channels = stride.channels;
  attrs.size_channels = size.channels;
  for (const IntList* list : {&strides, &ksize}) {
    for (int64_t entry : *list) {
      if (entry > 0) continue;
      return invalid_argument(list == &strides ? "Sliding window stride" : "Sliding window ksize",
                              " for dimensions must be > 0, but got ", entry);
    }
  }
  return attrs;
}

Result<int64_t> WindowAttrs::output_channels(int64_t input) const {
  WindowAttrs along;
  along.padding = padding;
  along.stride[0] = stride_channels;
  return along.output_size(0, input, size_channels);
}

Result<int64_t> WindowAttrs::output_size(int axis, int64_t input, int64_t filter) const {
  if (input == kUnknownDim) return kUnknownDim;
  if (padding != shapes::Padding::kSame) {
    if (filter == kUnknownDim) return kUnknownDim;
    const Size extent = (Size(filter) - 1) * dilation[axis] + 1;
    const Size padded = Size(input) + pad_before[axis] + pad_after[axis];
    if (extent.ok() && padded.ok() && padded.value() < extent.value()) {
      return invalid_argument("Negative dimension size caused by subtracting ", extent.value(), " from ",
                              padded.value());
    }
  }
  TINYTF_ASSIGN_OR_RETURN(const shapes::Window window,
                          shapes::window(input, filter == kUnknownDim ? 1 : filter, dilation[axis], stride[axis],
                                         padding, pad_before[axis], pad_after[axis]));
  return window.output;
}

Status WindowAttrs::resolve(const int64_t* input, const int64_t* filter, kernels::Window* window) const {
  for (int axis = 0; axis < axes; ++axis) {
    const int to = kernels::Window::kAxes - axes + axis;
    TINYTF_ASSIGN_OR_RETURN(const shapes::Window along,
                            shapes::window(input[axis], filter[axis], dilation[axis], stride[axis], padding,
                                           pad_before[axis], pad_after[axis]));
    window->in[to] = input[axis];
    window->out[to] = along.output;
    window->size[to] = filter[axis];
    window->stride[to] = stride[axis];
    window->dilation[to] = dilation[axis];
    window->pad_before[to] = along.pad_before;
  }
  return Status();
}

}  // namespace tinytf::ops
