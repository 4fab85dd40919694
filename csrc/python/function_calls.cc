#include "services/function_calls.h"

#include <atomic>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"
#include "python/raised_exception.h"
#include "python/with_gil.h"
#include "services/fork_gate.h"

namespace tinytf::python {

namespace {

PyObject* functions = nullptr;       // Dict of the package: token → weak reference to a function.
PyObject* describe_error = nullptr;  // exception → (code, message)
std::atomic<bool> ran_on_our_threads{false};

/// Returns the referent of a weak reference; null if it no longer exists.
py::object referred_object(PyObject* reference) {
#if PY_VERSION_HEX >= 0x030D0000
  PyObject* object = nullptr;
  if (PyWeakref_GetRef(reference, &object) < 0) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
#else
  PyObject* object = PyWeakref_GetObject(reference);
  return object == Py_None ? py::object() : py::reinterpret_borrow<py::object>(object);
#endif
}

/// Returns the function of a token. ValueError if there is none or it no longer exists.
py::object find_function(const std::string& token) {
  const py::str key(token);
  if (PyObject* reference = PyDict_GetItemWithError(functions, key.ptr())) {
    if (py::object function = referred_object(reference)) return function;
  }
  throw py::value_error(str_cat("callback ", token, " is not found"));
}

py::object call_with(const py::object& function, const std::vector<FunctionCall::Input>& inputs) {
  py::tuple arguments(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    arguments[i] = tensor_to_argument(*inputs[i].value, inputs[i].may_change);
  }
  auto returned = py::reinterpret_steal<py::object>(
      staying_at_exit([&] { return PyObject_CallObject(function.ptr(), arguments.ptr()); }));
  if (!returned) throw py::error_already_set();
  return returned;
}

/// Splits a returned object into one value per output: a list or tuple holds several values, None holds none.
std::vector<py::object> values_of(py::object returned) {
  std::vector<py::object> values;
  if (returned.is_none()) return values;
  if (!PyList_Check(returned.ptr()) && !PyTuple_Check(returned.ptr())) {
    values.push_back(std::move(returned));
    return values;
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(returned.ptr()); ++i) {
    values.push_back(py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(returned.ptr(), i)));
  }
  return values;  // `returned` is dropped, so a value with a single reference left can give up its memory.
}

Status status_of(const py::object& exception) {
  auto described = py::reinterpret_steal<py::object>(
      staying_at_exit([&exception] { return PyObject_CallOneArg(describe_error, exception.ptr()); }));
  if (!described) {  // The call was interrupted or ran out of memory; the step ends with that exception.
    const py::error_already_set instead;
    return Status(Code::kUnknown, Py_TYPE(instead.value().ptr())->tp_name,
                  std::make_shared<RaisedException>(instead.value()));
  }
  auto [code, message] = described.cast<std::pair<int, std::string>>();
  return Status(static_cast<Code>(code), std::move(message), std::make_shared<RaisedException>(exception));
}

Status call(const FunctionCall& call, std::vector<Tensor>& results) {
  if (!interpreter_is_usable()) return Status(Code::kCancelled, "The Python interpreter is shutting down");
  const ForkGate::Outside in_python;  // While Python code runs; it may also fork.
  if (PyGILState_GetThisThreadState() == nullptr) ran_on_our_threads = true;
  const WithGil locked;
  drop_pending_references();
  try {
    for (py::object& value : values_of(call_with(find_function(call.token), call.inputs))) {
      TINYTF_ASSIGN_OR_RETURN(Tensor result, tensor_from_result(std::move(value), call.allocator));
      results.push_back(std::move(result));
    }
    return Status();
  } catch (py::error_already_set& error) {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    return status_of(error.value());
  } catch (const py::builtin_exception& error) {
    error.set_error();
    return status_of(py::error_already_set().value());
  }
}

}  // namespace

void bind_function_calls(py::module_& m) {
  m.def(
      "set_functions",
      [](py::dict by_token, py::object describe) {
        functions = by_token.release().ptr();
        describe_error = describe.release().ptr();
        set_function_caller(call);
      },
      py::arg("by_token"), py::arg("describe"),
      "Sets `by_token`, a dict of weak references to the functions that nodes call, and describe(exception) → (error "
      "code, message).");
}

bool functions_have_run_on_our_threads() { return ran_on_our_threads; }

}  // namespace tinytf::python
