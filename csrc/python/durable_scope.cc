#include "io/durable_scope.h"

#include "python/bindings.h"

namespace tinytf::python {

void bind_durable_scope(py::module_& m) {
  py::class_<DurableScope>(m, "DurableScope",
                           "While it lives, files are on the disk before they take their names; for all the process.")
      .def(py::init<>());
}

}  // namespace tinytf::python
