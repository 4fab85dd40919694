#include "graph/graph.h"

#include <pybind11/stl.h>

#include "graph/function_body.h"
#include "python/attrs.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/numpy_tensor.h"

namespace tinytf::python {

namespace {

py::tuple types_to_python(const Node& node) {
  py::tuple types(node.info->outputs.size());
  for (size_t i = 0; i < node.info->outputs.size(); ++i) {
    const ArgType type = node.info->outputs[i];
    types[i] = static_cast<int>(type.dtype) + (type.is_ref ? kRefOffset : 0);
  }
  return types;
}

/// add_node(op, name, inputs, groups, controls, attrs, device) → (id, output types).
py::tuple add_node(Graph& graph, std::string op, std::string name, py::handle inputs, py::handle groups,
                   py::handle controls, py::handle attrs, std::string device) {
  NodeRequest request;
  const OpDef* def = graph.find_op(op);
  request.attrs = attrs_from_python(def, attrs);
  request.op = std::move(op);
  request.name = std::move(name);
  request.device = std::move(device);
  for (py::handle key : inputs) request.inputs.push_back(endpoint_from_key(graph, key.cast<int64_t>()));
  if (!groups.is_none()) request.group_sizes = groups.cast<std::vector<int>>();
  if (!controls.is_none()) {
    for (py::handle id : controls) request.control_inputs.push_back(node_from_id(graph, id.cast<int>()));
  }
  Node* node = value_or_throw(graph.add_node(std::move(request)));
  return py::make_tuple(node->id, types_to_python(*node));
}

py::list input_keys(Graph& graph, int id) {
  py::list keys;
  for (Endpoint e : node_from_id(graph, id)->inputs) keys.append(key_of(e));
  return keys;
}

py::list control_input_ids(Graph& graph, int id) {
  py::list ids;
  for (Node* node : node_from_id(graph, id)->control_inputs) ids.append(node->id);
  return ids;
}

py::object attr(Graph& graph, int id, const std::string& name) {
  const AttrValue* value = node_from_id(graph, id)->info->attrs.find(name);
  return value ? py::object(attr_to_python(*value)) : py::none();
}

py::dict attrs(Graph& graph, int id) {
  py::dict dict;
  for (const auto& [name, value] : node_from_id(graph, id)->info->attrs) dict[py::str(name)] = attr_to_python(value);
  return dict;
}

py::object constant_value(Graph& graph, int64_t key) {
  const Tensor value = graph.constant_value(endpoint_from_key(graph, key));
  return value.valid() ? tensor_to_array(value) : py::none();
}

/// (dtype number, shape) of the variable behind a handle; None for other handles, whose info has no dtype.
py::object handle_info(Graph& graph, int64_t key) {
  const Endpoint e = endpoint_from_key(graph, key);
  const auto& handles = e.node->output_handles;
  if (handles.empty() || !handles[e.index] || handles[e.index]->dtype == DType::kInvalid) return py::none();
  return py::make_tuple(static_cast<int>(handles[e.index]->dtype), shape_to_python(handles[e.index]->shape));
}

void add_function(Graph& graph, const std::string& name, Graph& of, const std::vector<int64_t>& arguments,
                  const std::vector<int64_t>& results, const std::vector<int>& targets) {
  auto body = std::make_shared<FunctionBody>();
  body->graph = RefPtr<Graph>::share(&of);
  for (const int64_t key : arguments) body->arguments.push_back(endpoint_from_key(of, key));
  for (const int64_t key : results) body->results.push_back(endpoint_from_key(of, key));
  for (const int id : targets) body->targets.push_back(node_from_id(of, id));
  throw_if_error(graph.add_function(name, std::move(body)));
}

void colocate(Graph& graph, int id, py::handle others, const std::optional<std::string>& device, bool keeps_groups) {
  std::vector<Graph::Place> places;
  for (py::handle other : others) {
    const auto [of, other_id] = other.cast<std::pair<Graph*, int>>();
    places.push_back(of->place_of(*node_from_id(*of, other_id)));
  }
  graph.colocate(node_from_id(graph, id), places, device ? &*device : nullptr, keeps_groups);
}

py::list colocation_groups(Graph& graph, int id) {
  py::list groups;
  for (const std::string& group : graph.place_of(*node_from_id(graph, id)).groups) groups.append(py::bytes(group));
  return groups;
}

py::tuple extend_call(Graph& graph, int id, std::map<std::string, std::vector<std::string>> functions,
                      const std::vector<int64_t>& inputs, const std::vector<int>& types, py::handle shapes) {
  LongerCall longer;
  longer.functions = std::move(functions);
  for (const int64_t key : inputs) longer.inputs.push_back(endpoint_from_key(graph, key));
  for (const int type : types) longer.outputs.push_back(static_cast<DType>(type));
  for (py::handle shape : shapes) longer.shapes.push_back(shape_from_python(shape));
  Node* node = node_from_id(graph, id);
  throw_if_error(graph.extend_call(node, longer));
  return types_to_python(*node);
}

}  // namespace

void bind_graph(py::module_& m) {
  py::class_<Graph, PyRef<Graph>>(m, "Graph", "A graph. Nodes are identified by id, outputs by key: id << 32 | index.")
      .def(py::init([] { return PyRef<Graph>(make_ref<Graph>()); }))
      .def("add_node", &add_node, py::arg("op"), py::arg("name"), py::arg("inputs"), py::arg("groups"),
           py::arg("controls"), py::arg("attrs"), py::arg("device"))
      .def("unique_name", &Graph::unique_name, py::arg("name"), py::arg("mark_as_used"))
      .def("set_ops_of", &Graph::set_ops_of, py::arg("version"))
      .def("last_id", &Graph::last_id)
      .def("find",
           [](Graph& graph, const std::string& name) {
             Node* node = graph.find(name);
             return node ? node->id : 0;
           })
      .def("name", [](Graph& graph, int id) { return node_from_id(graph, id)->name(); })
      .def("op", [](Graph& graph, int id) { return node_from_id(graph, id)->op_name(); })
      .def("device", [](Graph& graph, int id) { return node_from_id(graph, id)->info->device; })
      .def("set_device", [](Graph& graph, int id,
                            std::string device) { graph.set_device(node_from_id(graph, id), std::move(device)); })
      .def("colocate", &colocate, py::arg("id"), py::arg("others"), py::arg("device"), py::arg("keeps_groups"))
      .def("colocation_groups", &colocation_groups)
      .def("output_types", [](Graph& graph, int id) { return types_to_python(*node_from_id(graph, id)); })
      .def("input_keys", &input_keys)
      .def("control_input_ids", &control_input_ids)
      .def("add_control_input",
           [](Graph& graph, int id, int input) {
             graph.add_control_input(node_from_id(graph, id), node_from_id(graph, input));
           })
      .def("remove_control_inputs",
           [](Graph& graph, int id) {
             const auto lock = graph.lock();  // Sessions may be planning the graph.
             node_from_id(graph, id)->control_inputs.clear();
           })
      .def("update_input",
           [](Graph& graph, int id, int index, int64_t key) {
             throw_if_error(graph.update_input(node_from_id(graph, id), index, endpoint_from_key(graph, key)));
           })
      .def("replace_input",
           [](Graph& graph, int id, int index, int64_t key) {
             throw_if_error(graph.replace_input(node_from_id(graph, id), index, endpoint_from_key(graph, key)));
           })
      .def("attr", &attr)
      .def("attrs", &attrs)
      .def("set_attr",
           [](Graph& graph, int id, const std::string& name, py::handle value) {
             Node* node = node_from_id(graph, id);
             const AttrDef* def = node->info->op->find_attr(name);
             graph.set_attr(
                 node, name,
                 def ? attr_from_python(value, def->kind, def->is_list) : undeclared_attr_from_python(value));
           })
      .def("clear_attr",
           [](Graph& graph, int id, const std::string& name) { graph.clear_attr(node_from_id(graph, id), name); })
      .def("shape",
           [](Graph& graph, int64_t key) { return shape_to_python(graph.shape(endpoint_from_key(graph, key))); })
      .def("set_shape",
           [](Graph& graph, int64_t key, py::handle shape) {
             throw_if_error(graph.set_shape(endpoint_from_key(graph, key), shape_from_python(shape)));
           })
      .def("rely_on_shapes_of",
           [](Graph& graph, int64_t key) { graph.rely_on_shapes_of(*endpoint_from_key(graph, key).node); })
      .def("add_function", &add_function, py::arg("name"), py::arg("of"), py::arg("arguments"), py::arg("results"),
           py::arg("targets"), "Adds a part of another graph as a function, together with the functions of that graph.")
      .def("extend_call", &extend_call, py::arg("id"), py::arg("functions"), py::arg("inputs"), py::arg("types"),
           py::arg("shapes"),
           "Makes a node call other functions, which have additional results. Returns the types of all outputs of the "
           "node.")
      .def("handle_info", &handle_info)
      .def("constant_value", &constant_value)
      .def("constant_value_as_shape", [](Graph& graph, int64_t key) {
        return shape_to_python(graph.constant_value_as_shape(endpoint_from_key(graph, key)));
      });
}

}  // namespace tinytf::python
