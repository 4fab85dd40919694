#include "python/eager_op.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "op/op_registry.h"
#include "python/attrs.h"
#include "python/bindings.h"
#include "python/eager_sites.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"
#include "python/references.h"
#include "python/signal_poll.h"
#include "python/tape.h"
#include "python/without_gil.h"
#include "runtime/eager_node.h"

namespace tinytf::python {

namespace {

/// A value that can neither change nor take long to compare; an empty object if `value` cannot be made one.
py::object frozen(PyObject* value) {
  if (value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
      PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) ||
      Py_TYPE(value) == Py_TYPE(dtype_object(DType::kFloat))) {
    return py::reinterpret_borrow<py::object>(value);
  }
  if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return py::object();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(value);
  py::tuple items(size);
  for (Py_ssize_t i = 0; i < size; ++i) {
    py::object item = frozen(PySequence_Fast_GET_ITEM(value, i));
    if (!item) return item;
    items[i] = std::move(item);
  }
  return std::move(items);
}

/// Whether `value` would freeze to `kept`.
bool same(PyObject* kept, PyObject* value) {
  if (PyTuple_CheckExact(kept)) {
    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return false;
    const Py_ssize_t size = PyTuple_GET_SIZE(kept);
    if (PySequence_Fast_GET_SIZE(value) != size) return false;
    for (Py_ssize_t i = 0; i < size; ++i) {
      if (!same(PyTuple_GET_ITEM(kept, i), PySequence_Fast_GET_ITEM(value, i))) return false;
    }
    return true;
  }
  if (kept == value) return true;
  if (Py_TYPE(kept) != Py_TYPE(value)) return false;
  if (PyFloat_CheckExact(kept)) {  // -0.0 is not 0.0
    const double a = PyFloat_AS_DOUBLE(kept), b = PyFloat_AS_DOUBLE(value);
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
  if (PyLong_CheckExact(kept) || PyUnicode_CheckExact(kept) || PyBytes_CheckExact(kept)) {
    return PyObject_RichCompareBool(kept, value, Py_EQ) == 1;
  }
  return false;
}

bool same_attrs(const std::vector<py::object>& kept, PyObject* attrs) {
  if (attrs == Py_None) return kept.empty();
  if (static_cast<size_t>(PyDict_GET_SIZE(attrs)) * 2 != kept.size()) return false;
  Py_ssize_t position = 0;
  PyObject *name = nullptr, *value = nullptr;
  for (size_t i = 0; PyDict_Next(attrs, &position, &name, &value); i += 2) {
    if (!same(kept[i].ptr(), name) || !same(kept[i + 1].ptr(), value)) return false;
  }
  return true;
}

uint64_t hash_of(const EagerInputs& inputs) {
  uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  for (const EagerTensorObject* tensor : inputs.tensors) add(static_cast<uint64_t>(tensor->handle->dtype()));
  for (int group : inputs.groups) add(1000 + static_cast<uint64_t>(group));
  return hash;
}

bool same_inputs(const CachedKernel& cached, const EagerInputs& inputs) {
  if (cached.types.size() != inputs.tensors.size() ||
      !std::equal(cached.groups.begin(), cached.groups.end(), inputs.groups.begin(), inputs.groups.end())) {
    return false;
  }
  for (size_t i = 0; i < inputs.tensors.size(); ++i) {
    if (inputs.tensors[i]->handle->dtype() != cached.types[i]) return false;
  }
  return true;
}

/// Whether the kernel has a queue or variable of its own: it serves one operation only.
bool makes_resource(const NodeInfo& node) {
  return node.op->is_stateful && std::any_of(node.outputs.begin(), node.outputs.end(),
                                             [](const auto& o) { return o.dtype == DType::kResource; });
}

std::vector<int> lengths_of_outputs(const NodeInfo& node) {
  std::vector<int> lengths;
  for (const ArgDef& arg : node.op->outputs) {
    if (!arg.number_attr.empty()) {
      lengths.push_back(static_cast<int>(*node.attrs.get<int64_t>(arg.number_attr)));
    } else if (!arg.type_list_attr.empty()) {
      lengths.push_back(static_cast<int>(node.attrs.get<std::vector<DType>>(arg.type_list_attr)->size()));
    } else {
      lengths.push_back(-1);
    }
  }
  return lengths;
}

std::string text_of(PyObject* name) {
  return name != nullptr && PyUnicode_Check(name) ? std::string(PyUnicode_AsUTF8(name)) : std::string();
}

std::string device_name(int number) { return str_cat("/job:localhost/replica:0/task:0/device:CPU:", number); }

/// What the current operation is to free before it takes new memory.
void make_room(SessionCore& core) {
  core.safe_point();
  if (!core.pressed()) return;
  if (!core.above_hard_mark()) {
    core.relieve();
    return;
  }
  WithoutGil others_may_run;
  core.relieve();
}

/// Also where the program has switched the collector off.
void collect_python_garbage() {
  static PyObject* collect = nullptr;  // guarded by the GIL
  if (collect == nullptr) collect = py::object(py::module_::import("gc").attr("collect")).release().ptr();
  py::reinterpret_borrow<py::object>(collect)();
}

/// Has Python's garbage collected that keeps the session's values, if they are too many. Where that did not help, as
/// the program itself holds them, it waits until they are twice as many.
void collect_garbage(SessionCore& core, EagerContext& context) {
  const int64_t live = core.stats().live_bytes;
  if (live <= context.options().gc_pressure_bytes) {
    context.kept_bytes() = 0;
  } else if (live > 2 * context.kept_bytes()) {
    collect_python_garbage();
    context.kept_bytes() = core.stats().live_bytes;
  }
}

int64_t bytes_of(const InlinedVector<TensorHandle*, 4>& handles) {
  int64_t bytes = 0;
  for (const TensorHandle* handle : handles) {
    if (handle->pending() == nullptr) bytes += static_cast<int64_t>(handle->tensor().bytes());
  }
  return bytes;
}

/// An input on another device: whether the session's policy lets the operation take it.
void check_device(const EagerContext& context, const EagerKernel& kernel, int input, const TensorHandle& handle,
                  int device) {
  const DevicePolicy policy = context.options().device_policy;
  if (policy == DevicePolicy::kSilent) return;
  if (policy == DevicePolicy::kSilentForInt32 && handle.dtype() == DType::kInt32) return;
  const std::string& op = kernel.node().op->name;
  if (policy == DevicePolicy::kWarn) {
    warn(str_cat("before computing ", op, " input #", input, " was expected to be on ", device_name(device),
                 " but is actually on ", device_name(handle.device), " (operation running on ", device_name(device),
                 "). This triggers a copy which can be a performance bottleneck."));
    return;
  }
  throw StatusException(invalid_argument(
      "Tensors on conflicting devices: cannot compute ", op, " as input #", input, " was expected to be on ",
      device_name(device), " but is actually on ", device_name(handle.device), " (operation running on ",
      device_name(device),
      ") Tensors can be copied explicitly using .gpu() or .cpu() methods, or transparently copied by using "
      "tf.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT). Copying tensors between devices may slow "
      "down your model"));
}

void check_devices(const EagerContext& context, const EagerKernel& kernel, EagerTensorObject* const* inputs) {
  const int device = current_device();
  if (device >= context.options().cpu_devices) {
    throw StatusException(invalid_argument(device_name(device), " unknown device."));
  }
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    if (inputs[i]->handle->device != device) check_device(context, kernel, i, *inputs[i]->handle, device);
  }
  if (context.options().log_device_placement) {
    info(str_cat("Executing op ", kernel.node().op->name, " in device ", device_name(device)));
  }
}

/// Tensors for handles that were made for an operation's outputs; null handles are a MemoryError.
InlinedVector<PyObject*, 4> wrap_outputs(const InlinedVector<TensorHandle*, 4>& handles, const EagerKernel& kernel,
                                         const EagerContext& context) {
  InlinedVector<PyObject*, 4> outputs;
  bool failed = false;
  for (TensorHandle* handle : handles) {
    if (failed) {
      if (handle != nullptr) handle->core().drop(handle);
      continue;
    }
    if (handle != nullptr) handle->device = current_device();
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
                                          std::move(values), text_of(name));
  InlinedVector<TensorHandle*, 4> handles;
  for (int i = 0; i < kernel.num_outputs(); ++i) {
    handles.push_back(core.make_handle(kernel.node().outputs[i].dtype, node->outputs()[i]));
  }
  const Status pushed = core.async().push(std::move(node));
  if (!pushed.ok()) {
    for (TensorHandle* handle : handles) {
      if (handle != nullptr) core.drop(handle);
    }
    throw StatusException(pushed);
  }
  return handles;
}

/// The error of memory that is out, with what holds most.
Status with_holders(const Status& status, SessionCore& core) {
  return Status(status.code(), str_cat(status.message(), ". Most is held by: ", largest_holders(core)));
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
  Status status;
  if (kernel.is_brief(input_bytes)) {
    status = context.run(kernel, call, nullptr);
  } else {
    drop_pending_references();
    SignalPoll signals;
    {
      WithoutGil others_may_run;
      status = context.run(kernel, call, signals.interrupt());
    }
    drop_pending_references();
    signals.throw_if_raised();
  }
  if (status.code() == Code::kResourceExhausted) {  // once more, after the program's garbage has been collected
    collect_python_garbage();
    core.collect();
    status = context.run(kernel, call, nullptr);
    if (status.code() == Code::kResourceExhausted) {
      status = with_holders(status, core);
    }
  }
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

EagerOp::EagerOp(const OpDef& def) : def_(def) {}

bool EagerOp::flatten(PyObject* inputs, EagerInputs& flat) const {
  const bool has_list = std::any_of(def_.inputs.begin(), def_.inputs.end(), [](auto& arg) { return arg.is_list(); });
  const Py_ssize_t count = PyTuple_GET_SIZE(inputs);
  if (static_cast<size_t>(count) != def_.inputs.size()) {
    throw py::type_error(str_cat(def_.name, " takes ", def_.inputs.size(), " inputs, not ", count));
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* value = PyTuple_GET_ITEM(inputs, i);
    if (!def_.inputs[i].is_list()) {
      if (!is_eager_tensor(value)) return false;
      flat.tensors.push_back(as_eager_tensor(value));
      if (has_list) flat.groups.push_back(1);
      continue;
    }
    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return false;
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(value);
    for (Py_ssize_t k = 0; k < size; ++k) {
      PyObject* item = PySequence_Fast_GET_ITEM(value, k);
      if (!is_eager_tensor(item)) return false;
      flat.tensors.push_back(as_eager_tensor(item));
    }
    flat.groups.push_back(static_cast<int>(size));
  }
  return true;
}

const CachedKernel* EagerOp::find(const EagerInputs& inputs, PyObject* attrs) const {
  const uint64_t hash = hash_of(inputs);
  for (const CachedKernel& cached : kernels_) {
    if (cached.hash == hash && same_inputs(cached, inputs) && same_attrs(cached.attrs, attrs)) return &cached;
  }
  return nullptr;
}

CachedKernel EagerOp::make(const EagerInputs& inputs, AttrMap checked, PyObject* attrs) {
  NodeInfo node;
  node.name = def_.name;
  node.op = &def_;
  node.attrs = std::move(checked);
  CachedKernel cached;
  for (const EagerTensorObject* tensor : inputs.tensors) {
    node.inputs.push_back({tensor->handle->dtype(), false});
    cached.types.push_back(tensor->handle->dtype());
  }
  cached.groups.assign(inputs.groups.begin(), inputs.groups.end());
  cached.hash = hash_of(inputs);
  cached.kernel = value_or_throw(EagerKernel::make(std::move(node), cached.groups));
  cached.output_groups = std::make_shared<std::vector<int>>(lengths_of_outputs(cached.kernel->node()));
  if (makes_resource(cached.kernel->node())) return cached;
  if (attrs != Py_None) {
    Py_ssize_t position = 0;
    PyObject *name = nullptr, *value = nullptr;
    while (PyDict_Next(attrs, &position, &name, &value)) {
      py::object kept = frozen(value);
      if (!kept) return cached;
      cached.attrs.push_back(py::reinterpret_borrow<py::object>(name));
      cached.attrs.push_back(std::move(kept));
    }
  }
  if (kernels_.size() < kMostKernels) {
    kernels_.push_back(cached);
  } else {
    kernels_[next_victim_++ % kMostKernels] = cached;
  }
  return cached;
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

PyObject* run_eagerly(const CachedKernel& cached, EagerTensorObject* const* inputs, SessionCore& core, PyObject* name) {
  const RefPtr<EagerKernel> kernel = cached.kernel;  // `cached` may go while other threads run
  const auto groups = cached.output_groups;
  make_room(core);
  InlinedVector<PyObject*, 4> outputs;
  RefPtr<EagerContext> pressed;
  {
    InSession session(core);
    EagerContext& context = session.context();
    if (!context.is_plain() || current_device() != 0) check_devices(context, *kernel, inputs);
    const auto handles = context.options().asynchronous ? submit(core, context, *kernel, inputs, name)
                                                        : run_now(core, context, *kernel, inputs, name);
    outputs = wrap_outputs(handles, *kernel, context);
    if (context.options().gc_pressure_bytes > 0 && context.is_look_due(bytes_of(handles))) {
      pressed = RefPtr<EagerContext>::share(&context);
    }
  }
  if (any_tape()) record_operation(*kernel, inputs, outputs.data());
  if (pressed) collect_garbage(core, *pressed);  // outside of the session: it may run the program's own code
  core.safe_point();
  return grouped(outputs, *groups);
}

namespace {

/// call(inputs, attrs, name): runs an operation of which a kernel is kept; NotImplemented if there is none, or if
/// inputs must be converted first. In C's convention, as every operation of a program comes through here.
PyObject* call_op(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if (count != 3 || !PyTuple_Check(args[0]) || (args[1] != Py_None && !PyDict_Check(args[1]))) {
      throw py::type_error("call takes a tuple of inputs, attrs in a dictionary or None, and a name or None");
    }
    const EagerOp& op = *static_cast<EagerOp*>(PyCapsule_GetPointer(self, nullptr));
    EagerInputs flat;
    const CachedKernel* cached = op.flatten(args[0], flat) ? op.find(flat, args[1]) : nullptr;
    if (cached == nullptr) Py_RETURN_NOTIMPLEMENTED;
    const RefPtr<SessionCore> core = core_for(flat.tensors.data(), static_cast<int>(flat.tensors.size()));
    return run_eagerly(*cached, flat.tensors.data(), *core, args[2]);
  });
}

PyMethodDef call_method = {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call_op)), METH_FASTCALL,
                           "Runs the op; NotImplemented if inputs or attrs must be looked at first."};

