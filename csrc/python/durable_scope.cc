#include "io/durable_scope.h"

#include "python/bindings.h"

namespace tinytf::python {

void bind_durable_scope(py::module_& m) {
  py::class_<DurableScope>(m, "DurableScope",
                           "While an instance exists, new files are synced to the disk before they are renamed to "
                           "their final names, in the whole process.")
      .def(py::init<>());
}

}  // namespace tinytf::python
