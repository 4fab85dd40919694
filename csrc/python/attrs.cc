#include "python/attrs.h"

#include <pybind11/stl.h>

#include <map>
#include <utility>

#include "graph/attr_proto.h"
#include "op/compact_constant.h"
#include "python/numpy_tensor.h"

namespace tinytf::python {

namespace {

std::string string_of(py::handle value) {
  if (PyBytes_Check(value.ptr())) return value.cast<py::bytes>();
  return value.cast<std::string>();
}

Tensor tensor_of(py::handle value) {
  auto pair = value.cast<py::tuple>();
  // The attr must own its memory: the array may change later.
  const Tensor view = tensor_from_python(pair[0], static_cast<DType>(pair[1].cast<int>()));
  if (view.buffer()->writable()) return view;
  Result<Tensor> copy = view.clone(Allocator::process());
  if (!copy.ok()) throw py::value_error(copy.status().message());
  return copy.take();
}

AttrValue value_or_throw_value_error(Result<AttrValue> value) {
  if (value.ok()) return value.take();
  if (value.status().code() == Code::kUnimplemented) throw py::type_error(value.status().message());
  throw py::value_error(value.status().message());
}

/// Takes (array, dtype number); or (elements, dtype number, shape), where the last element fills the rest of the shape;
/// or the bytes of a TensorProto.
AttrValue tensor_attr_of(py::handle value) {
  if (PyBytes_Check(value.ptr())) return value_or_throw_value_error(read_tensor(value.cast<std::string_view>()));
  Tensor elements = tensor_of(value);
  const auto parts = value.cast<py::tuple>();
  if (parts.size() == 2) return elements;
  const int64_t count = elements.num_elements();
  return value_or_throw_value_error(
      tensor_attr({elements.reshaped(Shape({count})), Shape(shape_from_python(parts[2]).dims()), false}));
}

template <class T, class Convert>
std::vector<T> list_of(py::handle value, Convert convert) {
  std::vector<T> items;
  for (py::handle item : value) items.push_back(convert(item));
  return items;
}

int64_t int_of(py::handle value) { return value.cast<int64_t>(); }
float float_of(py::handle value) { return static_cast<float>(value.cast<double>()); }
bool bool_of(py::handle value) { return value.cast<bool>(); }
DType dtype_of_number(py::handle value) { return static_cast<DType>(value.cast<int>()); }
/// Takes a name, or a name and a dict of serialized AttrValues.
FuncRef func_of(py::handle value) {
  if (!PyTuple_Check(value.ptr())) return FuncRef{string_of(value), {}};
  const auto [name, attrs] = value.cast<std::pair<std::string, std::map<std::string, py::bytes>>>();
  FuncRef function{name, {}};
  for (const auto& [attr, bytes] : attrs) function.attrs.emplace_back(attr, std::string(bytes));
  return function;
}

}  // namespace

AttrValue attr_from_python(py::handle value, AttrKind kind, bool is_list) {
  switch (kind) {
    case AttrKind::kString:
      return is_list ? AttrValue(list_of<std::string>(value, string_of)) : AttrValue(string_of(value));
    case AttrKind::kInt: return is_list ? AttrValue(list_of<int64_t>(value, int_of)) : AttrValue(int_of(value));
    case AttrKind::kFloat: return is_list ? AttrValue(list_of<float>(value, float_of)) : AttrValue(float_of(value));
    case AttrKind::kBool: return is_list ? AttrValue(list_of<bool>(value, bool_of)) : AttrValue(bool_of(value));
    case AttrKind::kType:
      return is_list ? AttrValue(list_of<DType>(value, dtype_of_number)) : AttrValue(dtype_of_number(value));
    case AttrKind::kShape:
      return is_list ? AttrValue(list_of<PartialShape>(value, shape_from_python)) : AttrValue(shape_from_python(value));
    case AttrKind::kTensor: return is_list ? AttrValue(list_of<Tensor>(value, tensor_of)) : tensor_attr_of(value);
    case AttrKind::kFunc: return is_list ? AttrValue(list_of<FuncRef>(value, func_of)) : AttrValue(func_of(value));
  }
  throw py::type_error("unknown kind of attr");
}

AttrValue undeclared_attr_from_python(py::handle value) {
  PyObject* object = value.ptr();
  if (PyBool_Check(object)) return AttrValue(object == Py_True);
  if (PyLong_Check(object)) return AttrValue(int_of(value));
  if (PyFloat_Check(object)) return AttrValue(float_of(value));
  if (PyBytes_Check(object) || PyUnicode_Check(object)) return AttrValue(string_of(value));
  if (PyList_Check(object) || PyTuple_Check(object)) {
    if (py::len(value) == 0) return AttrValue(std::vector<std::string>());
    PyObject* first = PySequence_Fast_GET_ITEM(object, 0);
    if (PyBytes_Check(first) || PyUnicode_Check(first)) return AttrValue(list_of<std::string>(value, string_of));
    if (PyLong_Check(first)) return AttrValue(list_of<int64_t>(value, int_of));
    if (PyFloat_Check(first)) return AttrValue(list_of<float>(value, float_of));
    if (first == Py_None || PyTuple_Check(first) || PyList_Check(first)) {
      return AttrValue(list_of<PartialShape>(value, shape_from_python));
    }
  }
  throw py::type_error(str_cat("Attr values of type ", Py_TYPE(object)->tp_name, " are not supported"));
}

namespace {

struct ToPython {
  py::object operator()(std::monostate) const { return py::none(); }
  py::object operator()(const std::string& v) const { return py::bytes(v); }
  py::object operator()(int64_t v) const { return py::int_(v); }
  py::object operator()(float v) const { return py::float_(v); }
  py::object operator()(bool v) const { return py::bool_(v); }
  py::object operator()(DType v) const { return py::int_(static_cast<int>(v)); }
  py::object operator()(const PartialShape& v) const { return shape_to_python(v); }
  py::object operator()(const Tensor& v) const {
    return py::make_tuple(tensor_to_array(v), static_cast<int>(v.dtype()));
  }
  py::object operator()(const FuncRef& v) const { return py::str(v.name); }
  template <class T>
  py::object operator()(const std::vector<T>& v) const {
    py::list items;
    for (const T& item : v) items.append((*this)(item));
    return items;
  }
};

const char* kind_of(const AttrValue& value) {
  static constexpr const char* kKinds[] = {"none",         "string",      "int",        "float",      "bool",
                                           "type",         "shape",       "tensor",     "func",       "list(string)",
                                           "list(int)",    "list(float)", "list(bool)", "list(type)", "list(shape)",
                                           "list(tensor)", "list(func)"};
  return kKinds[value.index()];
}

}  // namespace

py::tuple attr_to_python(const AttrValue& value) {
  if (const auto constant = CompactConstant::of(value)) {
    const Tensor& elements = constant->elements();
    return py::make_tuple("tensor", py::make_tuple(tensor_to_array(elements), static_cast<int>(elements.dtype()),
                                                   shape_to_python(constant->shape())));
  }
  return py::make_tuple(kind_of(value), std::visit(ToPython{}, value));
}

AttrMap attrs_from_python(const OpDef* op, py::handle attrs) {
  AttrMap map;
  if (attrs.is_none()) return map;
  for (auto [key, value] : attrs.cast<py::dict>()) {
    const auto name = key.cast<std::string>();
    const AttrDef* def = op ? op->find_attr(name) : nullptr;
    try {
      map.set(name, def ? attr_from_python(value, def->kind, def->is_list) : undeclared_attr_from_python(value));
    } catch (const py::cast_error&) {
      throw py::type_error(str_cat("Attr '", name, "' of op '", op ? op->name : "?", "' takes a value of type ",
                                   def ? def->kind_text() : "?", ", not ", std::string(py::repr(value))));
    }
  }
  return map;
}

}  // namespace tinytf::python