/// The function `call` of an op, which it keeps alive.
py::object caller(const py::object& op) {
  auto self = py::reinterpret_steal<py::object>(PyCapsule_New(op.cast<EagerOp*>(), nullptr, [](PyObject* capsule) {
    Py_DECREF(static_cast<PyObject*>(PyCapsule_GetContext(capsule)));
  }));
  if (!self || PyCapsule_SetContext(self.ptr(), py::object(op).release().ptr()) != 0) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(PyCFunction_New(&call_method, self.ptr()));
}

/// Runs an operation on eager tensors. `checked`: attrs as Graph.add_node takes them; `attrs`: as the program gave
/// them.
py::object call_new(EagerOp& op, const py::tuple& inputs, py::object checked, py::object attrs, py::object name) {
  EagerInputs flat;
  if (!op.flatten(inputs.ptr(), flat)) throw py::type_error("inputs must be eager tensors");
  CachedKernel cached;
  try {
    cached = op.make(flat, attrs_from_python(&op.def(), checked), attrs.ptr());
  } catch (const StatusException& e) {
    throw StatusException(of_operation(e.status(), op.def().name, text_of(name.ptr())));
  }
  const RefPtr<SessionCore> core = core_for(flat.tensors.data(), static_cast<int>(flat.tensors.size()));
  return py::reinterpret_steal<py::object>(run_eagerly(cached, flat.tensors.data(), *core, name.ptr()));
}

