#include "io/event_writer.h"

#include <pybind11/functional.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/signal_poll.h"

namespace tinytf::python {

namespace {

using Writer = EventWriter;

std::chrono::milliseconds milliseconds_of(double seconds) {
  constexpr double kMost = 1e9;
  return std::chrono::milliseconds(static_cast<int64_t>(std::clamp(seconds, 0.0, kMost) * 1000));
}

std::unique_ptr<Writer> make(std::string folder, std::string suffix, double delay) {
  return std::make_unique<Writer>(std::move(folder), std::move(suffix), milliseconds_of(delay));
}

std::string_view view_of(const py::bytes& bytes) { return static_cast<std::string_view>(bytes); }

void add(Writer& writer, const py::bytes& event) { throw_if_error(writer.add(view_of(event))); }

/// False for bytes that are no Summary.
bool add_summary(Writer& writer, const py::bytes& summary, int64_t step) {
  bool sound = true;
  throw_if_error(writer.add_summary(view_of(summary), step, wall_time_now(), &sound));
  return sound;
}

}  // namespace

void bind_event_writer(py::module_& m) {
  py::class_<Writer>(m, "EventWriter", "Writes serialized Events to files of a folder, on a thread of its own.")
      .def(py::init(&make), py::arg("folder"), py::arg("suffix"), py::arg("delay"))
      .def("add", &add, py::arg("event"), "Adds an event; raises the error of an earlier one.")
      .def("add_summary", &add_summary, py::arg("summary"), py::arg("step"),
           "Adds the event of a serialized Summary; false if it is damaged.")
      .def(
          "flush",
          [](Writer& writer) { interruptible([&](const auto& interrupted) { return writer.flush(interrupted); }); },
          "Waits until what was added is in the file.")
      .def(
          "close",
          [](Writer& writer, double seconds) {
            interruptible([&](const auto& interrupted) { return writer.close(interrupted, milliseconds_of(seconds)); });
          },
          py::arg("seconds") = 1e9, "flush, and the thread ends; what comes later begins a new file.");
}

}  // namespace tinytf::python
