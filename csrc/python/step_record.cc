#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/held_tensor.h"
#include "python/numpy_tensor.h"
#include "python/prepared_call.h"
#include "python/without_gil.h"
#include "runtime/observe/digest_recorder.h"
#include "runtime/observe/node_states.h"

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
    nodes.append(py::make_tuple(node.node, node.iterations, values_to_python(node.outputs),
                                values_to_python(node.inputs), kept));
  }
  return nodes;
}

std::vector<std::pair<std::string, RandomStateHolder::State>> states_of(PreparedCall& call) {
  return random_states(call.plan().program());
}

void set_state(PreparedCall& call, const std::string& node, const RandomStateHolder::State& state) {
  throw_if_error(set_random_state(call.plan().program(), node, state));
}

/// Returns the result of `look(program, resources)`, run without the GIL.
template <class Look>
auto looked_up(PreparedCall& call, Look look) {
  auto found = [&] {
    WithoutGil others_may_run;
    return look(call.plan().program(), call.session().resources());
  }();
  return value_or_throw(std::move(found));
}

py::list variables_to_python(PreparedCall& call) {
  py::list values;
  for (const NodeVariable& variable : looked_up(call, &variables)) {
    values.append(py::make_tuple(variable.node, static_cast<int>(variable.dtype),
                                 variable.value.valid() ? tensor_to_array(variable.value) : py::none()));
  }
  return values;
}

/// FailedPrecondition if a variable is not initialized.
py::dict hold_variables(PreparedCall& call) {
  py::dict values;
  for (NodeVariable& variable : looked_up(call, &held_variables)) {
    if (!variable.value.valid()) {
      throw StatusException(failed_precondition("Attempting to use uninitialized value ", variable.node));
    }
    values[py::str(variable.node)] = HeldTensor{std::move(variable.value)};
  }
  return values;
}

std::vector<std::pair<std::string, uint64_t>> digests_of(PreparedCall& call) {
  return looked_up(call, &variable_digests);
}

void set_variable_from(PreparedCall& call, const std::string& node, py::handle value) {
  const Program& program = call.plan().program();
  const Tensor given = tensor_from_python(value, value_or_throw(variable_dtype(program, node)));
  throw_if_error(set_variable(program, node, call.session().resources(), call.session().allocator(), given));
}

}  // namespace

void bind_step_record(py::module_& m, py::class_<PreparedCall>& prepared_call) {
  py::class_<DigestRecorder, std::shared_ptr<DigestRecorder>>(
      m, "DigestRecorder", "Digests of the outputs of all nodes in one step, which may have failed.")
      .def(py::init<bool, bool>(), py::arg("keeps_readings") = false, py::arg("notes_inputs") = false)
      .def("take", &take);
  prepared_call.def("random_states", &states_of)
      .def("set_random_state", &set_state, py::arg("node"), py::arg("state"))
      .def("variables", &variables_to_python)
      .def("hold_variables", &hold_variables)
      .def("variable_digests", &digests_of)
      .def("set_variable", &set_variable_from, py::arg("node"), py::arg("value"));
}

}  // namespace tinytf::python
