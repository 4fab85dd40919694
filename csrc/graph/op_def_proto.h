#pragma once

#include <string_view>

#include "io/wire.h"
#include "op/op_def.h"

namespace tinytf {

// Conversion between declarations, of ops and of functions, and TensorFlow's OpDef message.

/// Writes the fields of an OpDef, without documentation. Fails as write_attr does.
Status write_op_def(WireWriter& to, const OpDef& op);

/// Parses the name, inputs, outputs, attrs and statefulness of an OpDef. InvalidArgument for malformed bytes and for
/// unknown attr kinds.
Result<OpDef> read_op_def(std::string_view bytes);

}  // namespace tinytf
