#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "python/step_gate.h"
#include "runtime/observe/digest_recorder.h"
#include "runtime/observe/step_observers.h"
#include "runtime/session/session.h"

namespace tinytf::python {

namespace py = pybind11;

/// What a run asks for, as Python names it: endpoints by key, operations by id.
struct CallSignature {
  RunSignature run;
  std::vector<PartialShape> feed_shapes;
};
CallSignature call_signature(Graph& graph, const std::vector<int64_t>& feeds, const std::vector<int64_t>& fetches,
                             const std::vector<int>& targets);

/// The session's plan, made without the GIL. Throws what a signal handler raised meanwhile.
Result<RefPtr<Plan>> make_plan(Session& session, const RunSignature& signature, RunSettings settings = {});

/// How a prepared call hands out what it fetched.
enum class Yield { kNone, kSingle, kList, kHeld };

/// A plan bound to its session: what `Session.run` and `make_callable` call. Thread-safe.
class __attribute__((visibility("hidden"))) PreparedCall {  // as what it keeps
 public:
  PreparedCall(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<PartialShape> feed_shapes, py::object convert,
               Yield yield)
      : session_(std::move(session)),
        plan_(std::move(plan)),
        feed_shapes_(std::move(feed_shapes)),
        convert_(std::move(convert)),
        yield_(yield) {}

  py::object call(py::handle values);

  /// A step whose last fetches are what `gate`, a StepGate, looks at, and are not handed out; a `DueStep` if that
  /// concerns somebody. No step and the gate itself if it is shut, unless the step `must_run`.
  py::object call_gated(py::handle values, py::object gate, bool must_run);

  /// A step that is traced or limited. Returns the results and, if `traced`, for each node that ran: name, start and
  /// end in nanoseconds since the epoch, thread, and for each output slot, number of the dtype, dimensions and bytes;
  /// else None. `digests`, if given, sees the nodes too.
  py::tuple call_with(py::handle values, int64_t timeout_ms, int inter_op_pool, bool traced,
                      std::shared_ptr<Cancellation> cancellation, std::shared_ptr<DigestRecorder> digests);

  /// What was planned, as a dict.
  py::dict describe() const;

  Session& session() { return *session_; }
  const Plan& plan() const { return *plan_; }
  Plan& plan() { return *plan_; }

 private:
  std::vector<Tensor> run(py::handle values, RunSettings settings);
  std::vector<Tensor> run_observed(py::handle values, StepObservers& observers, RunSettings settings);
  std::vector<Tensor> run_watched(py::handle values);
  py::object handed_out(std::vector<Tensor>& fetches, size_t count) const;
  void take_feeds(py::handle values, std::vector<Tensor>& feeds);

  RefPtr<Session> session_;
  RefPtr<Plan> plan_;
  std::vector<PartialShape> feed_shapes_;
  py::object convert_;
  Yield yield_;
};

/// What recording and replaying steps needs: the recorder, and methods for the state behind a call's nodes.
void bind_step_record(py::module_& m, py::class_<PreparedCall>& prepared_call);

}  // namespace tinytf::python
