#include "python/testing/file_changes.h"

#include <memory>
#include <utility>
#include <vector>

#include "io/file_change.h"
#include "io/file_error.h"

namespace tinytf::python {

namespace {

namespace py = pybind11;

/// Calls function(change, path, bytes) before each change, on any thread, until call_nobody().
class CalledWatch final : public FileChangeWatch {
 public:
  explicit CalledWatch(py::object function) : function_(std::move(function)) {}

  /// Requires the GIL.
  void call_nobody() { function_ = py::none(); }

  Status before(FileChange change, const std::string& path, size_t& bytes) override {
    const py::gil_scoped_acquire gil;
    const py::object function = function_;
    if (function.is_none()) return Status();
    try {
      const py::object answer = function(file_change_name(change), py::bytes(path), bytes);
      if (!answer.is_none()) bytes = answer.cast<size_t>();
      return Status();
    } catch (const py::error_already_set& error) {
      if (!error.matches(PyExc_OSError)) return internal_error(error.what());
      return file_error(path, error.value().attr("errno").cast<int>());
    }
  }

 private:
  py::object function_;
};

void watch(const py::object& function) {
  // Guarded by the GIL. Watches are never freed, since a thread that writes events may be about to call one.
  static auto& watches = *new std::vector<std::unique_ptr<CalledWatch>>;
  if (!watches.empty()) watches.back()->call_nobody();
  if (function.is_none()) {
    set_file_change_watch(nullptr);
    return;
  }
  watches.push_back(std::make_unique<CalledWatch>(function.cast<py::function>()));
  set_file_change_watch(watches.back().get());
}

}  // namespace

void bind_file_changes(py::module_& m) {
  m.def("watch_file_changes", &watch, py::arg("function"),
        "For tests: sets `function(change, path, bytes)`, which is called before each change of a file or directory; "
        "`bytes` is the size of a write. If it raises an OSError, the change fails with this error. If it returns an "
        "int, only that many bytes are written for now. None removes the function.");
}

}  // namespace tinytf::python
