#include "graph/placement.h"

#include <pybind11/stl.h>

#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/without_gil.h"
#include "runtime/session/session.h"

namespace tinytf::python {

namespace {

void extend(Session& session) {
  const Status status = [&] {
    WithoutGil others_may_run;
    return session.extend();
  }();
  throw_if_error(status);
}

py::list devices(Session& session) {
  py::list names;
  for (const DeviceName& device : session.placement().devices()) names.append(device.to_string());
  return names;
}

/// Maps the name of each placed node to the index of its device.
py::dict placements(Session& session) {
  std::vector<std::pair<const Node*, int>> placed;
  {
    auto graph_lock = session.graph()->lock();
    for (const Node* node : session.graph()->nodes()) {
      const int device = session.placement().device_of(*node);
      if (device >= 0) placed.emplace_back(node, device);
    }
  }
  py::dict dict;
  for (const auto& [node, device] : placed) dict[py::str(node->name())] = device;
  return dict;
}

/// Returns ([(name, op, device index)] of newly placed nodes, notes, warnings).
py::tuple take_placement_news(Session& session) {
  PlacementNews news;
  std::vector<std::tuple<std::string, std::string, int>> placed;
  {
    auto graph_lock = session.graph()->lock();
    news = session.placement().take_news();
    for (const Node* node : news.placed) {
      placed.emplace_back(node->name(), node->op_name(), session.placement().device_of(*node));
    }
  }
  return py::make_tuple(placed, news.notes, news.warnings);
}

}  // namespace

void bind_placement(py::module_& m) {
  py::class_<Session, PyRef<Session>>(m.attr("Session"))
      .def("extend", &extend)
      .def("devices", &devices)
      .def("placements", &placements)
      .def("take_placement_news", &take_placement_news);
}

}  // namespace tinytf::python
