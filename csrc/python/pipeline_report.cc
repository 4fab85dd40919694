#include "python/pipeline_report.h"

#include <pybind11/stl.h>

#include "ops/data/shared/pipeline_report.h"
#include "python/bindings.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/held_tensor.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

/// The value of an eager tensor, or of a fetched one.
Tensor opaque_value(const py::object& value) {
  if (is_eager_tensor(value.ptr())) return value_of(as_eager_tensor(value.ptr()), nullptr);
  return value.cast<const HeldTensor&>().value;
}

py::list to_python(const std::vector<ops::ReportedStage>& stages) {
  py::list list;
  for (const ops::ReportedStage& stage : stages) {
    const auto& counts = stage.counts;
    py::dict numbers;
    numbers["elements"] = counts.elements;
    numbers["own"] = counts.own;
    numbers["waited"] = counts.waited;
    numbers["calls"] = counts.calls;
    numbers["calls_for"] = counts.calls > 0 ? data::StageProfile::now() - counts.call_began : 0;
    numbers["element_bytes"] = counts.element_bytes;
    numbers["held"] = counts.held.elements;
    numbers["most"] = counts.held.most;
    numbers["parallelism"] = counts.held.parallelism;
    const py::tuple site = py::make_tuple(stage.site, stage.site_op, stage.site_name);
    list.append(py::make_tuple(stage.op, site, stage.functions, numbers, to_python(stage.inputs)));
  }
  return list;
}

py::tuple report(const py::object& handle) {
  const Tensor value = opaque_value(handle);
  auto found = [&] {
    WithoutGil others_may_run;
    return ops::report_pipeline(value);
  }();
  const ops::PipelineReport report = value_or_throw(std::move(found));
  return py::make_tuple(report.is_measured, to_python(report.stages));
}

}  // namespace

void bind_pipeline_report(py::module_& m) {
  m.def(
      "pipeline_report", &report, py::arg("handle"),
      "Begins to measure the pipeline of the iterator with this handle, an eager tensor or a HeldTensor. Returns "
      "whether it has been pulled since, and the list of its last stages: tuples (op, node of the program as a tuple "
      "(number, op, name), names of functions, dict of counts, list of the stages before), with times in nanoseconds.");
  m.def(
      "node_of_dataset",
      [](const py::object& variant) { return value_or_throw(ops::node_of_dataset(opaque_value(variant))); },
      py::arg("variant"), "The number of the node that made a dataset, as in `pipeline_report`.");
}

}  // namespace tinytf::python
