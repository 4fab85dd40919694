#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "python/eager_tensor_object.h"
#include "runtime/eager/tape.h"

namespace tinytf::python {

namespace py = pybind11;

/// Tapes that record in the calling context. Owned references, since showing them an operation may run Python code.
std::vector<py::object> active_tapes();
/// Whether any tape records in the calling context.
bool any_tape_here();
inline bool any_tape() { return Tape::any_records() && any_tape_here(); }

/// Shows an operation to the tapes of the calling context that watch one of its inputs.
void record_operation(EagerKernel& kernel, EagerTensorObject* const* inputs, PyObject* const* outputs);

}  // namespace tinytf::python
