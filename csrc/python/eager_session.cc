#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/eager_current.h"
#include "python/eager_sites.h"
#include "python/errors.h"
#include "python/export_list.h"
#include "python/numpy_tensor.h"
#include "python/references.h"
#include "python/signal_poll.h"
#include "python/without_gil.h"
#include "runtime/eager/eager_context.h"

namespace tinytf::python {

/// pybind11 holder of cores. When the Python object is destroyed, the session is abandoned, even if it was never
/// closed.
template <class Core>
class Abandoning {
 public:
  Abandoning() = default;
  explicit Abandoning(Core* core) : core_(RefPtr<Core>::adopt(core)) {}
  explicit Abandoning(RefPtr<Core> core) : core_(std::move(core)) {}
  Abandoning(Abandoning&&) = default;
  Abandoning& operator=(Abandoning&&) = delete;
  ~Abandoning() {
    if (core_) core_->abandon();
  }
  Core* get() const { return core_.get(); }

 private:
  RefPtr<Core> core_;
};

}  // namespace tinytf::python

PYBIND11_DECLARE_HOLDER_TYPE(T, tinytf::python::Abandoning<T>)

namespace tinytf::python {

namespace {

using CoreOwner = Abandoning<SessionCore>;

CoreOwner make_core(int strategy, int64_t soft_bytes, int64_t soft_handles, int64_t hard_bytes, int64_t hard_handles,
                    int64_t safe_point_budget_us, int64_t memory_limit_bytes, int64_t retained_warning_bytes,
                    int intra_op_threads, int cpu_devices, bool asynchronous, bool log_device_placement,
                    bool allow_soft_placement, int device_policy, bool track_sites, int64_t gc_pressure_bytes) {
  CoreOptions options;
  options.strategy = static_cast<CleanupStrategy>(strategy);
  options.soft_bytes = soft_bytes;
  options.soft_handles = soft_handles;
  options.hard_bytes = hard_bytes;
  options.hard_handles = hard_handles;
  options.safe_point_budget_us = safe_point_budget_us;
  options.memory_limit_bytes = memory_limit_bytes;
  options.retained_warning_bytes = retained_warning_bytes;
  EagerOptions eager;
  eager.intra_op_threads = intra_op_threads;
  eager.cpu_devices = cpu_devices;
  eager.asynchronous = asynchronous;
  eager.log_device_placement = log_device_placement;
  eager.allow_soft_placement = allow_soft_placement;
  eager.device_policy = static_cast<DevicePolicy>(device_policy);
  eager.track_sites = track_sites;
  eager.gc_pressure_bytes = gc_pressure_bytes;
  auto core = make_ref<SessionCore>(options);
  (void)EagerContext::attach_to(*core, eager);
  return CoreOwner(std::move(core));
}

/// Named tuple types of the statistics, set once: SessionStats, ReaperStats, SafePointStats.
PyTypeObject* stats_types[3];

PyObject* as_python(int64_t value) { return PyLong_FromLongLong(value); }
PyObject* as_python(bool value) { return PyBool_FromLong(value); }
PyObject* as_python(const char* value) { return PyUnicode_InternFromString(value); }
PyObject* as_python(PyObject* value) { return value; }

/// Makes a named tuple of these fields, as tuple.__new__ would. Steals the fields' references.
template <class... Fields>
PyObject* named_tuple(PyTypeObject* type, Fields... fields) {
  PyObject* tuple = type->tp_alloc(type, sizeof...(fields));
  if (tuple == nullptr) throw py::error_already_set();
  Py_ssize_t i = 0;
  (PyTuple_SET_ITEM(tuple, i++, as_python(fields)), ...);
  return tuple;
}

/// Cheap enough to be called at every step.
py::object stats(SessionCore& core) {
  static constexpr const char* kLives[] = {"open", "closing", "closed"};
  static constexpr const char* kStrategies[] = {"IN_BACKGROUND", "ON_SAFE_POINTS", "ON_SESSION_CLOSE", "IMMEDIATELY"};
  const CoreStats s = core.stats();
  PyObject* reaper =
      named_tuple(stats_types[1], s.reaper_alive, s.wakeups, s.batches, s.max_batch, s.max_lag_us, s.busy_us);
  PyObject* safe_point = named_tuple(stats_types[2], s.drains, s.max_pause_us);
  return py::reinterpret_steal<py::object>(
      named_tuple(stats_types[0], kLives[static_cast<int>(s.life)], kStrategies[static_cast<int>(s.strategy)],
                  s.created, s.live, s.queued, s.retained, s.freed, s.invalidated, s.live_bytes, s.queued_bytes,
                  s.retained_bytes, s.exported_bytes, s.pooled_bytes, s.peak_bytes, s.peak_queued_bytes, s.pending_ops,
                  s.active_ops, reaper, safe_point, s.backpressure_events, s.free_errors, s.fork_orphaned,
                  s.fork_generation, s.allocations, s.pool_hits, s.allocated_bytes));
}

void set_stats_types(const py::object& session, const py::object& reaper, const py::object& safe_point) {
  int i = 0;
  for (const py::object& type : {session, reaper, safe_point}) {
    stats_types[i++] = reinterpret_cast<PyTypeObject*>(py::object(type).release().ptr());
  }
}

}  // namespace

void bind_eager_session(py::module_& m) {
  const CoreOptions defaults;
  m.def("set_stats_types", &set_stats_types, py::arg("session"), py::arg("reaper"), py::arg("safe_point"),
        "Sets the named tuple types of the statistics.");
  py::class_<SessionCore, CoreOwner>(m, "SessionCore", "The core of an eager session, which owns its values.")
      .def(py::init(&make_core), py::arg("strategy") = 0, py::arg("soft_bytes") = defaults.soft_bytes,
           py::arg("soft_handles") = defaults.soft_handles, py::arg("hard_bytes") = defaults.hard_bytes,
           py::arg("hard_handles") = defaults.hard_handles, py::arg("safe_point_budget_us") = 0,
           py::arg("memory_limit_bytes") = 0, py::arg("retained_warning_bytes") = 0, py::arg("intra_op_threads") = 0,
           py::arg("cpu_devices") = 1, py::arg("asynchronous") = false, py::arg("log_device_placement") = false,
           py::arg("allow_soft_placement") = false, py::arg("device_policy") = 2, py::arg("track_sites") = false,
           py::arg("gc_pressure_bytes") = 0)
      .def(
          "close",
          [](SessionCore& core, int64_t timeout_ms, bool cancel_pending) {
            interruptible([&](auto interrupted) { return core.close(timeout_ms, cancel_pending, interrupted); });
            forget_sites(core);
          },
          py::arg("timeout_ms") = -1, py::arg("cancel_pending") = false)
      .def(
          "flush",
          [](SessionCore& core, int64_t timeout_ms) {
            interruptible([&](auto interrupted) { return core.reclaim().flush(timeout_ms, interrupted); });
          },
          py::arg("timeout_ms") = -1)
      .def(
          "reset",
          [](SessionCore& core, int64_t timeout_ms) {
            interruptible([&](auto interrupted) { return core.reset(timeout_ms, interrupted); });
            InSession(core).context().resources()->clear();
          },
          py::arg("timeout_ms") = -1)
      .def("collect",
           [](SessionCore& core) {
             int64_t freed = 0;
             {
               WithoutGil others_may_run;
               freed = core.reclaim().collect();
             }
             drop_pending_references();
             return freed;
           })
      .def("trim",
           [](SessionCore& core) {
             int64_t bytes = 0;
             {
               WithoutGil others_may_run;
               bytes = core.reclaim().trim();
             }
             drop_pending_references();
             return bytes;
           })
      .def("safe_point",
           [](SessionCore& core) {
             {
               WithoutGil others_may_run;
               core.reclaim().safe_point();
             }
             drop_pending_references();
           })
      .def(
          "synchronize",
          [](SessionCore& core, int64_t timeout_ms) {
            if (!InSession(core).context().options().asynchronous) return;
            interruptible(
                [&](auto interrupted) { return core.operations().async().synchronize(timeout_ms, interrupted); });
          },
          py::arg("timeout_ms") = -1)
      .def("clear_error",
           [](SessionCore& core) {
             if (InSession(core).context().options().asynchronous) core.operations().async().clear_error();
           })
      .def("retained_warning_due", [](SessionCore& core) { return core.reclaim().retained_warning_due(); })
      .def("live_tensors", &live_tensors)
      .def("live_exports", &live_exports)
      .def_property_readonly("cpu_devices",
                             [](SessionCore& core) { return InSession(core).context().options().cpu_devices; })
      .def("abandon", &SessionCore::abandon, py::call_guard<WithoutGil>())
      .def("stats", &stats)
      .def_property_readonly("closed", [](SessionCore& core) { return core.life() == CoreStats::Life::kClosed; })
      .def_property_readonly("open", [](SessionCore& core) { return core.life() == CoreStats::Life::kOpen; });
}

}  // namespace tinytf::python
