#include <pybind11/functional.h>
#include <pybind11/pybind11.h>

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "handles/testing/core_testing.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/testing/allocation_faults.h"
#include "python/testing/file_changes.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

constexpr std::array<const char*, 7> kPoints = {"drop_before_push", "taken_before_free", "closing_before_join",
                                                "reaper_turn",      "before_rest",       "in_deleter",
                                                "take_handle"};

TestPoint point_named(const std::string& name) {
  for (size_t i = 0; i < kPoints.size(); ++i) {
    if (name == kPoints[i]) return static_cast<TestPoint>(i);
  }
  throw py::value_error("there is no point '" + name + "'");
}

/// Calls a Python function from any thread of the core. Its exception becomes a failure that the point supports: a
/// MemoryError where memory is taken, any exception in a deleter; elsewhere it is written to stderr.
class Action {
 public:
  Action(TestPoint point, py::function function) : point_(point), function_(std::move(function)) {}
  ~Action() {
    const py::gil_scoped_acquire gil;
    function_ = py::function();
  }
  Action(const Action&) = delete;
  Action& operator=(const Action&) = delete;

  void operator()() {
    std::string failure;
    {
      const py::gil_scoped_acquire gil;
      // A point may be reached while an exception is pending, for example during frame teardown.
      PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
      PyErr_Fetch(&type, &value, &traceback);
      try {
        function_();
      } catch (py::error_already_set& error) {
        if (point_ == TestPoint::kTakeHandle && error.matches(PyExc_MemoryError)) {
          failure = "no memory";
        } else if (point_ == TestPoint::kInDeleter) {
          failure = error.what();
        } else {
          error.discard_as_unraisable("a test's action");
        }
      }
      PyErr_Restore(type, value, traceback);
    }
    if (failure.empty()) return;
    if (point_ == TestPoint::kTakeHandle) throw std::bad_alloc();
    throw std::runtime_error(failure);
  }

 private:
  const TestPoint point_;
  py::function function_;
};

/// Node of an asynchronous session that calls a Python function, which may block the session's thread.
class CallNode final : public AsyncQueue::Node {
 public:
  explicit CallNode(py::function function) : function_(std::move(function)) {}
  ~CallNode() override {
    const py::gil_scoped_acquire gil;
    function_ = py::function();
  }
  Status run() override {
    const py::gil_scoped_acquire gil;
    try {
      function_();
    } catch (py::error_already_set& error) {
      return Status(Code::kInternal, error.what());
    }
    return Status();
  }
  void abandon(const Status&) override {}

 private:
  py::function function_;
};

/// Test access to one core from Python.
class EagerTesting {
 public:
  explicit EagerTesting(SessionCore& core) : core_(RefPtr<SessionCore>::share(&core)), testing_(core) {}

  void set_failpoint(const std::string& name, const py::object& function) {
    const TestPoint point = point_named(name);
    if (function.is_none()) return testing_.set_failpoint(point, nullptr);
    auto action = std::make_shared<Action>(point, function);
    testing_.set_failpoint(point, [action] { (*action)(); });
  }
  void count(const std::string& name) {
    const TestPoint point = point_named(name);
    auto* hits = &hits_[static_cast<size_t>(point)];
    *hits = 0;
    testing_.set_failpoint(point, [hits] { hits->fetch_add(1); });
  }
  int64_t hits(const std::string& name) const { return hits_[static_cast<size_t>(point_named(name))]; }
  CoreTesting& testing() { return testing_; }
  SessionCore& core() { return *core_; }

 private:
  const RefPtr<SessionCore> core_;
  std::array<std::atomic<int64_t>, kPoints.size()> hits_{};
  CoreTesting testing_;
};

py::dict recount(EagerTesting& self) {
  const CoreTesting::Count count = self.testing().recount();
  py::dict d;
  d["live"] = count.live, d["queued"] = count.queued, d["retained"] = count.retained;
  d["closed"] = count.closed, d["invalidated"] = count.invalidated, d["vacant"] = count.vacant;
  d["live_bytes"] = count.live_bytes, d["queued_bytes"] = count.queued_bytes;
  d["retained_bytes"] = count.retained_bytes;
  return d;
}

}  // namespace

void bind_testing(py::module_& module) {
  py::module_ m = module.def_submodule("testing", "Functions with which tests pause, inspect and break the engine.");
  bind_allocation_faults(m);
  bind_file_changes(m);
  using Self = EagerTesting;
  py::class_<Self>(m, "EagerTesting", "Gives a test control over one core; see handles/testing/core_testing.h.")
      .def(py::init<SessionCore&>(), py::arg("core"))
      .def("pause_reaper",
           [](Self& self) {
             const WithoutGil gil;
             self.testing().pause_reaper();
           })
      .def("resume", [](Self& self) { self.testing().resume(); })
      .def(
          "step",
          [](Self& self, int turns) {
            const WithoutGil gil;
            self.testing().step(turns);
          },
          py::arg("turns") = 1)
      .def("wait_idle",
           [](Self& self) {
             const WithoutGil gil;
             self.testing().wait_idle();
           })
      .def("set_failpoint", &Self::set_failpoint, py::arg("point"), py::arg("function"),
           "Calls function() whenever a thread reaches the point. None removes the function.")
      .def("count", &Self::count, py::arg("point"), "Starts counting how often threads reach the point.")
      .def("hits", &Self::hits, py::arg("point"), "Returns the count that `count` started.")
      .def(
          "push_node",
          [](Self& self, py::function function) {
            throw_if_error(self.core().operations().async().push(std::make_unique<CallNode>(std::move(function))));
          },
          py::arg("function"), "Appends a call of function() to the queue of an asynchronous session.")
      .def("fail_next_handles", [](Self& self, int count) { self.testing().fail_next_handles(count); })
      .def("fail_allocations", [](Self& self, bool fail) { self.testing().fail_allocations(fail); })
      .def("set_fake_now_ns", [](Self& self, int64_t now) { self.testing().set_fake_now_ns(now); })
      .def("recount", &recount, "Counts the handles one by one. Returns the counts by state.")
      .def_property_readonly("has_reaper", [](Self& self) { return self.testing().has_reaper(); });
}

}  // namespace tinytf::python
