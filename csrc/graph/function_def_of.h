#pragma once

#include <string>

#include "base/status.h"
#include "graph/function_body.h"
#include "graph/function_library.h"
#include "io/wire.h"

namespace tinytf {

/// Serializes a body as the FunctionDef of a function `name`. Fails as write_attr does. Attrs of argument nodes whose
/// names begin with "_" become arg_attrs. With `add_shapes` the function gets the attr _input_shapes, and each of its
/// nodes _output_shapes.
Result<std::string> function_def_of(const std::string& name, const FunctionBody& body, bool add_shapes = false);

/// Writes the fields of a FunctionDefLibrary: definitions with the bytes that were read, bodies as function_def_of
/// serializes them. Fails as function_def_of does.
Status write_function_library(WireWriter& to, const FunctionLibrary& library, bool add_shapes = false);

}  // namespace tinytf
