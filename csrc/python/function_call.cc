#include <pybind11/pybind11.h>

#include "python/bindings.h"
#include "python/eager_current.h"
#include "python/eager_op.h"
#include "python/eager_sites.h"
#include "python/errors.h"
#include "python/prepared_call.h"
#include "python/references.h"
#include "python/signal_poll.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

using FunctionInputs = InlinedVector<EagerTensorObject*, 6>;

/// Borrowed; TypeError if one of them is no eager tensor.
void append_tensors(const py::tuple& tensors, FunctionInputs& inputs) {
  for (py::handle tensor : tensors) {
    if (!is_eager_tensor(tensor.ptr())) throw py::type_error("a function takes eager tensors only");
    inputs.push_back(as_eager_tensor(tensor.ptr()));
  }
}

/// A new tensor of the session for each value.
py::list wrap_values(std::vector<Tensor>& values, SessionCore& core, const EagerContext& context) {
  py::list outputs(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    TensorHandle* handle = core.make_handle(std::move(values[i]));
    if (handle != nullptr) {
      handle->device = current_device();
      if (context.options().track_sites) note_site(*handle, "PartitionedCall");
    }
    py::object tensor = py::reinterpret_steal<py::object>(wrap_handle(handle));
    if (!tensor) throw py::error_already_set();
    outputs[i] = std::move(tensor);
  }
  return outputs;
}

/// Runs a traced function in the current eager session: a list of what it yields. Feeds are the inputs, then the
/// captures, whose memory is shared, not copied. In asynchronous sessions, after all operations before it.
py::list call_function(PreparedCall& call, const py::tuple& inputs, const py::tuple& captures) {
  FunctionInputs given;
  append_tensors(inputs, given);
  append_tensors(captures, given);
  const RefPtr<SessionCore> core = core_for(given.data(), static_cast<int>(given.size()));
  core->safe_point();
  if (core->pressed()) core->relieve();
  InSession session(*core);
  EagerContext& context = session.context();
  if (context.options().asynchronous) {
    Status ended;
    {
      WithoutGil others_may_run;
      ended = core->async().synchronize(-1, nullptr);
    }
    throw_if_error(ended);
  }
  std::vector<Tensor> feeds;
  feeds.reserve(given.size());
  for (EagerTensorObject* tensor : given) feeds.push_back(value_of(tensor, core.get()));
  std::vector<Tensor> fetches;
  drop_pending_references();
  SignalPoll signals;
  RunSettings settings;
  settings.interrupt = signals.interrupt();
  Status status;
  {
    WithoutGil others_may_run;
    status = call.session().run(call.plan(), feeds, fetches, settings);
    feeds.clear();
  }
  drop_pending_references();
  signals.throw_if_raised();
  throw_if_error(status);
  py::list outputs = wrap_values(fetches, *core, context);
  core->safe_point();
  return outputs;
}

}  // namespace

void bind_function_call(py::module_& m) {
  m.def("call_function", &call_function, py::arg("call"), py::arg("inputs"), py::arg("captures"),
        "Runs what `prepare` made on eager tensors; a list of eager tensors.");
}

}  // namespace tinytf::python
