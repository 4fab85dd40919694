#include "python/eager_tensor.h"

#include "python/context_frame.h"
#include "python/eager_errors.h"
#include "python/eager_host.h"
#include "python/eager_scope.h"
#include "runtime/eager/eager_values.h"

namespace tinytf::python {

namespace {
int64_t next_id = 1;  // Guarded by the GIL.
}

PyObject* wrap_handle(TensorHandle* handle) {
  if (handle == nullptr) return PyErr_NoMemory();
  PyObject* object = eager_tensor_type->tp_alloc(eager_tensor_type, 0);
  if (object == nullptr) {
    handle->core().drop(handle);
    return nullptr;
  }
  EagerTensorObject* self = as_eager_tensor(object);
  self->handle = handle;
  self->id = next_id++;
  if (ever_entered(FrameKind::kScope)) join_scope(object);
  return object;
}

Tensor value_of(EagerTensorObject* tensor, const SessionCore* inside) {
  Result<Tensor> value = read_value(*tensor->handle, inside, eager_host());
  if (!value.ok()) throw_operation_error(value.status());
  return value.take();
}

}  // namespace tinytf::python
