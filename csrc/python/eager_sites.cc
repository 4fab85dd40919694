#include "python/eager_sites.h"

#include <unordered_map>

#include "python/bindings.h"

namespace tinytf::python {

namespace {

/// Creation site of each named session, by the address of its core. An entry stays until another core gets the address.
std::unordered_map<const SessionCore*, py::object>& session_sites() {
  static auto* map = new std::unordered_map<const SessionCore*, py::object>;  // Leaked.
  return *map;
}

}  // namespace

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
    const int64_t bytes = value.valid() ? static_cast<int64_t>(value.bytes()) : 0;
    list.append(
        py::make_tuple(shape, static_cast<int>(handle.dtype()), bytes, site ? site->op : "", site ? site->place : ""));
  });
  return list;
}

std::string session_site(const SessionCore* core) {
  const auto found = session_sites().find(core);
  return found != session_sites().end() ? std::string(py::str(found->second)) : std::string();
}

void bind_eager_sites(py::module_& m) {
  m.def(
      "set_session_site", [](SessionCore& core, py::object site) { session_sites()[&core] = std::move(site); },
      py::arg("core"), py::arg("site"),
      "Sets where the session was created: an object whose text appears in error messages.");
}

}  // namespace tinytf::python
