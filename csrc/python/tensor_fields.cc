#include "python/tensor_fields.h"

#include <structmember.h>

#include "python/bindings.h"

namespace tinytf::python {

namespace {

int traverse(PyObject* object, visitproc visit, void* arg) {
  TensorObject* self = as_tensor(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->attributes);
  Py_VISIT(self->op);
  Py_VISIT(self->value_index);
  Py_VISIT(self->dtype);
  Py_VISIT(self->key);
  return 0;
}

int clear(PyObject* object) {
  TensorObject* self = as_tensor(object);
  Py_CLEAR(self->attributes);
  Py_CLEAR(self->op);
  Py_CLEAR(self->value_index);
  Py_CLEAR(self->dtype);
  Py_CLEAR(self->key);
  return 0;
}

void dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (as_tensor(object)->weakrefs != nullptr) PyObject_ClearWeakRefs(object);
  clear(object);
  type->tp_free(object);
  Py_DECREF(type);
}

PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, attributes), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weakrefs), READONLY, nullptr},
    {"_op", T_OBJECT_EX, offsetof(TensorObject, op), 0, "Operation that produces the tensor."},
    {"_value_index", T_OBJECT_EX, offsetof(TensorObject, value_index), 0, "Index of the output of the operation."},
    {"_dtype", T_OBJECT_EX, offsetof(TensorObject, dtype), 0, "The DType."},
    {"_key", T_OBJECT_EX, offsetof(TensorObject, key), 0, "Key: id of the operation << 32 | index of the output."},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, "Attributes set by programs.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

void bind_tensor_fields(py::module_& m) {
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(&dealloc)},
      {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(&clear)},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {0, nullptr},
  };
  PyType_Spec spec = {"tinytf._core.TensorFields", sizeof(TensorObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw py::error_already_set();
  m.add_object("TensorFields", py::reinterpret_steal<py::object>(type));
}

}  // namespace tinytf::python
