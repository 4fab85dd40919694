#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "runtime/eager/value_sites.h"

namespace tinytf::python {

/// (shape or None, dtype number, bytes, op, site) of each value that the program holds; op and site '' if not known.
pybind11::list live_tensors(SessionCore& core);

/// Where the session was made, whose core had that address; '' if nobody said.
std::string session_site(const SessionCore* core);

}  // namespace tinytf::python
