#include "python/eager_run.h"

#include "python/bindings.h"
#include "python/eager_errors.h"
#include "python/eager_host.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/tape.h"
#include "runtime/eager/dispatch.h"
#include "runtime/eager/eager_devices.h"
#include "runtime/eager/eager_memory.h"

namespace tinytf::python {

namespace {

/// Wraps an operation's outputs in new tensors. Throws MemoryError for a null handle.
InlinedVector<PyObject*, 4> wrap_outputs(EagerOutputs& handles) {
  InlinedVector<PyObject*, 4> outputs;
  for (int i = 0; i < handles.size(); ++i) {
    PyObject* tensor = wrap_handle(handles.take(i));
    if (tensor == nullptr) {
      for (PyObject* made : outputs) Py_DECREF(made);
      throw py::error_already_set();
    }
    outputs.push_back(tensor);
  }
  return outputs;
}

/// Returns None, a tensor, or a list with one entry per declared output. Steals the references in `outputs`.
PyObject* grouped(const InlinedVector<PyObject*, 4>& outputs, const std::vector<int>& groups) {
  if (groups.size() == 1 && groups[0] < 0) return outputs[0];
  if (groups.empty()) Py_RETURN_NONE;
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(groups.size()));
  int next = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    PyObject* entry = nullptr;
    if (groups[g] < 0) {
      entry = outputs[next++];
    } else {
      entry = PyList_New(groups[g]);
      for (int i = 0; i < groups[g]; ++i) PyList_SET_ITEM(entry, i, outputs[next++]);
    }
    PyList_SET_ITEM(list, static_cast<Py_ssize_t>(g), entry);
  }
  return list;
}

}  // namespace

std::string text_of(PyObject* name) {
  return name != nullptr && PyUnicode_Check(name) ? std::string(PyUnicode_AsUTF8(name)) : std::string();
}

RefPtr<SessionCore> core_for(EagerTensorObject* const* inputs, int count) {
  RefPtr<SessionCore> core = current_core_if_any();
  if (core) return core;
  for (int i = 0; i < count; ++i) {
    SessionCore& owner = inputs[i]->handle->core();
    if (&owner != &SessionCore::outside()) return RefPtr<SessionCore>::share(&owner);
  }
  return current_core();
}

int device_of_operation(const EagerContext& context) {
  return value_or_throw(tinytf::device_of_operation(context.options(), current_device()));
}

PyObject* run_eagerly(RefPtr<EagerKernel> kernel, EagerTensorObject* const* inputs, SessionCore& core, PyObject* name) {
  make_room(core, eager_host());
  InlinedVector<TensorHandle*, 6> handles;
  for (int i = 0; i < kernel->num_inputs(); ++i) handles.push_back(inputs[i]->handle);
  InlinedVector<PyObject*, 4> outputs;
  RefPtr<EagerContext> pressed;
  {
    InSession session(core);
    EagerContext& context = session.context();
    const std::string text = text_of(name);
    EagerOutputs yielded;
    const Status status =
        dispatch(core, context, {*kernel, handles.data(), text, current_device()}, eager_host(), yielded);
    if (!status.ok()) throw_operation_error(status);
    const int64_t bytes = context.options().gc_pressure_bytes > 0 ? bytes_of(yielded) : 0;
    outputs = wrap_outputs(yielded);
    if (context.options().gc_pressure_bytes > 0 && context.is_look_due(bytes)) {
      pressed = RefPtr<EagerContext>::share(&context);
    }
  }
  if (any_tape()) record_operation(*kernel, inputs, outputs.data());
  // Outside the session's scope, since it may run program code.
  if (pressed) collect_garbage(core, *pressed, eager_host());
  core.reclaim().safe_point();
  return grouped(outputs, kernel->output_groups());
}

void bind_eager_run(py::module_& m) {
  m.def("missing_device", &number_of_missing_device, py::arg("name"),
        "Returns a device number that stands for a device that no session has.");
}

}  // namespace tinytf::python
