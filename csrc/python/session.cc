#include "runtime/session/session.h"

#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/numpy_tensor.h"
#include "python/signal_poll.h"
#include "python/without_gil.h"
#include "services/session_store.h"

namespace tinytf::python {

namespace {

/// Thread count and name ('' for a pool private to the session) of each inter-op pool.
using PoolSpecs = std::vector<std::pair<int, std::string>>;

std::vector<std::shared_ptr<ThreadPool>> make_pools(const PoolSpecs& specs) {
  std::vector<std::shared_ptr<ThreadPool>> pools;
  for (const auto& [threads, name] : specs) {
    const int size = threads > 0 ? threads : cpu_count();
    pools.push_back(name.empty() ? std::make_shared<ThreadPool>(size) : value_or_throw(ThreadPool::named(name, size)));
  }
  return pools;
}

PyRef<Session> make_session(Graph& graph, int intra_op_threads, int inter_op_threads, const PoolSpecs& inter_op_pools,
                            bool fold_constants, bool eliminate_common_subexpressions, size_t max_folded_bytes,
                            int64_t timeout_ms, int cpu_devices, bool allow_soft_placement, bool log_device_placement,
                            bool place_pruned_graph, bool compile_loops, const std::string& job, int task,
                            std::shared_ptr<ResourceManager> resources, bool is_served, bool runs_function) {
  if (cpu_devices < 1) throw StatusException(not_found("No CPU devices are available in this process"));
  if (cpu_devices > PlacementOptions::kMostCpuDevices) {
    throw StatusException(invalid_argument("device_count asks for ", cpu_devices, " CPU devices; a session has up to ",
                                           PlacementOptions::kMostCpuDevices));
  }
  SessionOptions options;
  options.intra_op_threads = intra_op_threads;
  options.inter_op_threads = inter_op_threads;
  options.inter_op_pools = make_pools(inter_op_pools);
  options.fold_constants = fold_constants;
  options.eliminate_common_subexpressions = eliminate_common_subexpressions;
  if (max_folded_bytes > 0) options.max_folded_bytes = max_folded_bytes;
  options.timeout_ms = timeout_ms;
  options.placement = {cpu_devices, allow_soft_placement, log_device_placement};
  options.place_pruned_graph = place_pruned_graph;
  options.compile_loops = compile_loops;
  options.placement.job = job;
  options.placement.task = task;
  options.resources = std::move(resources);
  options.is_served = is_served;
  options.runs_function = runs_function;
  return PyRef<Session>(make_ref<Session>(RefPtr<Graph>::share(&graph), std::move(options)));
}

py::dict memory_stats(Session& session) {
  const Allocator::Stats stats = session.allocator().stats();
  const CoreStats core = session.core().stats();
  py::dict dict;
  dict["live_bytes"] = stats.live_bytes;
  dict["peak_bytes"] = stats.peak_bytes;
  dict["pooled_bytes"] = stats.pooled_bytes;
  dict["allocations"] = stats.allocations;
  dict["pool_hits"] = stats.pool_hits;
  dict["evicted_blocks"] = stats.evicted_blocks;
  dict["returning_bytes"] = core.returning_bytes;
  dict["returned_blocks"] = core.returned_blocks;
  return dict;
}

RefPtr<Resource> session_store(Session& session) {
  auto store = session.resources().find(ResourceManager::kDefaultContainer, SessionStore::kType, SessionStore::kName);
  return store.ok() ? store.take() : RefPtr<Resource>();
}

/// Returns a copy of the tensor that the session stores under a handle.
py::object stored(Session& session, const std::string& handle) {
  const RefPtr<Resource> store = session_store(session);
  Tensor tensor = store ? static_cast<SessionStore&>(*store).get(handle) : Tensor();
  if (!tensor.valid()) {
    throw StatusException(invalid_argument("The tensor with handle '", handle, "' is not in the session store."));
  }
  return tensor_to_array(tensor);
}

/// No-op if the session stores nothing under the handle.
void drop_stored(Session& session, const std::string& handle) {
  const RefPtr<Resource> store = session_store(session);
  if (store) static_cast<SessionStore&>(*store).remove(handle);
}

}  // namespace

void bind_session(py::module_& m) {
  py::class_<ResourceManager, std::shared_ptr<ResourceManager>>(
      m, "ResourceManager", "Holds the variables, queues and other resources of one session or several.")
      .def(py::init<>())
      .def("clear", &ResourceManager::clear, py::call_guard<WithoutGil>())
      .def("clear_container", &ResourceManager::clear_container, py::arg("name"), py::call_guard<WithoutGil>());

  py::class_<Session, PyRef<Session>>(m, "Session")
      .def(py::init(&make_session), py::arg("graph"), py::arg("intra_op_threads") = 0, py::arg("inter_op_threads") = 0,
           py::arg("inter_op_pools") = PoolSpecs(), py::arg("fold_constants") = true,
           py::arg("eliminate_common_subexpressions") = true, py::arg("max_folded_bytes") = 0,
           py::arg("timeout_ms") = 0, py::arg("cpu_devices") = 1, py::arg("allow_soft_placement") = false,
           py::arg("log_device_placement") = false, py::arg("place_pruned_graph") = false,
           py::arg("compile_loops") = true, py::arg("job") = "localhost", py::arg("task") = 0,
           py::arg("resources") = std::shared_ptr<ResourceManager>(), py::arg("is_served") = false,
           py::arg("runs_function") = false)
      .def("close", [](Session& self) { interruptible([&](auto interrupted) { return self.close(interrupted); }); })
      .def(
          "abort",
          [](Session& self, const std::string& message) {
            const Status reason(Code::kAborted, message);
            interruptible([&](auto interrupted) { return self.close(interrupted, reason); });
          },
          py::arg("message"))
      .def("closed", &Session::closed)
      .def("active_runs", [](Session& self) { return self.core().stats().active_ops; })
      .def("steps", &Session::steps)
      .def("feed_bytes_copied", &Session::feed_bytes_copied)
      .def("watch_nan", &Session::watch_nan, py::arg("level"))
      .def("stored", &stored, py::arg("handle"))
      .def("drop_stored", &drop_stored, py::arg("handle"))
      .def("memory_stats", &memory_stats)
      .def(
          "trim", [](Session& self) { return self.core().reclaim().trim(); }, py::call_guard<WithoutGil>())
      .def(
          "clear_container", [](Session& self, const std::string& name) { self.resources().clear_container(name); },
          py::arg("name"), py::call_guard<WithoutGil>());
}

}  // namespace tinytf::python
