#include "python/eager_run.h"

#include <optional>

#include "python/eager_devices.h"
#include "python/eager_memory.h"
#include "python/eager_sites.h"
#include "python/errors.h"
#include "python/references.h"
#include "python/signal_poll.h"
#include "python/tape.h"
#include "python/without_gil.h"
#include "runtime/eager/eager_node.h"

namespace tinytf::python {

namespace {

int64_t bytes_of(const InlinedVector<TensorHandle*, 4>& handles) {
  int64_t bytes = 0;
  for (const TensorHandle* handle : handles) {
    if (handle->pending() == nullptr) bytes += static_cast<int64_t>(handle->tensor().bytes());
  }
  return bytes;
}

/// Tensors for handles that were made for an operation's outputs; null handles are a MemoryError.
InlinedVector<PyObject*, 4> wrap_outputs(const InlinedVector<TensorHandle*, 4>& handles, const EagerKernel& kernel,
                                         const EagerContext& context, int device) {
  InlinedVector<PyObject*, 4> outputs;
  bool failed = false;
  for (TensorHandle* handle : handles) {
    if (failed) {
      if (handle != nullptr) handle->core().drop(handle);
      continue;
    }
    if (handle != nullptr) handle->device = device;
    if (handle != nullptr && context.options().track_sites) note_site(*handle, kernel.node().op->name);
    PyObject* tensor = wrap_handle(handle);
    if (tensor == nullptr) {
      failed = true;
    } else {
      outputs.push_back(tensor);
    }
  }
  if (failed) {
    for (PyObject* made : outputs) Py_DECREF(made);
    throw py::error_already_set();
  }
  return outputs;
}

/// None, a tensor, or a list by declared outputs.
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

/// Hands an operation to the session's thread.
InlinedVector<TensorHandle*, 4> submit(SessionCore& core, EagerContext& context, EagerKernel& kernel,
                                       EagerTensorObject* const* inputs, PyObject* name) {
  std::vector<EagerNode::Input> values;
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    std::optional<SessionCore::Entry> other;
    TensorHandle& handle = *inputs[i]->handle;
    if (&handle.core() != &core) other.emplace(handle.core());
    if ((other && !*other) || !handle.live()) throw_freed(handle);
    if (handle.ready()) {
      if (handle.pending()) throw_if_error(handle.wait());
      values.push_back({handle.tensor(), nullptr});
    } else {
      values.push_back({Tensor(), handle.pending()});
    }
  }
  auto node = std::make_unique<EagerNode>(RefPtr<EagerContext>::share(&context), RefPtr<EagerKernel>::share(&kernel),
                                          std::move(values), text_of(name),
                                          RefPtr<AsyncQueue>::share(&core.operations().async()));
  InlinedVector<TensorHandle*, 4> handles;
  for (int i = 0; i < kernel.num_outputs(); ++i) {
    handles.push_back(core.make_handle(kernel.node().outputs[i].dtype, node->outputs()[i]));
  }
  const Status pushed = core.operations().async().push(std::move(node));
  if (!pushed.ok()) {
    for (TensorHandle* handle : handles) {
      if (handle != nullptr) core.drop(handle);
    }
    end_thread_at_exit();
    throw StatusException(pushed);
  }
  return handles;
}

/// Runs an operation on the calling thread.
InlinedVector<TensorHandle*, 4> run_now(SessionCore& core, EagerContext& context, EagerKernel& kernel,
                                        EagerTensorObject* const* inputs, PyObject* name) {
  EagerCall call(kernel);
  int64_t input_bytes = 0;
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    call.input(i) = value_of(inputs[i], &core);
    input_bytes += static_cast<int64_t>(call.input(i).bytes());
  }
  const Status status = with_memory(core, [&] {
    if (kernel.is_brief(input_bytes)) return context.run(kernel, call, nullptr);
    drop_pending_references();
    SignalPoll signals;
    Status ended;
    {
      WithoutGil others_may_run;
      ended = context.run(kernel, call, signals.interrupt());
    }
    drop_pending_references();
    signals.throw_if_raised();
    return ended;
  });
  if (!status.ok()) end_thread_at_exit();
  if (!status.ok()) throw StatusException(of_operation(status, kernel.node().op->name, text_of(name)));
  InlinedVector<TensorHandle*, 4> handles;
  int64_t output_bytes = 0;
  for (int i = 0; i < kernel.num_outputs(); ++i) {
    output_bytes += static_cast<int64_t>(call.output(i).bytes());
    handles.push_back(core.make_handle(std::move(call.output(i))));
  }
  kernel.note_output(output_bytes);
  return handles;
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

PyObject* run_eagerly(RefPtr<EagerKernel> kernel, EagerTensorObject* const* inputs, SessionCore& core, PyObject* name) {
  make_room(core);
  InlinedVector<PyObject*, 4> outputs;
  RefPtr<EagerContext> pressed;
  {
    InSession session(core);
    EagerContext& context = session.context();
    int device = 0;
    if (!context.is_plain() || current_device() != 0) {
      device = device_of_operation(context);
      check_inputs(context, *kernel, inputs, device);
    }
    const auto handles = context.options().asynchronous ? submit(core, context, *kernel, inputs, name)
                                                        : run_now(core, context, *kernel, inputs, name);
    outputs = wrap_outputs(handles, *kernel, context, device);
    if (context.options().gc_pressure_bytes > 0 && context.is_look_due(bytes_of(handles))) {
      pressed = RefPtr<EagerContext>::share(&context);
    }
  }
  if (any_tape()) record_operation(*kernel, inputs, outputs.data());
  if (pressed) collect_garbage(core, *pressed);  // outside of the session: it may run the program's own code
  core.reclaim().safe_point();
  return grouped(outputs, kernel->output_groups());
}

}  // namespace tinytf::python
