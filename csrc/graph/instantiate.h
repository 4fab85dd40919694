#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "graph/function_body.h"
#include "graph/function_library.h"

namespace tinytf {

/// Which library owns the declarations of the functions that a body's nodes call.
enum class Declarations : uint8_t {
  kOfLibrary,  ///< The caller's library, which must outlive the body.
  kOfBody,     ///< The body's graph, which gets a copy of the functions.
};

/// Instantiates a function definition for the given attr values (serialized AttrValues by name). Its nodes may call
/// functions of `library`. The nodes are checked like nodes of an imported graph: InvalidArgument or NotFound, with
/// TensorFlow's messages. `ops_of`: see ImportOptions.
Result<std::shared_ptr<const FunctionBody>> instantiate(const FunctionDef& function, const AttrProtos& attrs,
                                                        const FunctionLibrary& library, Declarations declarations,
                                                        int32_t ops_of);

}  // namespace tinytf
