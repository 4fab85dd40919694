#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "session/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// What made a value, and where in the program: "file:line".
struct Site {
  std::string op;
  std::string place;
};

/// Remembers that the operation being called made the value. With the GIL held, as all here.
void note_site(const TensorHandle& handle, const std::string& op);
/// What was remembered of the value; null if nothing.
std::shared_ptr<const Site> site_of(const TensorHandle& handle);
/// Forgets what was remembered of a core's values.
void forget_sites(const SessionCore& core);

/// (shape or None, dtype number, bytes, op, site) of each value that the program holds; op and site '' if not known.
py::list live_tensors(SessionCore& core);
/// The places that hold most bytes, for a message; '' if nothing is held.
std::string largest_holders(SessionCore& core);

/// Where the session was made; '' if nobody said.
std::string session_site(const SessionCore& core);

/// To the package's logger.
void warn(const std::string& message);
void info(const std::string& message);

}  // namespace tinytf::python
