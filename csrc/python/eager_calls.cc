#include "op/op_registry.h"
#include "python/attrs.h"
#include "python/bindings.h"
#include "python/eager_op.h"
#include "python/eager_run.h"
#include "python/errors.h"
#include "runtime/eager/eager_node.h"

namespace tinytf::python {

namespace {

/// call(inputs, attrs, name): runs an operation whose kernel is cached; returns NotImplemented if no kernel is cached,
/// or if inputs must be converted first. Uses the raw C calling convention because every eager operation passes through
/// here.
PyObject* call_op(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if (count != 3 || !PyTuple_Check(args[0]) || (args[1] != Py_None && !PyDict_Check(args[1]))) {
      throw py::type_error("call takes a tuple of inputs, attrs in a dictionary or None, and a name or None");
    }
    const EagerOp& op = *static_cast<EagerOp*>(PyCapsule_GetPointer(self, nullptr));
    EagerInputs flat;
    EagerKernel* kernel = op.flatten(args[0], flat) ? op.find(flat, args[1]) : nullptr;
    if (kernel == nullptr) Py_RETURN_NOTIMPLEMENTED;
    const RefPtr<SessionCore> core = core_for(flat.tensors.data(), static_cast<int>(flat.tensors.size()));
    return run_eagerly(RefPtr<EagerKernel>::share(kernel), flat.tensors.data(), *core, args[2]);
  });
}

PyMethodDef call_method = {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call_op)), METH_FASTCALL,
                           "Runs the op. Returns NotImplemented if the inputs or attrs must be converted first."};

/// Returns the function `call` of an op. The function keeps the op alive.
py::object caller(const py::object& op) {
  auto self = py::reinterpret_steal<py::object>(PyCapsule_New(op.cast<EagerOp*>(), nullptr, [](PyObject* capsule) {
    Py_DECREF(static_cast<PyObject*>(PyCapsule_GetContext(capsule)));
  }));
  if (!self || PyCapsule_SetContext(self.ptr(), py::object(op).release().ptr()) != 0) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(PyCFunction_New(&call_method, self.ptr()));
}

/// Returns the cached kernel for such an operation, or a new one. `checked`: attrs as Graph.add_node takes them;
/// `attrs`: as the program passed them, used as the cache key.
RefPtr<EagerKernel> kernel_for(EagerOp& op, const EagerInputs& inputs, const py::object& checked,
                               const py::object& attrs, const py::object& name) {
  try {
    return op.find_or_make(inputs, attrs.ptr(), [&] { return attrs_from_python(&op.def(), checked); });
  } catch (const StatusException& e) {
    throw StatusException(of_operation(e.status(), op.def().name, text_of(name.ptr())));
  }
}

/// Runs an operation on eager tensors in the current session.
py::object call_new(EagerOp& op, const py::tuple& inputs, const py::object& checked, const py::object& attrs,
                    const py::object& name) {
  EagerInputs flat;
  if (!op.flatten(inputs.ptr(), flat)) throw py::type_error("inputs must be eager tensors");
  RefPtr<EagerKernel> kernel = kernel_for(op, flat, checked, attrs, name);
  const RefPtr<SessionCore> core = core_for(flat.tensors.data(), static_cast<int>(flat.tensors.size()));
  return py::reinterpret_steal<py::object>(run_eagerly(std::move(kernel), flat.tensors.data(), *core, name.ptr()));
}

/// Runs an operation on eager tensors in the session of the core and on that device.
py::object run_in(EagerOp& op, SessionCore& core, const py::tuple& inputs, const py::object& checked,
                  const py::object& attrs, const py::object& name, int device) {
  EagerInputs flat;
  if (!op.flatten(inputs.ptr(), flat))
    throw StatusException(invalid_argument("Inputs of ", op.def().name, " do not fit its declaration"));
  const OnDevice placed(device);
  RefPtr<EagerKernel> kernel = kernel_for(op, flat, checked, attrs, name);
  return py::reinterpret_steal<py::object>(run_eagerly(std::move(kernel), flat.tensors.data(), core, name.ptr()));
}

}  // namespace

void bind_eager_op(py::module_& m) {
  py::class_<EagerOp>(m, "EagerOp", "An op, prepared for calls by eager execution.")
      .def(py::init([](const std::string& name) {
             const OpDef* def = OpRegistry::global().find(name);
             if (def == nullptr) throw py::key_error(name);
             return std::make_unique<EagerOp>(*def);
           }),
           py::arg("name"))
      .def("caller", &caller, "The function call(inputs, attrs, name) of this op.")
      .def("run_in", &run_in, py::arg("core"), py::arg("inputs"), py::arg("checked"), py::arg("attrs"), py::arg("name"),
           py::arg("device"))
      .def_property_readonly("kept_sequences", &EagerOp::kept_sequences)
      .def("call_new", &call_new, py::arg("inputs"), py::arg("checked"), py::arg("attrs"), py::arg("name"));
}

}  // namespace tinytf::python
