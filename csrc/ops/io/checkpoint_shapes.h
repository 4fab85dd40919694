#pragma once

#include "op/common_shapes.h"

namespace tinytf::ops {

/// Inputs [1, last] hold an entry for each tensor that is saved, those behind `last`.
Status saved_tensors_shape(ShapeContext& c, int last);
/// Input 0 is the name of a file; input 1 a scalar.
Status two_scalars_shape(ShapeContext& c);
/// Output i has the shape that entry i of the texts, if it is known, says: "5 2 0,3:-".
Status set_slice_shapes(ShapeContext& c, int texts_input);

}  // namespace tinytf::ops
