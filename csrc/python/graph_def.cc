#include "graph/graph_def.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <map>
#include <unordered_map>

#include "graph/attr_proto.h"
#include "graph/colocation.h"
#include "graph/import_graph_def.h"
#include "graph/op_def_proto.h"
#include "io/tensor_proto.h"
#include "python/attrs.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/graph_endpoint.h"
#include "python/numpy_tensor.h"

namespace tinytf::python {

namespace {

/// Returns the result of `call`. A ValueError that it raises becomes InvalidArgument with the same text.
template <class Call>
Result<py::object> answer(Call call) {
  try {
    return py::object(call());
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError)) throw;
    return invalid_argument(std::string(py::str(e.value())));
  }
}

/// Returns lists of names, op names and output types for Python's operations. Equal op names share one str, equal types
/// one tuple.
py::tuple describe(const std::vector<ImportedNode>& nodes) {
  py::list names(nodes.size()), ops(nodes.size()), types(nodes.size());
  std::unordered_map<const OpDef*, py::str> op_names;
  std::map<std::vector<int>, py::tuple> known_types;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = *nodes[i].node;
    py::str& op = op_names.try_emplace(node.info->op, node.op_name()).first->second;
    std::vector<int> numbers;
    for (const ArgType type : node.info->outputs) {
      numbers.push_back(static_cast<int>(type.dtype) + (type.is_ref ? kRefOffset : 0));
    }
    auto [known, is_new] = known_types.try_emplace(numbers);
    if (is_new) known->second = py::tuple(py::cast(numbers));
    PyList_SET_ITEM(names.ptr(), i, py::str(node.name()).release().ptr());
    PyList_SET_ITEM(ops.ptr(), i, py::reinterpret_borrow<py::object>(op).release().ptr());
    PyList_SET_ITEM(types.ptr(), i, py::reinterpret_borrow<py::object>(known->second).release().ptr());
  }
  return py::make_tuple(names, ops, types);
}

/// Returns lists of (id, device) of the nodes with a device, and of (id, names in _class) of the colocated nodes.
py::tuple placement(const std::vector<ImportedNode>& nodes) {
  py::list placed, colocated;
  for (const ImportedNode& node : nodes) {
    if (node.is_colocated) {
      const auto* groups = node.node->info->attrs.get<std::vector<std::string>>(kClassAttr);
      colocated.append(py::make_tuple(node.node->id, py::cast(*groups)));
    } else if (!node.device.empty()) {
      placed.append(py::make_tuple(node.node->id, py::str(node.device.data(), node.device.size())));
    }
  }
  return py::make_tuple(placed, colocated);
}

py::tuple import_from_python(Graph& graph, const py::bytes& data, std::string prefix, bool is_prefix_new,
                             const std::vector<std::tuple<std::string, int64_t, int64_t>>& input_map, int32_t producer,
                             const py::function& undeclared, const py::function& device,
                             const std::vector<std::string>& wanted, bool is_strict,
                             const std::vector<py::bytes>& producers_ops,
                             const std::vector<std::tuple<std::string, py::object, int, py::object>>& values) {
  ImportOptions options;
  options.prefix = std::move(prefix);
  options.is_prefix_new = is_prefix_new;
  options.producer = producer;
  options.ops_of = producer;
  options.is_strict = is_strict;
  for (const py::bytes& declaration : producers_ops) {
    OpDef op = value_or_throw(read_op_def(std::string_view(declaration)));
    std::string name = op.name;
    options.producers_ops.emplace(std::move(name), std::move(op));
  }
  for (const auto& [source, output, key] : input_map) {
    options.input_map.push_back({source, output, endpoint_from_key(graph, key)});
  }
  for (const auto& [name, array, number, shape] : values) {
    const Tensor elements = tensor_from_python(array, static_cast<DType>(number));  // Shares the array's memory.
    const Shape filled = shape_from_python(shape).to_shape();
    options.values.emplace(name, value_or_throw(tensor_attr({elements, filled, true})));
  }
  options.undeclared = [&](const OpDef& op, std::string_view attr, std::string_view value, const std::string& node) {
    const auto found = answer([&] { return undeclared(op.name, attr, py::bytes(value.data(), value.size()), node); });
    return found.status();
  };
  options.device = [&](std::string_view text) -> Result<std::string> {
    TINYTF_ASSIGN_OR_RETURN(const py::object found, answer([&] { return device(text); }));
    return found.cast<std::string>();
  };
  const GraphDefView graph_def = value_or_throw(read_graph_def(std::string_view(data)));
  const std::vector<ImportedNode> nodes = value_or_throw(import_graph_def(graph, graph_def, options));
  py::dict ids;
  if (!wanted.empty()) {
    std::unordered_map<std::string_view, int> all;
    for (const ImportedNode& node : nodes) all.emplace(node.name, node.node->id);
    for (const std::string& name : wanted) {
      const auto found = all.find(name);
      if (found != all.end()) ids[py::str(name)] = found->second;
    }
  }
  return py::make_tuple(describe(nodes), placement(nodes), ids);
}

