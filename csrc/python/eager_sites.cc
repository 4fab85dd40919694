#include "python/eager_sites.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/str_cat.h"
#include "python/bindings.h"

namespace tinytf::python {

namespace {

/// By the address of the handle; entries of handles that were freed since say nothing of their successors.
struct Noted {
  const SessionCore* core;
  std::shared_ptr<const Site> site;
};

std::unordered_map<const TensorHandle*, Noted>& sites() {
  static auto* map = new std::unordered_map<const TensorHandle*, Noted>;  // leaked: asked at the process's end too
  return *map;
}

/// The site of each session that was named, by the address of its core: kept until another core is at that address.
std::unordered_map<const SessionCore*, py::object>& session_sites() {
  static auto* map = new std::unordered_map<const SessionCore*, py::object>;  // leaked
  return *map;
}

PyObject* users_line = nullptr;  // () -> "file:line"
PyObject* log_warning = nullptr;
PyObject* log_info = nullptr;

/// The value, shared, as others may close the tensor whenever Python code runs; invalid if it has none now.
Tensor value_now(const TensorHandle& handle) {
  if (!handle.live()) return Tensor();
  return handle.ready() && handle.wait().ok() ? handle.tensor() : Tensor();
}

int64_t bytes_of(const Tensor& value) { return value.valid() ? static_cast<int64_t>(value.bytes()) : 0; }

void call(PyObject* function, const std::string& message) {
  if (function != nullptr) py::reinterpret_borrow<py::object>(function)(message);
}

}  // namespace

void note_site(const TensorHandle& handle, const std::string& op) {
  std::string place;
  if (users_line != nullptr) place = py::str(py::reinterpret_borrow<py::object>(users_line)());
  sites()[&handle] = {&handle.core(), std::make_shared<const Site>(Site{op, std::move(place)})};
}

std::shared_ptr<const Site> site_of(const TensorHandle& handle) {
  if (sites().empty()) return nullptr;
  const auto found = sites().find(&handle);
  return found != sites().end() && found->second.core == &handle.core() ? found->second.site : nullptr;
}

void forget_sites(const SessionCore& core) {
  for (auto it = sites().begin(); it != sites().end();) it = it->second.core == &core ? sites().erase(it) : ++it;
}

py::list live_tensors(SessionCore& core) {
  py::list list;
  core.for_each_live([&](TensorHandle& handle) {
    const Tensor value = value_now(handle);
    py::object shape = py::none();
    if (value.valid()) {
      py::tuple dims(value.rank());
      for (int i = 0; i < value.rank(); ++i) dims[i] = value.dim(i);
      shape = std::move(dims);
    }
    const auto site = site_of(handle);
    list.append(py::make_tuple(shape, static_cast<int>(handle.dtype()), bytes_of(value), site ? site->op : "",
                               site ? site->place : ""));
  });
  return list;
}

std::string largest_holders(SessionCore& core) {
  constexpr size_t kShown = 5;
  std::map<std::string, int64_t> bytes;
  core.for_each_live([&](TensorHandle& handle) {
    const Tensor value = value_now(handle);
    const auto site = site_of(handle);
    std::string what;
    if (site != nullptr) {
      what = str_cat(site->op, " at ", site->place);
    } else if (value.valid()) {
      what = str_cat(dtype_name(handle.dtype()), " ", value.shape().to_string());
    }
    bytes[what] += bytes_of(value);
  });
  std::vector<std::pair<int64_t, std::string>> largest;
  for (const auto& [what, size] : bytes) largest.emplace_back(size, what);
  std::sort(largest.rbegin(), largest.rend());
  if (largest.size() > kShown) largest.resize(kShown);
  return str_join(largest, "; ", [](const auto& entry) { return str_cat(entry.first, " bytes in ", entry.second); });
}

std::string session_site(const SessionCore& core) {
  const auto found = session_sites().find(&core);
  return found != session_sites().end() ? std::string(py::str(found->second)) : std::string();
}

void warn(const std::string& message) { call(log_warning, message); }
void info(const std::string& message) { call(log_info, message); }

void bind_eager_sites(py::module_& m) {
  m.def(
      "set_session_site", [](SessionCore& core, py::object site) { session_sites()[&core] = std::move(site); },
      py::arg("core"), py::arg("site"), "Where the session was made: an object whose text errors name.");
  m.def(
      "set_eager_reports",
      [](py::object line, py::object warning, py::object note) {
        users_line = line.release().ptr();
        log_warning = warning.release().ptr();
        log_info = note.release().ptr();
      },
      py::arg("users_line"), py::arg("log_warning"), py::arg("log_info"),
      "Functions: the user's line as text; a warning; a note of what the program asked to see.");
}

}  // namespace tinytf::python
