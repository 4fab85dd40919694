#include "python/bindings.h"
#include "python/dlpack.h"
#include "python/eager_current.h"
#include "python/eager_host.h"
#include "python/eager_run.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"
#include "runtime/eager/eager_memory.h"
#include "runtime/eager/value_sites.h"

namespace tinytf::python {

namespace {

/// Returns the value itself if its buffer is writable (so it has no other writer) and the session has no memory limit;
/// else a copy in the session's memory.
Tensor owned(const Tensor& value, SessionCore& core, EagerContext& context) {
  if (value.buffer()->writable() && !core.allocator().is_limited()) return value;
  Tensor own;
  throw_if_error(with_memory(core, eager_host(), [&] {
    TINYTF_ASSIGN_OR_RETURN(own, value.clone(core.allocator()));
    return context.take_over(own);
  }));
  return own;
}

/// Returns a tensor in the current session with a copy of the array's elements as `dtype`, or with the array's own
/// memory if `share`.
py::object eager_constant(py::handle array, int dtype, bool share) {
  const RefPtr<SessionCore> core = current_core();
  make_room(*core, eager_host());
  InSession session(*core);
  const int device = device_of_operation(session.context());
  const Tensor view = tensor_from_python(array, static_cast<DType>(dtype));
  Tensor own = share ? view : owned(view, *core, session.context());
  TensorHandle* handle = core->make_handle(std::move(own));
  if (handle != nullptr) handle->device = device;
  if (handle != nullptr && session.context().options().track_sites) {
    note_site(*handle, {"Const", eager_host().place()});
  }
  py::object tensor = py::reinterpret_steal<py::object>(wrap_handle(handle));
  if (!tensor) throw py::error_already_set();
  return tensor;
}

}  // namespace

void bind_eager_constant(py::module_& m) {
  m.def("dlpack_to_array", &dlpack_to_array, py::arg("capsule"));
  m.def("eager_constant", &eager_constant, py::arg("array"), py::arg("dtype"), py::arg("share") = false);
}

}  // namespace tinytf::python
