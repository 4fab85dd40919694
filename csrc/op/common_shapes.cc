#include "op/common_shapes.h"

#include <algorithm>

#include "base/checked.h"

namespace tinytf::shapes {

Status unchanged(ShapeContext& c) {
  c.set_output(0, c.input(0));
  if (const HandleInfo* info = c.input_handle(0)) c.set_output_handle(0, *info);
  return Status();
}

Status scalar(ShapeContext& c) {
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape::scalar());
  return Status();
}

Status unknown(ShapeContext&) { return Status(); }
Status no_outputs(ShapeContext&) { return Status(); }

Status broadcast_binary(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, broadcast(c.input(0), c.input(1)));
  c.set_output(0, std::move(shape));
  return Status();
}

Result<PartialShape> merge_inputs(ShapeContext& c) {
  // Merges from last to first like TensorFlow, so that the message names the same pair of shapes.
  PartialShape merged = c.input(c.num_inputs() - 1);
  for (int i = c.num_inputs() - 2; i >= 0; --i) {
    auto next = c.input(i).merge(merged);
    if (!next.ok()) {
      return invalid_argument(next.status().message(), "\n\tFrom merging shape ", i, " with other shapes.");
    }
    merged = next.take();
  }
  return merged;
}

Status merged_inputs(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(PartialShape merged, merge_inputs(c));
  c.set_output(0, std::move(merged));
  return Status();
}

Status equal_inputs(ShapeContext& c) {
  PartialShape merged = c.input(0);
  for (int i = 1; i < c.num_inputs(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(merged, merged.merge(c.input(i)));
  }
  c.set_output(0, std::move(merged));
  return Status();
}

Status reduction(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const bool* keep = c.node().attrs.get<bool>("keep_dims");
  const bool keep_dims = keep != nullptr && *keep;
  const Tensor* axes = c.input_tensor(1);
  if (axes == nullptr) {
    if (keep_dims && input.known_rank()) {
      c.set_output(0, PartialShape::unknown_of_rank(input.rank()));
    }
    return Status();
  }
  if (!input.known_rank()) return Status();
  InlinedVector<bool, 8> reduced(input.rank(), false);
  for (int64_t i = 0; i < axes->num_elements(); ++i) {
    auto axis = canonical_axis(axes->int_at(i), input.rank());
    if (!axis.ok()) {
      return invalid_argument("Invalid reduction dimension ", axes->int_at(i), " for input with ", input.rank(),
                              " dimensions.");
    }
    reduced[axis.value()] = true;
  }
  PartialShape output = PartialShape::scalar();
  for (int i = 0; i < input.rank(); ++i) {
    if (!reduced[i]) {
      output.add_dim(input.dim(i));
    } else if (keep_dims) {
      output.add_dim(1);
    }
  }
  c.set_output(0, std::move(output));
  return Status();
}

Status explicit_shape(ShapeContext& c) {
  c.set_output(0, c.attr<PartialShape>("shape"));
  return Status();
}

Result<PartialShape> broadcast(const PartialShape& a, const PartialShape& b) {
  if (!a.known_rank() || !b.known_rank()) return PartialShape();
  const int rank = std::max(a.rank(), b.rank());
  PartialShape out = PartialShape::unknown_of_rank(rank);
  for (int i = rank; i > 0; --i) {  // leading dimensions first: the message shows the first mismatch
    const int64_t x = i <= a.rank() ? a.dim(-i) : 1;
    const int64_t y = i <= b.rank() ? b.dim(-i) : 1;
    int64_t size = kUnknownDim;
    if (x == 1) {
      size = y;
    } else if (y == 1 || x == y) {
      size = x;
    } else if (x < 0 || y < 0) {
      const int64_t known = std::max(x, y);
      if (known > 1) size = known;  // The other must be 1 or equal to it. As in TensorFlow, a size of 0 tells nothing.
    } else {
      return invalid_argument("Dimensions must be equal, but are ", x, " and ", y);
    }
    out.set_dim(-i, size);
  }
  return out;
}

Result<Shape> broadcast(const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  Dims out(rank, 1);
  for (int i = 1; i <= rank; ++i) {
    const int64_t x = i <= a.rank() ? a.dim(a.rank() - i) : 1;
    const int64_t y = i <= b.rank() ? b.dim(b.rank() - i) : 1;
    if (x != y && x != 1 && y != 1) {
      return invalid_argument("Incompatible shapes: ", a.to_string(), " vs. ", b.to_string());
    }
    out[rank - i] = x == 1 ? y : x;
  }
  return Shape(std::move(out));
}

namespace {

/// Upper bound of the extent of a window, so that sums of a few sizes, strides and paddings do not overflow.
constexpr int64_t kFarthest = int64_t{1} << 60;

}  // namespace

Result<Window> window(int64_t input, int64_t filter, int64_t dilation, int64_t stride, Padding padding,
                      int64_t pad_before, int64_t pad_after) {
  if (stride <= 0) return invalid_argument("Stride must be > 0, but got ", stride);
  if (dilation < 1) return invalid_argument("Dilation rate must be >= 1, but got ", dilation);
  const Size extent = (Size(filter) - 1) * dilation + 1;
  Window w;
  Size padded = input;  // the input with its padding
  if (padding == Padding::kSame) {
    w.output = ceil_div(input, stride).value();
    const Size needed = (Size(w.output) - 1) * stride + extent;
    padded = needed.ok() ? std::max(needed.value(), input) : needed;
    w.pad_before = ((padded - input) / 2).value();
    w.pad_after = (padded - input - w.pad_before).value();
  } else {
    if (padding == Padding::kExplicit) {
      padded += Size(pad_before) + pad_after;
      w.pad_before = pad_before;
      w.pad_after = pad_after;
    }
    w.output = ((padded - extent + stride) / stride).value();
  }
  if (!extent.within(-kFarthest, kFarthest) || !padded.within(0, kFarthest) || stride > kFarthest) {
    return invalid_argument("Window is too large: [input_size: ", input, ", filter_size: ", filter,
                            ", dilation: ", dilation, ", stride: ", stride, "]");
  }
  if (w.output < 0) {
    return invalid_argument("Computed output size would be negative: ", w.output, " [input_size: ", input,
                            ", effective_filter_size: ", extent.value(), ", stride: ", stride, "]");
  }
  return w;
}

Result<Padding> padding_from_string(const std::string& name) {
  if (name == "SAME") return Padding::kSame;
  if (name == "VALID") return Padding::kValid;
  if (name == "EXPLICIT") return Padding::kExplicit;
  return invalid_argument(name, " is not an allowed padding type");
}

Result<int> canonical_axis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    return invalid_argument("Expected dimension in the range [", -rank, ", ", rank, "), but got ", axis);
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace tinytf::shapes
