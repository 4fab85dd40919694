#include "runtime/session/partial_run.h"

#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/numpy_tensor.h"
#include "python/prepared_call.h"
#include "python/signal_poll.h"
#include "python/without_gil.h"
#include "runtime/observe/step_observers.h"

namespace tinytf::python {

namespace {

PyRef<PartialRun> start(Session& session, const std::vector<int64_t>& feeds, const std::vector<int64_t>& fetches,
                        const std::vector<int>& targets, std::vector<std::string> feed_names,
                        std::vector<std::string> fetch_names) {
  CallSignature signature = call_signature(*session.graph(), feeds, fetches, targets);
  signature.run.is_partial = true;
  Result<RefPtr<Plan>> plan = make_plan(session, signature.run);
  return PyRef<PartialRun>(make_ref<PartialRun>(RefPtr<Session>::share(&session), value_or_throw(std::move(plan)),
                                                std::move(feed_names), std::move(fetch_names)));
}

py::list go_on(PartialRun& self, const std::vector<std::pair<int, py::object>>& feeds, const std::vector<int>& fetches,
               int64_t timeout_ms) {
  drop_pending_references();
  std::vector<std::pair<int, Tensor>> given;
  for (const auto& [feed, array] : feeds) given.emplace_back(feed, tensor_from_python(array, self.feed_type(feed)));
  std::vector<Tensor> values;
  SignalPoll signals;
  RunSettings settings;
  settings.timeout_ms = timeout_ms;
  settings.interrupt = signals.interrupt();
  StepObservers observers(self.session().watches_nan());
  throw_if_error(observers.before(*self.plan()));
  settings.observer = observers.observer();
  Status status;
  {
    WithoutGil others_may_run;
    status = self.go_on(std::move(given), fetches, values, settings);
  }
  drop_pending_references();
  signals.throw_if_raised();
  throw_if_error(status);
  py::list results;
  for (Tensor& value : values) results.append(tensor_to_python(std::move(value)));
  return results;
}

}  // namespace

void bind_partial_run(py::module_& m) {
  py::class_<PartialRun, PyRef<PartialRun>>(m, "PartialRun")
      .def(py::init(&start), py::arg("session"), py::arg("feeds"), py::arg("fetches"), py::arg("targets"),
           py::arg("feed_names"), py::arg("fetch_names"))
      .def("go_on", &go_on, py::arg("feeds"), py::arg("fetches"), py::arg("timeout_ms") = 0)
      .def("over", &PartialRun::over);
}

}  // namespace tinytf::python