/// The graph as a serialized GraphDef.
py::bytes graph_def(Graph& graph, int after_id, bool add_shapes, int32_t producer, int32_t min_consumer,
                    std::vector<int32_t> bad_consumers) {
  return value_or_throw(graph_def_of(graph, {after_id, add_shapes, producer, min_consumer, std::move(bad_consumers)}));
}

py::bytes node_def(Graph& graph, int id) { return value_or_throw(node_def_of(graph, *node_from_id(graph, id))); }

/// Converts a serialized AttrValue to the form in which attrs go to Python.
py::object attr_of_proto(const py::bytes& data) {
  const AttrContent content = value_or_throw(read_attr_content(std::string_view(data)));
  return attr_to_python(value_or_throw(read_attr(content)))[1];
}

py::tuple tensor_of_proto(const py::bytes& data) {
  TensorElements found = value_or_throw(read_tensor_elements(std::string_view(data)));
  const int number = static_cast<int>(found.elements.dtype());
  return py::make_tuple(tensor_to_python(std::move(found.elements)), number, shape_to_python(found.shape));
}

py::bytes tensor_proto(const py::handle& array, int number, const py::handle& shape) {
  std::string message;
  WireWriter to(&message);
  const Tensor elements = tensor_from_python(array, static_cast<DType>(number));
  message.reserve(elements.bytes() + 64);
  throw_if_error(write_tensor(to, elements, shape_from_python(shape).to_shape()));
  return message;
}

}  // namespace

void bind_graph_def(py::module_& m) {
  m.def("import_graph_def", &import_from_python, py::arg("graph"), py::arg("data"), py::arg("prefix"),
        py::arg("is_prefix_new"), py::arg("input_map"), py::arg("producer"), py::arg("undeclared"), py::arg("device"),
        py::arg("wanted"), py::arg("is_strict"), py::arg("producers_ops"), py::arg("values"),
        "Adds the nodes of a GraphDef. Returns ((names, ops, types of outputs), (placed, colocated), ids of wanted "
        "nodes).");
  m.def("graph_def", &graph_def, py::arg("graph"), py::arg("after_id"), py::arg("add_shapes"), py::arg("producer"),
        py::arg("min_consumer"), py::arg("bad_consumers"), "Returns the graph as a serialized GraphDef.");
  m.def("node_def", &node_def, py::arg("graph"), py::arg("id"), "Returns a node as a serialized NodeDef.");
  m.def("attr_of_proto", &attr_of_proto, py::arg("data"),
        "Returns the content of an AttrValue in the form in which Python gets attrs.");
  m.def("tensor_of_proto", &tensor_of_proto, py::arg("data"),
        "Returns (vector of the elements, number of their dtype, shape) of a TensorProto.");
  m.def("tensor_proto", &tensor_proto, py::arg("array"), py::arg("number"), py::arg("shape"),
        "Returns a TensorProto with the elements of an array and the given shape.");
}

}  // namespace tinytf::python
