#include "python/bindings.h"
#include "python/errors.h"
#include "python/prepared_call.h"
#include "runtime/observe/step_gate.h"

namespace tinytf::python {

namespace {

PyTypeObject* prepared_call_type = nullptr;  // Never released; set at import.

/// Result of a step that idle hooks must see: the program's fetches and the values that the gate saw.
struct DueStep {
  py::object results;
  py::list values;
};

py::object new_tuple(Py_ssize_t size) {
  auto tuple = py::reinterpret_steal<py::object>(PyTuple_New(size));
  if (!tuple) throw py::error_already_set();
  return tuple;
}

void put(const py::object& tuple, Py_ssize_t i, PyObject* item) {
  Py_INCREF(item);
  PyTuple_SET_ITEM(tuple.ptr(), i, item);
}

/// Returns the fed values as an exact dict, in the order of `feed_dict`; null if there are none. If `feed_dict` is not
/// a mapping, returns null and sets a Python error.
py::object feeds_of(PyObject* feed_dict) {
  if (feed_dict == Py_None) return py::object();
  if (PyDict_CheckExact(feed_dict)) return py::reinterpret_borrow<py::object>(feed_dict);
  if (PyObject_IsTrue(feed_dict) == 0) return py::object();
  auto feeds = py::reinterpret_steal<py::object>(PyErr_Occurred() ? nullptr : PyDict_New());
  return feeds && PyDict_Update(feeds.ptr(), feed_dict) == 0 ? feeds : py::object();
}

/// The key of a call in the cache, which StepCache describes, and its fed values.
struct CallForm {
  CallForm(PyObject* fetches, PyObject* feeds, PyObject* watched)
      : watched_count(watched != nullptr ? PyTuple_GET_SIZE(watched) : 0),
        fed_count(feeds != nullptr ? PyDict_GET_SIZE(feeds) : 0),
        key(new_tuple(watched_count + 2 + fed_count)),
        values(new_tuple(fed_count)) {
    for (Py_ssize_t i = 0; i < watched_count; ++i) put(key, i, PyTuple_GET_ITEM(watched, i));
    put(key, watched_count, reinterpret_cast<PyObject*>(Py_TYPE(fetches)));
    if (PyList_CheckExact(fetches)) {
      PyObject* flat = PyList_AsTuple(fetches);
      if (flat == nullptr) throw py::error_already_set();
      PyTuple_SET_ITEM(key.ptr(), watched_count + 1, flat);
    } else {
      put(key, watched_count + 1, fetches);
    }
    if (feeds == nullptr) return;
    Py_ssize_t position = 0, i = 0;
    for (PyObject *fed = nullptr, *value = nullptr; i < fed_count && PyDict_Next(feeds, &position, &fed, &value); ++i) {
      put(key, watched_count + 2 + i, fed);
      put(values, i, value);
    }
    if (i != fed_count || PyDict_GET_SIZE(feeds) != fed_count) {
      throw std::runtime_error("feed_dict changed its size while it was read");
    }
  }

