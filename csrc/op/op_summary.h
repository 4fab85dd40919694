#pragma once

#include <string>

#include "op/op_def.h"

namespace tinytf {

/// The declaration on one line, as TensorFlow's messages show it: "Op<name=Add; signature=x:T, y:T -> z:T; …>".
std::string op_summary(const OpDef& op);

/// A type as messages about nodes name it: "float", "int32_ref".
std::string type_text(DType dtype, bool is_ref);

}  // namespace tinytf
