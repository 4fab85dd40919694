#include <pybind11/stl.h>

#include "graph/function_def_of.h"
#include "graph/instantiate.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"

namespace tinytf::python {

namespace {

using Attrs = std::map<std::string, py::bytes>;

FuncRef func_ref(const std::string& name, const Attrs& attrs) {
  FuncRef function{name, {}};
  for (const auto& [attr, value] : attrs) function.attrs.emplace_back(attr, std::string(value));
  return function;
}

void add_functions(Graph& graph, const py::bytes& library) {
  const FunctionLibrary functions = value_or_throw(FunctionLibrary::read(std::string_view(library)));
  throw_if_error(graph.add_functions(functions));
}

/// Adds the functions of another graph, with their known gradients.
void copy_functions(Graph& graph, Graph& of) {
  FunctionLibrary functions;
  {
    const auto lock = of.lock();
    functions = of.functions();
  }
  throw_if_error(graph.add_functions(functions));
}

/// Returns a function as a serialized FunctionDef; None if there is no such function.
py::object function_def(Graph& graph, const std::string& name) {
  const auto lock = graph.lock();
  if (graph.functions().find(name) == nullptr && graph.functions().body(name) == nullptr) {
    graph.take_from_bodies({name, {}});
  }
  if (const FunctionDef* definition = graph.functions().find(name)) return py::bytes(definition->bytes);
  if (const auto body = graph.functions().body(name)) return py::bytes(value_or_throw(function_def_of(name, *body)));
  return py::none();
}

py::tuple keys_of(const std::vector<Endpoint>& endpoints) {
  py::tuple keys(endpoints.size());
  for (size_t i = 0; i < endpoints.size(); ++i) keys[i] = key_of(endpoints[i]);
  return keys;
}

/// Returns (graph, arguments, results) of a new body instantiated from a definition; None if there is no definition.
py::object new_body(Graph& graph, const std::string& name, const Attrs& attrs) {
  const auto lock = graph.lock();
  const FunctionDef* definition = graph.functions().find(name);
  if (definition == nullptr) return py::none();
  const FuncRef function = func_ref(name, attrs);
  const AttrProtos values(function.attrs.begin(), function.attrs.end());
  const auto body =
      value_or_throw(instantiate(*definition, values, graph.functions(), Declarations::kOfBody, graph.ops_of()));
  return py::make_tuple(PyRef<Graph>(body->graph), keys_of(body->arguments), keys_of(body->results));
}

/// Returns lists of names, op names and output types for Python's operations.
py::tuple described(Graph& graph) {
  py::list names, ops, types;
  for (const Node* node : graph.nodes()) {
    py::tuple numbers(node->info->outputs.size());
    for (size_t i = 0; i < node->info->outputs.size(); ++i) {
      const ArgType type = node->info->outputs[i];
      numbers[i] = static_cast<int>(type.dtype) + (type.is_ref ? kRefOffset : 0);
    }
    names.append(node->name());
    ops.append(node->op_name());
    types.append(std::move(numbers));
  }
  return py::make_tuple(names, ops, types);
}

bool has_gradient(Graph& graph, const std::string& name, const Attrs& attrs) {
  const auto lock = graph.lock();
  return !graph.functions().gradient_of(name).empty() || graph.functions().derived(func_ref(name, attrs)) != nullptr;
}

void add_derived(Graph& graph, const std::string& name, const Attrs& attrs, Graph& of,
                 const std::vector<int64_t>& arguments, const std::vector<int64_t>& results) {
  auto body = std::make_shared<FunctionBody>();
  body->graph = RefPtr<Graph>::share(&of);
  for (const int64_t key : arguments) body->arguments.push_back(endpoint_from_key(of, key));
  for (const int64_t key : results) body->results.push_back(endpoint_from_key(of, key));
  throw_if_error(graph.add_derived(func_ref(name, attrs), {std::move(body), ""}));
}

void add_underivable(Graph& graph, const std::string& name, const Attrs& attrs, std::string why) {
  throw_if_error(graph.add_derived(func_ref(name, attrs), {nullptr, std::move(why)}));
}

/// (name, attrs) of the function that an attr names; None for other attrs.
py::object func_attr(Graph& graph, int id, const std::string& name) {
  const auto* function = node_from_id(graph, id)->info->attrs.get<FuncRef>(name);
  if (function == nullptr) return py::none();
  py::dict attrs;
  for (const auto& [attr, value] : function->attrs) attrs[py::str(attr)] = py::bytes(value);
  return py::make_tuple(function->name, attrs);
}

}  // namespace

void bind_graph_functions(py::module_& m) {
  m.def("add_functions", &add_functions, py::arg("graph"), py::arg("library"),
        "Adds the functions of a serialized FunctionDefLibrary, and its gradient definitions.");
  m.def("copy_functions", &copy_functions, py::arg("graph"), py::arg("of"),
        "Adds the functions of another graph, together with their gradients.");
  m.def(
      "set_gradient",
      [](Graph& graph, const std::string& function, const std::string& gradient) {
        throw_if_error(graph.set_gradient(function, gradient));
      },
      py::arg("graph"), py::arg("function"), py::arg("gradient"), "Sets the gradient function of a function.");
  m.def("function_def", &function_def, py::arg("graph"), py::arg("name"),
        "Returns a function as a serialized FunctionDef, or None.");
  m.def("new_body", &new_body, py::arg("graph"), py::arg("name"), py::arg("attrs"),
        "Returns (graph, arguments, results) of a new graph, built from the definition of a function and with the "
        "functions of `graph`.");
  m.def("described", &described, py::arg("graph"), "Returns (names, ops, types of outputs) of all nodes.");
  m.def("has_gradient", &has_gradient, py::arg("graph"), py::arg("name"), py::arg("attrs"),
        "Whether the gradient of a function, or the lack of one, has been determined.");
  m.def("add_derived", &add_derived, py::arg("graph"), py::arg("name"), py::arg("attrs"), py::arg("of"),
        py::arg("arguments"), py::arg("results"), "Sets a part of another graph as the gradient of a function.");
  m.def("add_underivable", &add_underivable, py::arg("graph"), py::arg("name"), py::arg("attrs"), py::arg("why"),
        "Records the reason why a function has no gradient.");
  m.def("func_attr", &func_attr, py::arg("graph"), py::arg("id"), py::arg("name"),
        "Returns (name, attrs) of the function that a node's attr refers to, or None.");
}

}  // namespace tinytf::python
