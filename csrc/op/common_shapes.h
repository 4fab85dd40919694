#pragma once

#include "op/shape_context.h"

/// Shape functions that many ops share, and the shape arithmetic that shape functions and kernels both use.
namespace tinytf::shapes {

Status unchanged(ShapeContext& c);  ///< output 0 like input 0, with its handle info
Status scalar(ShapeContext& c);     ///< every output is a scalar
Status unknown(ShapeContext& c);    ///< nothing is known of the outputs
Status no_outputs(ShapeContext& c);
Status broadcast_binary(ShapeContext& c);  ///< NumPy broadcasting of inputs 0 and 1
Status merged_inputs(ShapeContext& c);     ///< output 0: what all inputs agree on; errors say which does not
Status equal_inputs(ShapeContext& c);      ///< output 0: what a few inputs agree on
Status reduction(ShapeContext& c);         ///< input 1 holds the axes; attr keep_dims
Status explicit_shape(ShapeContext& c);    ///< attr "shape"

/// What all inputs agree on; the error says which does not.
Result<PartialShape> merge_inputs(ShapeContext& c);

/// NumPy broadcasting with unknown sizes; the error has TensorFlow's text.
Result<PartialShape> broadcast(const PartialShape& a, const PartialShape& b);
/// The same for run-time shapes: "Incompatible shapes: [2] vs. [3]".
Result<Shape> broadcast(const Shape& a, const Shape& b);

enum class Padding : uint8_t { kValid, kSame, kExplicit };

/// Geometry of a sliding window along one dimension, TensorFlow's rules for SAME and VALID.
struct Window {
  int64_t output = 0;
  int64_t pad_before = 0;
  int64_t pad_after = 0;
};
/// `pad_before`/`pad_after` are read only for kExplicit. Sizes may not be unknown.
Result<Window> window(int64_t input, int64_t filter, int64_t dilation, int64_t stride, Padding padding,
                      int64_t pad_before = 0, int64_t pad_after = 0);
/// "SAME", "VALID", "EXPLICIT".
Result<Padding> padding_from_string(const std::string& name);

/// An axis in [-rank, rank) made non-negative, or "Expected dimension in the range [-r, r), but got x".
Result<int> canonical_axis(int64_t axis, int rank);

}  // namespace tinytf::shapes
