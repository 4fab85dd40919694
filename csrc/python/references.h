#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// Drops a reference: now if the thread holds the GIL, else at the next `drop_pending_references`. For any thread.
void give_up_reference(PyObject* object);

/// Drops the references that threads without the GIL gave up. Call with the GIL held, at API entry and exit.
void drop_pending_references();

}  // namespace tinytf::python
