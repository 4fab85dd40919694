#pragma once

#include "op/shape_context.h"

/// Shape functions shared by many ops, and shape arithmetic for shape functions and kernels.
namespace tinytf::shapes {

Status unchanged(ShapeContext& c);  ///< output 0 has the shape and handle info of input 0
Status scalar(ShapeContext& c);     ///< every output is a scalar
Status unknown(ShapeContext& c);    ///< all output shapes stay unknown
Status no_outputs(ShapeContext& c);
Status broadcast_binary(ShapeContext& c);  ///< NumPy broadcasting of inputs 0 and 1
Status merged_inputs(ShapeContext& c);     ///< output 0: merge_inputs
Status equal_inputs(ShapeContext& c);      ///< output 0: the inputs' merged shape
Status reduction(ShapeContext& c);         ///< input 1 holds the axes; attr keep_dims
Status explicit_shape(ShapeContext& c);    ///< attr "shape"

/// Merges the shapes of all inputs. The error says which input does not match.
Result<PartialShape> merge_inputs(ShapeContext& c);

/// NumPy broadcasting of partially known shapes; the error has TensorFlow's text.
Result<PartialShape> broadcast(const PartialShape& a, const PartialShape& b);
/// NumPy broadcasting of run-time shapes. Error: "Incompatible shapes: [2] vs. [3]".
Result<Shape> broadcast(const Shape& a, const Shape& b);

enum class Padding : uint8_t { kValid, kSame, kExplicit };

/// Geometry of a sliding window along one dimension, by TensorFlow's rules for SAME and VALID.
struct Window {
  int64_t output = 0;
  int64_t pad_before = 0;
  int64_t pad_after = 0;
};
/// `pad_before` and `pad_after` are used only for kExplicit. All sizes must be known.
Result<Window> window(int64_t input, int64_t filter, int64_t dilation, int64_t stride, Padding padding,
                      int64_t pad_before = 0, int64_t pad_after = 0);
/// Parses "SAME", "VALID" or "EXPLICIT".
Result<Padding> padding_from_string(const std::string& name);

/// Makes an axis in [-rank, rank) non-negative. Error: "Expected dimension in the range [-r, r), but got x".
Result<int> canonical_axis(int64_t axis, int rank);

}  // namespace tinytf::shapes
