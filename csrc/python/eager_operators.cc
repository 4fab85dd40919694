#include "python/eager_operators.h"

#include "op/op_registry.h"
#include "python/eager_op.h"
#include "python/eager_run.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"

namespace tinytf::python {

namespace {

PyObject* tensor_class = nullptr;  // Its operators handle the operands that the fast path does not.

EagerOp& op_named(const char* name) {
  return *new EagerOp(*OpRegistry::global().find(name));  // Leaked: each operator calls this once and keeps the op.
}

/// Converts the other operand, a number or array, to a tensor of `dtype` in the session; null if the conversion needs
/// type rules.
PyObject* as_operand(PyObject* value, DType dtype, SessionCore& core) {
  Tensor tensor = try_tensor_from_python(value, dtype);
  if (!tensor.valid()) return nullptr;
  InSession session(core);
  if (!tensor.buffer()->writable()) tensor = value_or_throw(tensor.clone(core.allocator()));
  throw_if_error(session.context().take_over(tensor));
  const int device = device_of_operation(session.context());
  TensorHandle* handle = core.make_handle(std::move(tensor));
  if (handle != nullptr) handle->device = device;
  return wrap_handle(handle);
}

/// Runs a binary operation without attrs. Returns null without an exception if the fast path does not apply.
PyObject* run_binary(EagerOp& op, PyObject* x, PyObject* y) {
  PyObject* tensor = is_eager_tensor(x) ? x : y;
  PyObject* other = is_eager_tensor(x) ? y : x;
  const RefPtr<SessionCore> core = core_for(reinterpret_cast<EagerTensorObject* const*>(&tensor), 1);
  py::object converted;
  if (!is_eager_tensor(other)) {
    converted = py::reinterpret_steal<py::object>(as_operand(other, as_eager_tensor(tensor)->handle->dtype(), *core));
    if (!converted) {
      if (PyErr_Occurred()) throw py::error_already_set();
      return nullptr;
    }
    (tensor == x ? y : x) = converted.ptr();
  }
  EagerInputs inputs;
  inputs.tensors.push_back(as_eager_tensor(x));
  inputs.tensors.push_back(as_eager_tensor(y));
  if (EagerKernel* kept = op.find(inputs, Py_None)) {
    return run_eagerly(RefPtr<EagerKernel>::share(kept), inputs.tensors.data(), *core, Py_None);
  }
  if (as_eager_tensor(x)->handle->dtype() != as_eager_tensor(y)->handle->dtype()) return nullptr;
  return run_eagerly(op.make(inputs, AttrMap(), Py_None), inputs.tensors.data(), *core, Py_None);
}

bool is_float(PyObject* object) {
  if (!is_eager_tensor(object)) return true;
  switch (as_eager_tensor(object)->handle->dtype()) {
    case DType::kFloat:
    case DType::kDouble:
    case DType::kHalf:
    case DType::kBfloat16: return true;
    default: return false;
  }
}

bool is_number(PyObject* object) {
  return !is_eager_tensor(object) || as_eager_tensor(object)->handle->dtype() != DType::kString;
}

/// Calls the tensor class's operator as Python would for `x op y`.
PyObject* slow_binary(const char* forward, const char* reflected, PyObject* x, PyObject* y) {
  const bool straight = PyObject_IsInstance(x, tensor_class) == 1;
  PyObject* method = PyObject_GetAttrString(tensor_class, straight ? forward : reflected);
  if (method == nullptr) return nullptr;
  PyObject* result = straight ? PyObject_CallFunctionObjArgs(method, x, y, nullptr)
                              : PyObject_CallFunctionObjArgs(method, y, x, nullptr);
  Py_DECREF(method);
  return result;
}

/// An operator in C. `Traits` names the operator and the op, and tells which operands the op takes without conversion.
template <class Traits>
PyObject* binary(PyObject* x, PyObject* y) {
  return guarded([&]() -> PyObject* {
    if (!building_graphs() && Traits::applies(x) && Traits::applies(y)) {
      static EagerOp& op = op_named(Traits::kOp);
      if (PyObject* result = run_binary(op, x, y)) return result;
      if (PyErr_Occurred()) throw py::error_already_set();
    }
    PyObject* result = slow_binary(Traits::kForward, Traits::kReflected, x, y);
    if (result == nullptr) throw py::error_already_set();
    return result;
  });
}

#define TINYTF_OPERATOR(Name, op, method, test)                    \
  struct Name {                                                    \
    static constexpr const char* kOp = op;                         \
    static constexpr const char* kForward = "__" method "__";      \
    static constexpr const char* kReflected = "__r" method "__";   \
    static bool applies(PyObject* object) { return test(object); } \
  };
TINYTF_OPERATOR(Add, "AddV2", "add", is_number)
TINYTF_OPERATOR(Sub, "Sub", "sub", is_number)
TINYTF_OPERATOR(Mul, "Mul", "mul", is_number)
TINYTF_OPERATOR(TrueDiv, "RealDiv", "truediv", is_float)
#undef TINYTF_OPERATOR

PyObject* negative(PyObject* x) {
  return guarded([&] {
    if (building_graphs()) {
      PyObject* result = PyObject_CallMethod(tensor_class, "__neg__", "O", x);
      if (result == nullptr) throw py::error_already_set();
      return result;
    }
    static EagerOp& op = op_named("Neg");
    EagerInputs inputs;
    inputs.tensors.push_back(as_eager_tensor(x));
    const RefPtr<SessionCore> core = core_for(inputs.tensors.data(), 1);
    RefPtr<EagerKernel> kernel = op.find_or_make(inputs, Py_None, [] { return AttrMap(); });
    return run_eagerly(std::move(kernel), inputs.tensors.data(), *core, Py_None);
  });
}

}  // namespace

void add_operator_slots(std::vector<PyType_Slot>& slots, const py::object& base) {
  tensor_class = py::object(base).release().ptr();
  const auto add = [&slots](int slot, auto* function) { slots.push_back({slot, reinterpret_cast<void*>(function)}); };
  add(Py_nb_add, &binary<Add>);
  add(Py_nb_subtract, &binary<Sub>);
  add(Py_nb_multiply, &binary<Mul>);
  add(Py_nb_true_divide, &binary<TrueDiv>);
  add(Py_nb_negative, &negative);
}

}  // namespace tinytf::python
