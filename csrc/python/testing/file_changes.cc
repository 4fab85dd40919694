#include "python/testing/file_changes.h"

#include <memory>

#include "io/file_change.h"
#include "io/file_error.h"

namespace tinytf::python {

namespace {

namespace py = pybind11;

/// Calls function(change, path, bytes) before each change, on any thread.
class CalledWatch final : public FileChangeWatch {
 public:
  explicit CalledWatch(py::function function) : function_(std::move(function)) {}

  Status before(FileChange change, const std::string& path, size_t& bytes) override {
    const py::gil_scoped_acquire gil;
    try {
      const py::object answer = function_(file_change_name(change), py::bytes(path), bytes);
      if (!answer.is_none()) bytes = answer.cast<size_t>();
      return Status();
    } catch (const py::error_already_set& error) {
      if (!error.matches(PyExc_OSError)) return internal_error(error.what());
      return file_error(path, error.value().attr("errno").cast<int>());
    }
  }

 private:
  py::function function_;
};

void watch(const py::object& function) {
  static std::unique_ptr<CalledWatch> watching;  // under the GIL
  std::unique_ptr<CalledWatch> next;
  if (!function.is_none()) next = std::make_unique<CalledWatch>(function.cast<py::function>());
  set_file_change_watch(next.get());
  watching = std::move(next);
}

}  // namespace

void bind_file_changes(py::module_& m) {
  m.def(
      "watch_file_changes", &watch, py::arg("function"),
      "For tests: `function(change, path, bytes)` is called before each change of a file or folder, of writes with the "
      "number of bytes. An OSError that it raises is the change's, which then is not made; an int that it returns is "
      "how many bytes are written for now. None: nobody is called any more. Not while steps run.");
}

}  // namespace tinytf::python
