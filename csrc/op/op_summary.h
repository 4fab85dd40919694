#pragma once

#include <string>

#include "op/op_def.h"

namespace tinytf {

/// The declaration on one line, in the format of TensorFlow's messages: "Op<name=Add; signature=x:T, y:T -> z:T; …>".
std::string op_summary(const OpDef& op);

/// A dtype in the format of messages about nodes: "float", "int32_ref".
std::string type_text(DType dtype, bool is_ref);

}  // namespace tinytf
