#include "runtime/session.h"

#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/numpy_tensor.h"
#include "python/without_gil.h"
#include "services/step_stats.h"

namespace tinytf::python {

namespace {

/// How a prepared call hands out what it fetched.
enum class Yield { kNone, kSingle, kList };

/// A plan bound to its session: what `Session.run` and `make_callable` call. Thread-safe.
class PreparedCall {
 public:
  PreparedCall(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<PartialShape> feed_shapes, py::object convert,
               Yield yield)
      : session_(std::move(session)),
        plan_(std::move(plan)),
        feed_shapes_(std::move(feed_shapes)),
        convert_(std::move(convert)),
        yield_(yield) {}

  py::object call(py::handle values) { return run(values, nullptr); }

  /// Also returns, for each node that ran: name, start and end in nanoseconds since the epoch, thread, and for each
  /// output slot, number of the dtype, dimensions and bytes.
  py::tuple trace(py::handle values) {
    StepStats stats;
    py::object results = run(values, &stats);
    py::list nodes;
    for (const NodeStats& node : stats.take()) {
      py::list outputs;
      for (const NodeStats::Output& output : node.outputs) {
        outputs.append(py::make_tuple(output.slot, static_cast<int>(output.dtype),
                                      std::vector<int64_t>(output.shape.dims().begin(), output.shape.dims().end()),
                                      output.bytes));
      }
      nodes.append(py::make_tuple(node.node, node.start_ns, node.end_ns, node.thread, outputs));
    }
    return py::make_tuple(results, nodes);
  }

 private:
  py::object run(py::handle values, StepStats* stats) {
    drop_pending_references();
    std::vector<Tensor> feeds;
    const size_t n = plan_->feed_types.size();
    if (n > 0) take_feeds(values, feeds);
    std::vector<Tensor> fetches;
    Status status;
    {
      WithoutGil others_may_run;
      status = session_->run(*plan_, feeds, fetches, stats);
    }
    feeds.clear();
    drop_pending_references();
    throw_if_error(status);
    if (yield_ == Yield::kNone) return py::none();
    if (yield_ == Yield::kSingle) return tensor_to_python(std::move(fetches[0]));
    py::list results(fetches.size());
    for (size_t i = 0; i < fetches.size(); ++i) results[i] = tensor_to_python(std::move(fetches[i]));
    return results;
  }

  void take_feeds(py::handle values, std::vector<Tensor>& feeds) {
    auto items = py::reinterpret_steal<py::object>(PySequence_Fast(values.ptr(), "feeds must be a sequence"));
    if (!items) throw py::error_already_set();
    const size_t given = static_cast<size_t>(PySequence_Fast_GET_SIZE(items.ptr()));
    const size_t n = plan_->feed_types.size();
    if (given != n) throw StatusException(invalid_argument("Expected ", n, " feed tensors, but got ", given));
    feeds.reserve(n);
    for (size_t i = 0; i < n; ++i) {
      PyObject* value = PySequence_Fast_GET_ITEM(items.ptr(), i);
      Tensor tensor = try_tensor_from_python(value, plan_->feed_types[i]);
      if (!tensor.valid() || !feed_shapes_[i].compatible_with(tensor.shape())) {
        // Everything unusual, and every error, is Python's business; what it returns fits.
        py::object array = convert_(i, py::reinterpret_borrow<py::object>(value));
        tensor = tensor_from_python(array, plan_->feed_types[i]);
      }
      feeds.push_back(std::move(tensor));
    }
  }

  RefPtr<Session> session_;
  RefPtr<Plan> plan_;
  std::vector<PartialShape> feed_shapes_;
  py::object convert_;
  Yield yield_;
};

std::unique_ptr<PreparedCall> prepare(Session& session, const std::vector<int64_t>& feeds,
                                      const std::vector<int64_t>& fetches, const std::vector<int>& targets,
                                      py::object convert, const std::string& yield) {
  Graph& graph = *session.graph();
  RunSignature signature;
  std::vector<PartialShape> feed_shapes;
  for (int64_t key : feeds) {
    signature.feeds.push_back(endpoint_from_key(graph, key));
    feed_shapes.push_back(graph.shape(signature.feeds.back()));
  }
  for (int64_t key : fetches) signature.fetches.push_back(endpoint_from_key(graph, key));
  for (int id : targets) signature.targets.push_back(node_from_id(graph, id));
  Result<RefPtr<Plan>> plan = [&] {
    WithoutGil others_may_run;
    return session.plan(signature);
  }();
  const Yield mode = yield == "none" ? Yield::kNone : yield == "single" ? Yield::kSingle : Yield::kList;
  return std::make_unique<PreparedCall>(RefPtr<Session>::share(&session), value_or_throw(std::move(plan)),
                                        std::move(feed_shapes), std::move(convert), mode);
}

PyRef<Session> make_session(Graph& graph, int intra_op_threads, bool fold_constants,
                            bool eliminate_common_subexpressions, size_t max_folded_bytes) {
  SessionOptions options;
  options.intra_op_threads = intra_op_threads;
  options.fold_constants = fold_constants;
  options.eliminate_common_subexpressions = eliminate_common_subexpressions;
  if (max_folded_bytes > 0) options.max_folded_bytes = max_folded_bytes;
  return PyRef<Session>(make_ref<Session>(RefPtr<Graph>::share(&graph), options));
}

py::dict memory_stats(Session& session) {
  const Allocator::Stats stats = session.allocator().stats();
  py::dict dict;
  dict["live_bytes"] = stats.live_bytes;
  dict["peak_bytes"] = stats.peak_bytes;
  dict["pooled_bytes"] = stats.pooled_bytes;
  dict["allocations"] = stats.allocations;
  dict["pool_hits"] = stats.pool_hits;
  return dict;
}

}  // namespace

void bind_session(py::module_& m) {
  py::class_<PreparedCall>(m, "PreparedCall")
      .def("__call__", [](PreparedCall& self, py::args values) { return self.call(values); })
      .def("call", &PreparedCall::call, py::arg("values"))
      .def("trace", &PreparedCall::trace, py::arg("values"));
  py::class_<Session, PyRef<Session>>(m, "Session")
      .def(py::init(&make_session), py::arg("graph"), py::arg("intra_op_threads") = 0, py::arg("fold_constants") = true,
           py::arg("eliminate_common_subexpressions") = true, py::arg("max_folded_bytes") = 0)
      .def("prepare", &prepare, py::arg("feeds"), py::arg("fetches"), py::arg("targets"), py::arg("convert"),
           py::arg("yield_") = "list")
      .def("close",
           [](Session& self) {
             {
               WithoutGil others_may_run;
               self.close();
             }
             drop_pending_references();
           })
      .def("closed", &Session::closed)
      .def("memory_stats", &memory_stats)
      .def("clear_container", [](Session& self, const std::string& name) { self.resources().clear_container(name); });
}

}  // namespace tinytf::python
