// The Python type of eager tensors.

#include <utility>
#include <vector>

#include "python/bindings.h"
#include "python/dtype_objects.h"
#include "python/eager_dlpack.h"
#include "python/eager_errors.h"
#include "python/eager_exports.h"
#include "python/eager_operators.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"
#include "python/references.h"
#include "python/without_gil.h"
#include "runtime/eager/eager_values.h"

namespace tinytf::python {

namespace {

void dealloc(PyObject* object) {
  EagerTensorObject* self = as_eager_tensor(object);
  if (self->base.weakrefs != nullptr) PyObject_ClearWeakRefs(object);
  Py_CLEAR(self->base.attributes);
  self->handle->core().drop(self->handle);
  PyTypeObject* type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

int visit_nothing(PyObject*, visitproc, void*) { return 0; }

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "EagerTensors are created by operations, for example by tf.constant");
  return nullptr;
}

PyObject* get_dtype(PyObject* object, void*) {
  PyObject* dtype = dtype_object(as_eager_tensor(object)->handle->dtype());
  Py_INCREF(dtype);
  return dtype;
}

PyObject* get_id(PyObject* object, void*) { return PyLong_FromLongLong(as_eager_tensor(object)->id); }

PyObject* shape_tuple(PyObject* object, PyObject*) {
  return guarded([&] {
    const Tensor value = value_of(as_eager_tensor(object), nullptr);
    PyObject* dims = PyTuple_New(value.rank());
    for (int i = 0; dims != nullptr && i < value.rank(); ++i) {
      PyTuple_SET_ITEM(dims, i, PyLong_FromLongLong(value.dim(i)));
    }
    return dims;
  });
}

PyObject* array(PyObject* object, PyObject*) {
  return guarded([&] {
    EagerTensorObject* self = as_eager_tensor(object);
    self->handle->core().reclaim().safe_point();
    return export_array(value_of(self, nullptr), *self->handle).release().ptr();
  });
}

PyObject* copied_array(PyObject* object, PyObject*) {
  return guarded([&] {
    EagerTensorObject* self = as_eager_tensor(object);
    self->handle->core().reclaim().safe_point();
    return tensor_to_array(value_of(self, nullptr)).release().ptr();
  });
}

PyObject* close(PyObject* object, PyObject*) {
  TensorHandle* handle = as_eager_tensor(object)->handle;
  HandleValue value;  // Taken from the handle under the GIL, since readers access state and value together.
  if (handle->core().handles().take_value(handle, &value)) {
    WithoutGil others_may_run;  // Freeing a large value takes long.
    value = HandleValue();
  }
  drop_pending_references();
  Py_RETURN_NONE;
}

PyObject* detach(PyObject* object, PyObject*) {
  return guarded([&] {
    EagerTensorObject* self = as_eager_tensor(object);
    Tensor value = value_of(self, nullptr);
    HandleValue taken;
    if (!self->handle->core().handles().take_value(self->handle, &taken))
      throw_operation_error(freed_value(*self->handle));
    return wrap_handle(SessionCore::outside().make_handle(std::move(value)));
  });
}

PyObject* state(PyObject* object, PyObject*) {
  switch (as_eager_tensor(object)->handle->state()) {
    case TensorHandle::State::kLive: return PyUnicode_FromString("live");
    case TensorHandle::State::kClosed: return PyUnicode_FromString("closed");
    case TensorHandle::State::kInvalidated: return PyUnicode_FromString("invalidated");
    default: return PyUnicode_FromString("dropped");
  }
}

PyObject* ready(PyObject* object, PyObject*) {
  const TensorHandle* handle = as_eager_tensor(object)->handle;
  const SessionCore::Entry entry(handle->core());  // A closing session frees values without the GIL.
  return PyBool_FromLong(entry && handle->live() && handle->ready());
}

PyObject* device_number(PyObject* object, PyObject*) {
  return PyLong_FromLong(as_eager_tensor(object)->handle->device);
}

PyObject* dlpack(PyObject* object, PyObject* versioned) {
  return guarded([&] {
    EagerTensorObject* self = as_eager_tensor(object);
    return export_dlpack(value_of(self, nullptr), *self->handle, versioned == Py_True).release().ptr();
  });
}

PyMethodDef methods[] = {
    {"_shape_tuple", shape_tuple, METH_NOARGS, "Returns the shape as a tuple. Waits for the value if it is pending."},
    {"_array", array, METH_NOARGS, "Returns a read-only array that shares the memory, or a scalar for rank 0."},
    {"_copied_array", copied_array, METH_NOARGS, "Returns a copy as an array, also for rank 0."},
    {"_dlpack", dlpack, METH_O, "Returns a DLPack capsule, of version 1 if the argument is True."},
    {"close", close, METH_NOARGS,
     "Frees the value now, after which it cannot be read. Does nothing if it is already freed."},
    {"detach", detach, METH_NOARGS,
     "Returns the value as a tensor that belongs to no session, so that it outlives this tensor's session. Closes this "
     "tensor."},
    {"_state", state, METH_NOARGS, "Returns 'live', 'closed' or 'invalidated' (by the close of its session)."},
    {"_ready", ready, METH_NOARGS, "Whether the value is available."},
    {"_device_number", device_number, METH_NOARGS, "Returns the number of the CPU device that the tensor is on."},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef properties[] = {
    {"dtype", get_dtype, nullptr, "Element type.", nullptr},
    {"_id", get_id, nullptr, "Number that identifies the tensor in this process.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

/// Makes the class of eager tensors, derived from `base`, whose instances are TensorObjects.
py::object make_eager_tensor_type(py::object base, const py::dict& dtypes, py::object closed) {
  if (eager_tensor_type != nullptr) throw py::value_error("the type of eager tensors exists already");
  set_dtype_objects(dtypes);
  set_closed_error(std::move(closed));
  std::vector<PyType_Slot> slots = {
      {Py_tp_dealloc, reinterpret_cast<void*>(&dealloc)},
      {Py_tp_free, reinterpret_cast<void*>(&PyObject_Free)},
      // A type with its own traverse function does not inherit its base's garbage collector tracking.
      {Py_tp_traverse, reinterpret_cast<void*>(&visit_nothing)},
      {Py_tp_new, reinterpret_cast<void*>(&refuse_new)},
      {Py_tp_hash, reinterpret_cast<void*>(PyBaseObject_Type.tp_hash)},
      {Py_tp_methods, methods},
      {Py_tp_getset, properties},
      {Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)},
      {Py_bf_releasebuffer, reinterpret_cast<void*>(&release_buffer)},
  };
  add_operator_slots(slots, base);
  slots.push_back({0, nullptr});
  PyType_Spec spec = {"tinytf.EagerTensor", sizeof(EagerTensorObject), 0, Py_TPFLAGS_DEFAULT, slots.data()};
  PyObject* type = PyType_FromSpecWithBases(&spec, py::make_tuple(base).ptr());
  if (type == nullptr) throw py::error_already_set();
  eager_tensor_type = reinterpret_cast<PyTypeObject*>(type);
  TINYTF_CHECK(!PyType_IS_GC(eager_tensor_type));
  return py::reinterpret_borrow<py::object>(type);
}

}  // namespace

void bind_eager_tensor(py::module_& m) {
  m.def("make_eager_tensor_type", &make_eager_tensor_type, py::arg("base"), py::arg("dtypes"), py::arg("closed_error"));
}

}  // namespace tinytf::python
