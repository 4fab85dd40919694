#include "python/tape.h"

#include <algorithm>

#include "base/inlined_vector.h"
#include "python/attrs.h"
#include "python/bindings.h"
#include "python/context_frame.h"
#include "python/graph_endpoint.h"

namespace tinytf::python {

namespace {

/// A recorded operation with its tensors, which it keeps alive. Requires the GIL.
class __attribute__((visibility("hidden"))) PythonRecord final : public TapeRecord {
 public:
  PythonRecord(RefPtr<EagerKernel> kernel, py::object name, py::tuple inputs, py::tuple outputs, py::object backward)
      : TapeRecord(std::move(kernel)),
        name(std::move(name)),
        inputs(std::move(inputs)),
        outputs(std::move(outputs)),
        backward(std::move(backward)) {}

  const py::object name;  ///< Name of the op, or as reported to record_function.
  const py::tuple inputs;
  const py::tuple outputs;
  const py::object backward;  ///< Function of the outputs' gradients, or None.
};

using Values = InlinedVector<TapedValue, 8>;

TapedValue value_of_tensor(const EagerTensorObject& tensor) { return {tensor.id, tensor.handle->dtype()}; }

/// The tape's view of the eager tensors among the objects.
Values values_of(const py::tuple& objects) {
  Values values;
  for (py::handle object : objects) {
    if (is_eager_tensor(object.ptr())) values.push_back(value_of_tensor(*as_eager_tensor(object.ptr())));
  }
  return values;
}

void show(const std::vector<py::object>& tapes, const RefPtr<PythonRecord>& record) {
  const Values inputs = values_of(record->inputs), outputs = values_of(record->outputs);
  for (const py::object& tape : tapes) tape.cast<Tape*>()->see(record, inputs, outputs);
}

int64_t id_of(py::handle tensor) { return as_eager_tensor(tensor.ptr())->id; }

py::tuple tuple_of(PyObject* const* items, int count) {
  py::tuple tuple(count);
  for (int i = 0; i < count; ++i) tuple[i] = py::reinterpret_borrow<py::object>(items[i]);
  return tuple;
}

/// Records a computation done in Python. `backward(*output_gradients)` returns the gradients of the inputs.
void record_function(py::object name, const py::tuple& inputs, const py::tuple& outputs, py::object backward) {
  show(active_tapes(), make_ref<PythonRecord>(nullptr, std::move(name), inputs, outputs, std::move(backward)));
}

/// Returns (name, inputs, outputs, kernel or None, backward or None) of each record, oldest first.
py::list records_to_python(const Tape& tape) {
  py::list list;
  for (const RefPtr<TapeRecord>& kept : tape.records()) {
    const auto& record = static_cast<const PythonRecord&>(*kept);
    py::object kernel = record.kernel() ? py::cast(PyRef<EagerKernel>(record.kernel())) : py::none();
    list.append(py::make_tuple(record.name, record.inputs, record.outputs, kernel, record.backward));
  }
  return list;
}

}  // namespace

namespace {

/// Calls `see` for the Python objects of tapes that record in the calling context, until it returns false.
template <class See>
void for_each_tape(See see) {
  for_each_frame([&](ContextFrame& frame) {
    if (frame.kind == FrameKind::kNoTapes) return false;
    if (frame.kind != FrameKind::kTape || !py::handle(frame.what).cast<Tape*>()->records_now()) return true;
    return see(frame.what);
  });
}

}  // namespace

std::vector<py::object> active_tapes() {
  std::vector<py::object> tapes;
  if (!Tape::any_records()) return tapes;
  for_each_tape([&](PyObject* tape) {
    tapes.push_back(py::reinterpret_borrow<py::object>(tape));
    return true;
  });
  return tapes;
}

bool any_tape_here() {
  bool any = false;
  for_each_tape([&](PyObject*) { return !(any = true); });
  return any;
}

void record_operation(EagerKernel& kernel, EagerTensorObject* const* inputs, PyObject* const* outputs) {
  const auto tapes = active_tapes();
  Values values;
  for (int i = 0; i < kernel.num_inputs(); ++i) values.push_back(value_of_tensor(*inputs[i]));
  const auto watches = [&](const py::object& tape) { return tape.cast<Tape*>()->watches_any(values); };
  if (std::none_of(tapes.begin(), tapes.end(), watches)) return;
  show(tapes, make_ref<PythonRecord>(RefPtr<EagerKernel>::share(&kernel), py::str(kernel.node().op->name),
                                     tuple_of(reinterpret_cast<PyObject* const*>(inputs), kernel.num_inputs()),
                                     tuple_of(outputs, kernel.num_outputs()), py::none()));
}

void bind_tape(py::module_& m) {
  py::class_<EagerKernel, PyRef<EagerKernel>>(m, "EagerKernel", "An operation recorded by a tape.")
      .def("attr",
           [](EagerKernel& kernel, const std::string& name) -> py::object {
             const AttrValue* value = kernel.node().attrs.find(name);
             return value ? py::object(attr_to_python(*value)) : py::none();
           })
      .def("attr_names", [](EagerKernel& kernel) {
        py::list names;
        for (const auto& [name, value] : kernel.node().attrs) names.append(name);
        return names;
      });
  py::class_<Tape>(m, "Tape", "Records the operations on watched tensors.")
      .def(py::init<>())
      .def(
          "push",
          [](py::handle self) {
            py::object frame = enter(FrameKind::kTape, self);
            self.cast<Tape*>()->push();
            return frame;
          },
          "Starts recording in the calling context. Returns a frame for pop.")
      .def(
          "pop",
          [](py::handle self, py::handle frame) {
            self.cast<Tape*>()->pop();
            frame.is_none() ? leave_last(self) : leave_frame(frame);
          },
          py::arg("frame") = py::none(), "Stops recording. Without a frame, it stops in the calling context.")
      .def("watch", [](Tape& tape, py::handle tensor) { tape.watch(id_of(tensor)); })
      .def("watches", [](Tape& tape, py::handle tensor) { return tape.watches(id_of(tensor)); })
      .def("records", &records_to_python)
      .def("clear", [](Tape& tape) { (void)tape.clear(); });
  m.def("any_tape", &any_tape, "Whether a tape records in the calling context.");
  m.def("record_function", &record_function, py::arg("name"), py::arg("inputs"), py::arg("outputs"),
        py::arg("backward"));
  m.def(
      "pause_tapes", [] { return enter(FrameKind::kNoTapes, py::handle()); },
      "Pauses the current tapes in the calling context. Returns a frame, with which resume_tapes ends the pause.");
  m.def("resume_tapes", &leave_frame, py::arg("frame"));
}

}  // namespace tinytf::python