  const Py_ssize_t watched_count, fed_count;
  const py::object key, values;
};

/// Runs a call, a tuple of the prepared call and the function from its results to the structure of the fetches, or None
/// if that is the results themselves. Inlined into the functions below, through which every step passes.
[[gnu::always_inline]] inline py::object run_call(py::handle call, py::handle values, StepGate* gate) {
  PyObject* prepared = PyTuple_GET_ITEM(call.ptr(), 0);
  PyObject* build = PyTuple_GET_ITEM(call.ptr(), 1);
  py::object results, seen;
  if (Py_TYPE(prepared) == prepared_call_type) {
    results = py::handle(prepared).cast<PreparedCall&>().call(values, gate, &seen);
  } else if (gate == nullptr) {
    results = py::handle(prepared).attr("call")(values);
  } else {
    throw StatusException(invalid_argument("Only steps of an engine of this process have a gate"));
  }
  if (build != Py_None) {
    results = py::reinterpret_steal<py::object>(PyObject_CallFunctionObjArgs(build, results.ptr(), nullptr));
    if (!results) throw py::error_already_set();
  }
  return seen ? py::cast(DueStep{std::move(results), std::move(seen)}) : results;
}

StepGate* gate_of(PyObject* gate) { return gate != Py_None ? &py::handle(gate).cast<StepGate&>() : nullptr; }

// These functions have the raw C calling convention because it is the fastest.

/// run_cached(calls, fetches, feed_dict[, gate, watched])
PyObject* run_cached(PyObject*, PyObject* const* args, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if ((count != 3 && count != 5) || !PyDict_Check(args[0]) || (count == 5 && !PyTuple_Check(args[4]))) {
      return PyErr_Format(PyExc_TypeError, "run_cached takes a dict, fetches, feeds, and a gate with a tuple");
    }
    StepGate* gate = count == 5 ? gate_of(args[3]) : nullptr;
    if (gate != nullptr && !gate->is_open()) Py_RETURN_NOTIMPLEMENTED;
    const py::object feeds = feeds_of(args[2]);
    py::object call, values;
    if (PyErr_Occurred() == nullptr) {
      const CallForm form(args[1], feeds.ptr(), count == 5 ? args[4] : nullptr);
      call = py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(args[0], form.key.ptr()));
      values = form.values;
    }
    if (call) return run_call(call, values, gate).release().ptr();
    if (PyErr_Occurred() != nullptr) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
      PyErr_Clear();  // The fetches are not hashable, or the feeds no mapping.
    }
    Py_RETURN_NOTIMPLEMENTED;
  });
}

/// run_call(call, values[, gate])
PyObject* run_found(PyObject*, PyObject* const* args, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if ((count != 2 && count != 3) || !PyTuple_CheckExact(args[0]) || PyTuple_GET_SIZE(args[0]) != 2) {
      return PyErr_Format(PyExc_TypeError, "run_call takes a pair, values, and a gate");
    }
    return run_call(args[0], args[1], count == 3 ? gate_of(args[2]) : nullptr).release().ptr();
  });
}

PyCFunction fastcall(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef functions[] = {
    {"run_cached", fastcall(&run_cached), METH_FASTCALL,
     "run_cached(calls, fetches, feed_dict[, gate, watched])\n\n"
     "Runs the call that the dict `calls` has for these fetches and feeds, as `run_call` does. Returns NotImplemented, "
     "and runs nothing, if it has none or the gate is shut. With a gate, the last fetches of the call are `watched`."},
    {"run_call", fastcall(&run_found), METH_FASTCALL,
     "run_call(call, values[, gate])\n\n"
     "Runs a pair of a prepared call and the function that builds the structure of the results, or None. Returns the "
     "structure, in a DueStep if there is a gate and it does not pass the step."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void bind_cached_calls(py::module_& m) {
  py::class_<StepGate>(m, "StepGate", "Determines when idle hooks are due again.")
      .def(py::init([](int64_t step_after, int64_t step_before, int64_t steps, double secs_after, double secs_before,
                       bool moves, bool has_step, int values, int64_t last_step, bool has_last_step) {
             if (values < (has_step ? 1 : 0))
               throw py::value_error("`values` must not be negative, and at least 1 if `has_step` is true");
             const GateLimits limits{step_after, step_before, steps, secs_after, secs_before, moves};
             return std::make_unique<StepGate>(limits, has_step, values, last_step, has_last_step);
           }),
           py::kw_only(), py::arg("step_after"), py::arg("step_before"), py::arg("steps"), py::arg("secs_after"),
           py::arg("secs_before"), py::arg("moves"), py::arg("has_step"), py::arg("values"), py::arg("last_step"),
           py::arg("has_last_step"))
      .def("is_open", &StepGate::is_open)
      .def("shut", &StepGate::shut)
      .def_property_readonly("passed", &StepGate::passed)
      .def_property_readonly("last_step", &StepGate::last_step);
  py::class_<DueStep>(m, "DueStep", "The result of a step after which idle hooks are due.")
      .def_readonly("results", &DueStep::results)
      .def_readonly("values", &DueStep::values);
  prepared_call_type = reinterpret_cast<PyTypeObject*>(py::type::of<PreparedCall>().ptr());
  if (PyModule_AddFunctions(m.ptr(), functions) != 0) throw py::error_already_set();
}

}  // namespace tinytf::python
