#include <pybind11/stl.h>

#include "op/kernel_state.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/numpy_tensor.h"
#include "python/prepared_call.h"
#include "python/without_gil.h"
#include "runtime/observe/digest_recorder.h"
#include "tensor/digest.h"

namespace tinytf::python {

namespace {

py::tuple value_to_python(const NodeDigest::Value& value) {
  const ValueRange& range = value.range;
  return py::make_tuple(value.digest, static_cast<int>(value.dtype),
                        std::vector<int64_t>(value.shape.dims().begin(), value.shape.dims().end()), range.nans,
                        range.infinities, range.finite, range.least, range.greatest);
}

py::list values_to_python(const std::vector<NodeDigest::Value>& values) {
  py::list list;
  for (const NodeDigest::Value& value : values) list.append(value_to_python(value));
  return list;
}

py::list take(DigestRecorder& recorder) {
  py::list nodes;
  for (const NodeDigest& node : recorder.take()) {
    py::list kept;
    for (const Tensor& tensor : node.kept) kept.append(tensor_to_array(tensor));
    nodes.append(py::make_tuple(node.node, values_to_python(node.outputs), values_to_python(node.inputs), kept));
  }
  return nodes;
}

/// Calls `visit(name, holder)` for each node of the plan whose kernel is a `Holder`.
template <class Holder, class Visit>
void for_each_holder(PreparedCall& call, Visit visit) {
  for (const PlanNode& node : call.plan().program().nodes) {
    if (auto* holder = dynamic_cast<Holder*>(node.kernel)) visit(node.info->name, *holder);
  }
}

std::vector<std::pair<std::string, RandomStateHolder::State>> random_states(PreparedCall& call) {
  std::vector<std::pair<std::string, RandomStateHolder::State>> states;
  for_each_holder<RandomStateHolder>(call, [&states](const std::string& name, RandomStateHolder& holder) {
    states.emplace_back(name, holder.random_state());
  });
  return states;
}

void set_random_state(PreparedCall& call, const std::string& node, const RandomStateHolder::State& state) {
  bool found = false;
  for_each_holder<RandomStateHolder>(call, [&](const std::string& name, RandomStateHolder& holder) {
    if (name != node) return;
    holder.set_random_state(state);
    found = true;
  });
  if (!found) throw StatusException(not_found("No node '", node, "' with random numbers in this call"));
}

Tensor variable_value(PreparedCall& call, VariableHolder& holder) {
  WithoutGil others_may_run;
  return value_or_throw(holder.variable_value(call.session().resources()));
}

py::list variables(PreparedCall& call) {
  py::list values;
  for_each_holder<VariableHolder>(call, [&](const std::string& name, VariableHolder& holder) {
    const Tensor value = variable_value(call, holder);
    values.append(py::make_tuple(name, static_cast<int>(holder.variable_dtype()),
                                 value.valid() ? tensor_to_array(value) : py::none()));
  });
  return values;
}

std::vector<std::pair<std::string, uint64_t>> variable_digests(PreparedCall& call) {
  std::vector<std::pair<std::string, uint64_t>> digests;
  for_each_holder<VariableHolder>(call, [&](const std::string& name, VariableHolder& holder) {
    const Tensor value = variable_value(call, holder);
    digests.emplace_back(name, digest(value));
  });
  return digests;
}

void set_variable(PreparedCall& call, const std::string& node, py::handle value) {
  bool found = false;
  for_each_holder<VariableHolder>(call, [&](const std::string& name, VariableHolder& holder) {
    if (name != node) return;
    const Tensor given = tensor_from_python(value, holder.variable_dtype());
    Tensor own = value_or_throw(given.clone(call.session().allocator()));
    throw_if_error(holder.set_variable_value(call.session().resources(), std::move(own)));
    found = true;
  });
  if (!found) throw StatusException(not_found("No variable '", node, "' in this call"));
}

}  // namespace

void bind_step_record(py::module_& m, py::class_<PreparedCall>& prepared_call) {
  py::class_<DigestRecorder, std::shared_ptr<DigestRecorder>>(
      m, "DigestRecorder", "What the nodes of one step yielded, as digests; also of a step that failed.")
      .def(py::init<std::set<std::string>, bool>(), py::arg("kept_ops") = std::set<std::string>(),
           py::arg("notes_inputs") = false)
      .def("take", &take);
  prepared_call.def("random_states", &random_states)
      .def("set_random_state", &set_random_state, py::arg("node"), py::arg("state"))
      .def("variables", &variables)
      .def("variable_digests", &variable_digests)
      .def("set_variable", &set_variable, py::arg("node"), py::arg("value"));
}

}  // namespace tinytf::python
