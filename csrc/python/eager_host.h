#pragma once

#include "runtime/eager/eager_host.h"

namespace tinytf::python {

/// Python, for the engine's eager execution. With the GIL held, which is the lock that it lets go.
EagerHost& eager_host();

}  // namespace tinytf::python
