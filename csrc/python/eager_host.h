#pragma once

#include "runtime/eager/eager_host.h"

namespace tinytf::python {

/// The engine's interface to Python in eager execution. Call with the GIL held; `without_lock` releases it.
EagerHost& eager_host();

}  // namespace tinytf::python
