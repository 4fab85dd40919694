#include "io/graph_text.h"

#include <pybind11/functional.h>

#include "python/bindings.h"
#include "python/errors.h"

namespace tinytf::python {

namespace {

py::tuple graph_nodes_text(const py::bytes& graph_def, const py::function& print) {
  const auto print_message = [&](uint32_t field, std::string_view message, int indent) {
    return print(field, py::bytes(message.data(), message.size()), indent).cast<std::string>();
  };
  const GraphText text = value_or_throw(graph_text(std::string_view(graph_def), print_message));
  return py::make_tuple(py::str(text.nodes), py::bytes(text.rest));
}

}  // namespace

void bind_graph_text(py::module_& m) {
  m.def("graph_nodes_text", &graph_nodes_text, py::arg("graph_def"), py::arg("print"),
        "Returns the nodes of a GraphDef as text, and the bytes of its other fields. `print(field, bytes, indent)` "
        "returns the text of rare fields.");
}

}  // namespace tinytf::python
