#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "runtime/eager/value_sites.h"

namespace tinytf::python {

/// Returns (shape or None, dtype number, bytes, op, site) of each value that the program holds; op and site are '' if
/// unknown.
pybind11::list live_tensors(SessionCore& core);

/// Creation site of the session whose core had that address; '' if unknown.
std::string session_site(const SessionCore* core);

}  // namespace tinytf::python
