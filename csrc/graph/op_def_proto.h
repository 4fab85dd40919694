#pragma once

#include <string_view>

#include "io/wire.h"
#include "op/op_def.h"

namespace tinytf {

// Declarations as TensorFlow's message OpDef: those of ops, and the signatures of functions.

/// Writes the fields of an OpDef, without documentation. Fails as write_attr.
Status write_op_def(WireWriter& to, const OpDef& op);

/// The name, inputs, outputs and attrs of an OpDef, and whether it is stateful. InvalidArgument for bytes that are no
/// such message, and for attrs of kinds that there are not.
Result<OpDef> read_op_def(std::string_view bytes);

}  // namespace tinytf
