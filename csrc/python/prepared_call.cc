#include "python/prepared_call.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/held_tensor.h"
#include "python/numpy_tensor.h"
#include "python/signal_poll.h"
#include "python/without_gil.h"
#include "runtime/observe/stats_recorder.h"
#include "runtime/observe/step_observers.h"
#include "runtime/plan/plan_loops.h"

namespace tinytf::python {

namespace {

/// Whether a tensor made of `array`, to which `value` was converted, has memory of its own, not the value's or another
/// object's that the array is a view of.
bool is_copy(const Tensor& tensor, const py::array& array, py::handle value) {
  if (array.data() != tensor.raw()) return true;
  constexpr int kOurs = 2;  // References: the tensor's and the caller's.
  return !array.is(value) && array.owndata() && array.ref_count() <= kOurs;
}

py::list stats_to_python(std::vector<NodeStats> stats) {
  py::list nodes;
  for (const NodeStats& node : stats) {
    py::list outputs;
    for (const NodeStats::Output& output : node.outputs) {
      outputs.append(py::make_tuple(output.slot, static_cast<int>(output.dtype),
                                    std::vector<int64_t>(output.shape.dims().begin(), output.shape.dims().end()),
                                    output.bytes));
    }
    nodes.append(py::make_tuple(node.node, node.start_ns, node.end_ns, node.thread, outputs, node.iterations));
  }
  return nodes;
}

}  // namespace

CallSignature call_signature(Graph& graph, const std::vector<int64_t>& feeds, const std::vector<int64_t>& fetches,
                             const std::vector<int>& targets) {
  CallSignature signature;
  for (int64_t key : feeds) {
    signature.run.feeds.push_back(endpoint_from_key(graph, key));
    signature.feed_shapes.push_back(graph.shape(signature.run.feeds.back()));
  }
  for (int64_t key : fetches) signature.run.fetches.push_back(endpoint_from_key(graph, key));
  for (int id : targets) signature.run.targets.push_back(node_from_id(graph, id));
  return signature;
}

Result<RefPtr<Plan>> make_plan(Session& session, const RunSignature& signature, RunSettings settings) {
  drop_pending_references();
  SignalPoll signals;
  settings.interrupt = signals.interrupt();
  Result<RefPtr<Plan>> plan = [&] {
    WithoutGil others_may_run;
    return session.plan(signature, settings);
  }();
  drop_pending_references();
  signals.throw_if_raised();
  return plan;
}

std::vector<Tensor> PreparedCall::run(py::handle values, RunSettings settings) {
  drop_pending_references();
  std::vector<Tensor> feeds;
  if (!plan_->program().feed_types.empty()) take_feeds(values, feeds);
  std::vector<Tensor> fetches;
  SignalPoll signals;
  settings.interrupt = signals.interrupt();
  Status status;
  {
    WithoutGil others_may_run;
    status = session_->run(*plan_, feeds, fetches, settings);
  }
  feeds.clear();
  drop_pending_references();
  signals.throw_if_raised();
  throw_if_error(status);
  return fetches;
}

py::object PreparedCall::handed_out(std::vector<Tensor>& fetches, size_t count) const {
  if (yield_ == Yield::kNone) return py::none();
  if (yield_ == Yield::kSingle) return tensor_to_python(std::move(fetches[0]));
  py::list results(count);
  for (size_t i = 0; i < count; ++i) {
    results[i] =
        yield_ == Yield::kHeld ? py::cast(HeldTensor{std::move(fetches[i])}) : tensor_to_python(std::move(fetches[i]));
  }
  return results;
}

std::vector<Tensor> PreparedCall::run_observed(py::handle values, StepObservers& observers, RunSettings settings) {
  throw_if_error(observers.before(*plan_));
  settings.observer = observers.observer();
  return run(values, settings);
}

py::object PreparedCall::call(py::handle values, StepGate* gate, py::object* seen) {
  const size_t all = plan_->program().fetch_slots.size(), watched = gate != nullptr ? gate->values() : 0;
  const size_t own = all - watched;
  if (watched > all || (gate != nullptr && yield_ == Yield::kSingle && own != 1)) {
    throw StatusException(invalid_argument("The call does not fetch the values that the gate checks"));
  }
  std::vector<Tensor> fetches;
  if (const int nan_level = session_->watches_nan(); nan_level == 0) {
    fetches = run(values, RunSettings());
  } else {
    StepObservers observers(nan_level);
    fetches = run_observed(values, observers, RunSettings());
  }
  if (gate != nullptr && !gate->passes(fetches.data() + own)) {
    py::list values_of_gate(watched);
    for (size_t i = 0; i < watched; ++i) values_of_gate[i] = tensor_to_python(std::move(fetches[own + i]));
    *seen = std::move(values_of_gate);
  }
  return handed_out(fetches, own);
}

py::tuple PreparedCall::call_with(py::handle values, int64_t timeout_ms, int inter_op_pool, bool traced,
                                  std::shared_ptr<Cancellation> cancellation, std::shared_ptr<DigestRecorder> digests) {
  StepStats stats;
  StatsRecorder recorder(stats);
  StepObservers observers(session_->watches_nan());
  if (traced) observers.add(&recorder);
  if (digests) observers.add(digests.get());
  RunSettings settings;
  settings.timeout_ms = timeout_ms;
  settings.inter_op_pool = inter_op_pool;
  settings.cancellation = cancellation.get();
  std::vector<Tensor> fetches = run_observed(values, observers, settings);
  py::object results = handed_out(fetches, fetches.size());
  py::object nodes = py::none();
  if (traced) nodes = stats_to_python(stats.take());
  return py::make_tuple(results, nodes);
}

void PreparedCall::take_feeds(py::handle values, std::vector<Tensor>& feeds) {
  auto items = py::reinterpret_steal<py::object>(PySequence_Fast(values.ptr(), "feeds must be a sequence"));
  if (!items) throw py::error_already_set();
  const size_t given = static_cast<size_t>(PySequence_Fast_GET_SIZE(items.ptr()));
  const size_t n = plan_->program().feed_types.size();
  if (given != n) throw StatusException(invalid_argument("Expected ", n, " feed tensors, but got ", given));
  feeds.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    PyObject* value = PySequence_Fast_GET_ITEM(items.ptr(), i);
    Tensor tensor = try_tensor_from_python(value, plan_->program().feed_types[i]);
    if (!tensor.valid() && py::isinstance<HeldTensor>(value)) {
      feeds.push_back(py::handle(value).cast<const HeldTensor&>().value);  // Of any shape, as variables may be.
      continue;
    }
    if (!tensor.valid() || !feed_shapes_[i].compatible_with(tensor.shape())) {
      // Python's `convert` handles every unusual value and every error; its result fits.
      const py::array array = convert_(i, py::reinterpret_borrow<py::object>(value));
      tensor = tensor_from_python(array, plan_->program().feed_types[i]);
      if (is_copy(tensor, array, value)) session_->add_feed_bytes_copied(static_cast<int64_t>(tensor.bytes()));
    }
    feeds.push_back(std::move(tensor));
  }
}