/// As call and call_new, for the session of the core and on that device.
py::object run_in(EagerOp& op, SessionCore& core, const py::tuple& inputs, py::object checked, py::object attrs,
                  py::object name, int device) {
  EagerInputs flat;
  if (!op.flatten(inputs.ptr(), flat))
    throw StatusException(invalid_argument("Inputs of ", op.def().name, " do not fit its declaration"));
  const OnDevice placed(device);
  const CachedKernel* cached = op.find(flat, attrs.ptr());
  CachedKernel made;
  if (cached == nullptr) {
    try {
      made = op.make(flat, attrs_from_python(&op.def(), checked), attrs.ptr());
    } catch (const StatusException& e) {
      throw StatusException(of_operation(e.status(), op.def().name, text_of(name.ptr())));
    }
    cached = &made;
  }
  return py::reinterpret_steal<py::object>(run_eagerly(*cached, flat.tensors.data(), core, name.ptr()));
}

Tensor cloned(const Tensor& value, SessionCore& core) {
  Result<Tensor> copy = value.clone(core.allocator());
  if (copy.ok() || copy.status().code() != Code::kResourceExhausted) return value_or_throw(std::move(copy));
  collect_python_garbage();
  core.collect();
  Result<Tensor> again = value.clone(core.allocator());
  if (!again.ok()) throw StatusException(with_holders(again.status(), core));
  return value_or_throw(std::move(again));
}

