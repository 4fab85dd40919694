#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "python/bindings.h"
#include "python/eager_current.h"
#include "python/eager_host.h"
#include "python/eager_run.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/prepared_call.h"
#include "python/signal_poll.h"
#include "runtime/eager/eager_library.h"
#include "runtime/eager/eager_memory.h"
#include "runtime/eager/value_sites.h"
#include "runtime/plan/plan_loops.h"

namespace tinytf::python {

namespace {

using FunctionInputs = InlinedVector<EagerTensorObject*, 6>;

/// Appends borrowed pointers. Throws TypeError for an object that is not an eager tensor.
void append_tensors(const py::tuple& tensors, FunctionInputs& inputs) {
  for (py::handle tensor : tensors) {
    if (!is_eager_tensor(tensor.ptr())) throw py::type_error("a function takes eager tensors only");
    inputs.push_back(as_eager_tensor(tensor.ptr()));
  }
}

/// Wraps each value in a new tensor of the session.
py::list wrap_values(std::vector<Tensor>& values, SessionCore& core, const EagerContext& context, int device) {
  py::list outputs(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    TensorHandle* handle = core.make_handle(std::move(values[i]));
    if (handle != nullptr) {
      handle->device = device;
      if (context.options().track_sites) note_site(*handle, {"PartitionedCall", eager_host().place()});
    }
    py::object tensor = py::reinterpret_steal<py::object>(wrap_handle(handle));
    if (!tensor) throw py::error_already_set();
    outputs[i] = std::move(tensor);
  }
  return outputs;
}

/// Whether the plan has no side effects, so that a failed run may be repeated.
bool changes_nothing(const Plan& plan) {
  const std::vector<const PlanNode*> nodes = plan_nodes(plan.program());
  return std::none_of(nodes.begin(), nodes.end(), [](const PlanNode* node) {
    const OpDef& op = *node->info->op;
    return op.is_stateful && !op.has(Trait::kReadsResource) && !op.has(Trait::kChecks);
  });
}

/// Runs a traced function in the current eager session and returns the list of its results. The feeds are the inputs,
/// then the captures; their memory is shared, not copied. Asynchronous sessions finish all earlier operations first.
py::list call_function(PreparedCall& call, const py::tuple& inputs, const py::tuple& captures) {
  FunctionInputs given;
  append_tensors(inputs, given);
  append_tensors(captures, given);
  const RefPtr<SessionCore> core = core_for(given.data(), static_cast<int>(given.size()));
  make_room(*core, eager_host());
  InSession session(*core);
  EagerContext& context = session.context();
  const int device = device_of_operation(context);
  if (context.options().asynchronous) {
    interruptible([&](auto interrupted) { return core->operations().async().synchronize(-1, interrupted); });
  }
  std::vector<Tensor> fetches;
  const auto attempt = [&] {
    std::vector<Tensor> feeds;
    feeds.reserve(given.size());
    for (EagerTensorObject* tensor : given) feeds.push_back(value_of(tensor, core.get()));
    fetches.clear();
    return eager_host().without_lock([&](Interrupt* interrupt) {
      RunSettings settings;
      settings.interrupt = interrupt;
      settings.allocator = &core->allocator();
      settings.resources = context.resources().get();
      settings.cancellation = &context.cancellation();
      Status ended = context.ended(call.session().run(call.plan(), feeds, fetches, settings));
      feeds.clear();
      for (Tensor& fetch : fetches) {
        if (ended.ok()) ended = context.take_over(fetch);
      }
      return ended;
    });
  };
  throw_if_error(changes_nothing(call.plan()) ? with_memory(*core, eager_host(), attempt)
                                              : with_holders(attempt(), *core));
  py::list outputs = wrap_values(fetches, *core, context, device);
  core->reclaim().safe_point();
  return outputs;
}

}  // namespace

void bind_function_call(py::module_& m) {
  m.def("call_function", &call_function, py::arg("call"), py::arg("inputs"), py::arg("captures"),
        "Runs a prepared call on eager tensors. Returns a list of eager tensors.");
  m.def(
      "add_eager_function",
      [](const std::string& name, Graph& graph) {
        throw_if_error(EagerLibrary::of_process().add(name, RefPtr<Graph>::share(&graph)));
      },
      py::arg("name"), py::arg("graph"),
      "Adds an owner of a function that eager operations may call. The graph's library has it and what it calls.");
  m.def(
      "remove_eager_function", [](const std::string& name) { EagerLibrary::of_process().remove(name); },
      py::arg("name"), "Removes an owner of a function. The last one removes the function.");
  m.def(
      "eager_functions", [] { return EagerLibrary::of_process().names(); },
      "Returns the names of the functions that eager operations may call.");
  m.def(
      "eager_function_count", [] { return EagerLibrary::of_process().count(); },
      "Returns the number of functions that eager operations may call, or that kernels still keep.");
}

}  // namespace tinytf::python
