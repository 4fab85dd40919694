#pragma once

#include <string_view>

#include "base/status.h"
#include "io/tensor_slice.h"
#include "io/wire.h"

namespace tinytf {

/// Writes the fields of a TensorSliceProto.
void write_slice(WireWriter& to, const TensorSlice& slice);
/// InvalidArgument for malformed bytes and for invalid extents.
Result<TensorSlice> read_slice(std::string_view bytes);

/// Reads the shape of a TensorShapeProto; one without sizes or of unknown rank is a scalar. InvalidArgument for
/// malformed bytes and for shapes that no tensor can have.
Result<Shape> read_known_shape(std::string_view bytes);

}  // namespace tinytf
