#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/observe/digest_recorder.h"
#include "runtime/observe/step_gate.h"
#include "runtime/observe/step_observers.h"
#include "runtime/session/session.h"

namespace tinytf::python {

namespace py = pybind11;

/// The signature of a run in Python's terms: endpoints by key, operations by id.
struct CallSignature {
  RunSignature run;
  std::vector<PartialShape> feed_shapes;
};
CallSignature call_signature(Graph& graph, const std::vector<int64_t>& feeds, const std::vector<int64_t>& fetches,
                             const std::vector<int>& targets);

/// Returns the session's plan, made without the GIL. Throws the exception that a signal handler raised meanwhile.
Result<RefPtr<Plan>> make_plan(Session& session, const RunSignature& signature, RunSettings settings = {});

/// The form in which a prepared call returns the fetches.
enum class Yield { kNone, kSingle, kList, kHeld };

/// A plan bound to its session: the callable behind `Session.run` and `make_callable`. Thread-safe.
class __attribute__((visibility("hidden"))) PreparedCall {  // Hidden, as its pybind11 members are.
 public:
  PreparedCall(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<PartialShape> feed_shapes, py::object convert,
               Yield yield)
      : session_(std::move(session)),
        plan_(std::move(plan)),
        feed_shapes_(std::move(feed_shapes)),
        convert_(std::move(convert)),
        yield_(yield) {}

  /// Runs a step and returns the fetches. With a `gate`, the last fetches are for it and are not returned; if it does
  /// not pass the step, `*seen` becomes the list of their values.
  py::object call(py::handle values, StepGate* gate = nullptr, py::object* seen = nullptr);

  /// Runs a step that is traced or limited. Returns the results and, if `traced`, a list for the nodes that ran: name,
  /// start and end in nanoseconds since the epoch, thread, and for each output slot, dtype number, dimensions and
  /// bytes; else None. `digests`, if not null, observes the nodes too.
  py::tuple call_with(py::handle values, int64_t timeout_ms, int inter_op_pool, bool traced,
                      std::shared_ptr<Cancellation> cancellation, std::shared_ptr<DigestRecorder> digests);

  /// Describes the plan as a dict.
  py::dict describe() const;

  Session& session() { return *session_; }
  const Plan& plan() const { return *plan_; }
  Plan& plan() { return *plan_; }

 private:
  std::vector<Tensor> run(py::handle values, RunSettings settings);
  std::vector<Tensor> run_observed(py::handle values, StepObservers& observers, RunSettings settings);
  py::object handed_out(std::vector<Tensor>& fetches, size_t count) const;
  void take_feeds(py::handle values, std::vector<Tensor>& feeds);

  RefPtr<Session> session_;
  RefPtr<Plan> plan_;
  std::vector<PartialShape> feed_shapes_;
  py::object convert_;
  Yield yield_;
};

/// Binds the API for recording and replaying steps: the recorder, and methods for the state behind a call's nodes.
void bind_step_record(py::module_& m, py::class_<PreparedCall>& prepared_call);

}  // namespace tinytf::python