/// A tensor in the current session with a copy of the array's elements, as `dtype`.
py::object eager_constant(py::handle array, int dtype) {
  const RefPtr<SessionCore> core = current_core();
  make_room(*core);
  InSession session(*core);
  const Tensor view = tensor_from_python(array, static_cast<DType>(dtype));
  Tensor own = view.buffer()->writable() ? view : cloned(view, *core);
  TensorHandle* handle = core->make_handle(std::move(own));
  if (handle != nullptr) handle->device = current_device();
  if (handle != nullptr && session.context().options().track_sites) note_site(*handle, "Const");
  py::object tensor = py::reinterpret_steal<py::object>(wrap_handle(handle));
  if (!tensor) throw py::error_already_set();
  return tensor;
}

}  // namespace

void bind_eager_op(py::module_& m) {
  py::class_<EagerOp>(m, "EagerOp", "An op as eager execution calls it.")
      .def(py::init([](const std::string& name) {
             const OpDef* def = OpRegistry::global().find(name);
             if (def == nullptr) throw py::key_error(name);
             return std::make_unique<EagerOp>(*def);
           }),
           py::arg("name"))
      .def("caller", &caller, "call(inputs, attrs, name) of this op.")
      .def("run_in", &run_in, py::arg("core"), py::arg("inputs"), py::arg("checked"), py::arg("attrs"), py::arg("name"),
           py::arg("device"))
      .def("call_new", &call_new, py::arg("inputs"), py::arg("checked"), py::arg("attrs"), py::arg("name"));
  m.def("eager_constant", &eager_constant, py::arg("array"), py::arg("dtype"));
}

}  // namespace tinytf::python
