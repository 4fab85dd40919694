#pragma once

#include "op/common_shapes.h"

namespace tinytf::ops {

/// Shape function of the Save ops: inputs [1, last] have one entry for each saved tensor; the tensors are the inputs
/// after `last`.
Status saved_tensors_shape(ShapeContext& c, int last);
/// Shape function: input 0, the name of a file, and input 1 are scalars.
Status two_scalars_shape(ShapeContext& c);
/// Sets the shape of output i to the slice shape in entry i of the texts, for example "5 2 0,3:-", if it is known.
Status set_slice_shapes(ShapeContext& c, int texts_input);

}  // namespace tinytf::ops