py::dict PreparedCall::describe() const {
  py::list nodes;
  for (const PlanNode* const node : plan_nodes(plan_->program())) {
    nodes.append(py::make_tuple(node->info->name, node->info->op->name));
  }
  int64_t constant_bytes = 0;
  for (const auto& [slot, value] : plan_->program().constants) constant_bytes += static_cast<int64_t>(value.bytes());
  py::dict dict;
  dict["nodes"] = nodes;
  dict["constants"] = plan_->program().constants.size();
  dict["constant_bytes"] = constant_bytes;
  dict["folded"] = plan_->program().folded;
  dict["merged"] = plan_->program().merged;
  dict["slots"] = plan_->program().slot_count;
  dict["may_wait"] = plan_->program().may_wait;
  py::list loops;
  for (const PlanLoop& loop : plan_loops(plan_->program())) {
    loops.append(py::make_tuple(loop.frame, loop.nodes, loop.is_compiled, loop.maps));
  }
  dict["loops"] = loops;
  dict["guards"] = plan_guards(plan_->program());
  dict["way"] = plan_way(plan_->program());
  dict["why_tokens"] = why_tokens(plan_->program());
  py::list regions;
  for (const PlanRegion& region : plan_regions(plan_->program())) {
    regions.append(py::make_tuple(region.nodes, region.why));
  }
  dict["regions"] = regions;
  dict["uses_threads"] = plan_->profile().use_threads.load();
  return dict;
}

namespace {

std::unique_ptr<PreparedCall> prepare(Session& session, const std::vector<int64_t>& feeds,
                                      const std::vector<int64_t>& fetches, const std::vector<int>& targets,
                                      py::object convert, const std::string& yield, int64_t timeout_ms,
                                      std::shared_ptr<Cancellation> cancellation) {
  CallSignature signature = call_signature(*session.graph(), feeds, fetches, targets);
  RunSettings settings;
  settings.timeout_ms = timeout_ms;
  settings.cancellation = cancellation.get();
  Result<RefPtr<Plan>> plan = make_plan(session, signature.run, settings);
  const Yield mode = yield == "none"     ? Yield::kNone
                     : yield == "single" ? Yield::kSingle
                     : yield == "held"   ? Yield::kHeld
                                         : Yield::kList;
  return std::make_unique<PreparedCall>(RefPtr<Session>::share(&session), value_or_throw(std::move(plan)),
                                        std::move(signature.feed_shapes), std::move(convert), mode);
}

}  // namespace

void bind_prepared_call(py::module_& m) {
  py::class_<Cancellation, std::shared_ptr<Cancellation>>(
      m, "Cancellation",
      "Cancels the steps that are started with it, before or after the call of cancel(). Thread-safe.")
      .def(py::init<>())
      .def("cancel", &Cancellation::cancel, py::call_guard<WithoutGil>())
      .def("cancelled", &Cancellation::cancelled);
  py::class_<HeldTensor>(m, "HeldTensor", "A value fetched from a step without a copy. It can be fed.")
      .def_property_readonly("nbytes", [](const HeldTensor& self) { return self.value.bytes(); });
  py::class_<PreparedCall> prepared_call(m, "PreparedCall");
  bind_step_record(m, prepared_call);
  prepared_call.def("__call__", [](PreparedCall& self, py::args values) { return self.call(values); })
      .def(
          "call", [](PreparedCall& self, py::handle values) { return self.call(values); }, py::arg("values"))
      .def("call_with", &PreparedCall::call_with, py::arg("values"), py::arg("timeout_ms") = 0,
           py::arg("inter_op_pool") = 0, py::arg("traced") = false, py::arg("cancellation") = nullptr,
           py::arg("digests") = nullptr)
      .def("describe", &PreparedCall::describe);
  m.def("prepare", &prepare, py::arg("session"), py::arg("feeds"), py::arg("fetches"), py::arg("targets"),
        py::arg("convert"), py::arg("yield_") = "list", py::arg("timeout_ms") = 0, py::arg("cancellation") = nullptr);
}

}  // namespace tinytf::python
