#include "io/event_writer.h"

#include <pybind11/functional.h>

#include "io/file_system.h"
#include "ops/summary/shared/summary_file.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/signal_poll.h"
#include "runtime/session/session.h"

namespace tinytf::python {

namespace {

/// A private writer, or the one that a session keeps under a name, to which its operations may write as well.
class HeldEventWriter {
 public:
  explicit HeldEventWriter(std::unique_ptr<EventWriter> own) : own_(std::move(own)), writer_(own_.get()) {}
  explicit HeldEventWriter(RefPtr<Resource> file)
      : file_(std::move(file)), writer_(&static_cast<ops::SummaryFile&>(*file_).writer()) {}
  EventWriter& operator*() { return *writer_; }
  EventWriter* operator->() { return writer_; }

 private:
  std::unique_ptr<EventWriter> own_;
  RefPtr<Resource> file_;
  EventWriter* writer_;
};

std::chrono::milliseconds milliseconds_of(double seconds) {
  constexpr double kMost = 1e9;
  return std::chrono::milliseconds(static_cast<int64_t>(std::clamp(seconds, 0.0, kMost) * 1000));
}

std::unique_ptr<HeldEventWriter> make(std::string folder, std::string suffix, double delay) {
  return std::make_unique<HeldEventWriter>(
      std::make_unique<EventWriter>(std::move(folder), std::move(suffix), milliseconds_of(delay)));
}

/// Returns the writer that a session keeps under a name; created if there is none.
std::unique_ptr<HeldEventWriter> of_session(Session& session, const std::string& name, const std::string& folder,
                                            const std::string& suffix, double delay) {
  const auto create = [&] {
    return Result<RefPtr<Resource>>(make_ref<ops::SummaryFile>(folder, suffix, milliseconds_of(delay)));
  };
  return std::make_unique<HeldEventWriter>(value_or_throw(session.resources().find_or_create(
      ResourceManager::kDefaultContainer, ops::SummaryFile::kRegistryType, name, create)));
}

/// No-op if the session has no writer of that name.
void forget(Session& session, const std::string& name) {
  (void)session.resources().remove(ResourceManager::kDefaultContainer, ops::SummaryFile::kRegistryType, name);
}

std::string_view view_of(const py::bytes& bytes) { return static_cast<std::string_view>(bytes); }

void add(HeldEventWriter& writer, const py::bytes& event) { throw_if_error(writer->add(view_of(event))); }

/// Returns false for bytes that are not a Summary.
bool add_summary(HeldEventWriter& writer, const py::bytes& summary, int64_t step) {
  bool sound = true;
  throw_if_error(writer->add_summary(view_of(summary), step, wall_time_now(), &sound));
  return sound;
}

}  // namespace

void bind_event_writer(py::module_& m) {
  py::class_<HeldEventWriter>(m, "EventWriter", "Writes serialized Events to files in a directory, on its own thread.")
      .def(py::init(&make), py::arg("folder"), py::arg("suffix"), py::arg("delay"))
      .def_static("of_session", &of_session, py::arg("session"), py::arg("name"), py::arg("folder"), py::arg("suffix"),
                  py::arg("delay"), "Returns the session's writer of this name, which is created if it does not exist.")
      .def_static("forget", &forget, py::arg("session"), py::arg("name"),
                  "Drops the writer of this name, so that the next call of of_session creates a new one.")
      .def("add", &add, py::arg("event"), "Adds an event. Raises the error of an earlier event, if any.")
      .def("add_summary", &add_summary, py::arg("summary"), py::arg("step"),
           "Adds the event of a serialized Summary. Returns False if the Summary is damaged.")
      .def(
          "flush",
          [](HeldEventWriter& writer) {
            interruptible([&](const auto& interrupted) { return writer->flush(interrupted); });
          },
          "Waits until all added events are in the file.")
      .def(
          "close",
          [](HeldEventWriter& writer, double seconds) {
            interruptible(
                [&](const auto& interrupted) { return writer->close(interrupted, milliseconds_of(seconds)); });
          },
          py::arg("seconds") = 1e9, "Flushes and ends the thread. Events that are added later go to a new file.");
}

}  // namespace tinytf::python
