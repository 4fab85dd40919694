#pragma once

#include <string_view>

#include "base/status.h"
#include "io/tensor_slice.h"
#include "io/wire.h"

namespace tinytf {

/// Writes the fields of a TensorSliceProto.
void write_slice(WireWriter& to, const TensorSlice& slice);
/// InvalidArgument for bytes that are no such message, and for extents that none can have.
Result<TensorSlice> read_slice(std::string_view bytes);

/// The shape of a TensorShapeProto. One without sizes, or of unknown rank, is a scalar's. InvalidArgument for bytes
/// that are no such message, and for shapes that no tensor can have.
Result<Shape> read_known_shape(std::string_view bytes);

}  // namespace tinytf
