#include <pybind11/stl.h>

#include "graph/op_def_proto.h"
#include "op/kernel_registry.h"
#include "op/op_registry.h"
#include "op/op_summary.h"
#include "op/registration_error.h"
#include "op/removed_ops.h"
#include "python/attrs.h"
#include "python/bindings.h"
#include "python/errors.h"

namespace tinytf::python {

namespace {

py::list args_to_python(const std::vector<ArgDef>& args) {
  py::list list;
  for (const ArgDef& arg : args) {
    list.append(py::make_tuple(arg.name, static_cast<int>(arg.type), arg.type_attr, arg.number_attr, arg.type_list_attr,
                               arg.is_ref));
  }
  return list;
}

py::list attrs_to_python(const std::vector<AttrDef>& attrs) {
  py::list list;
  for (const AttrDef& attr : attrs) {
    std::vector<int> types;
    for (DType dtype : attr.allowed_types) types.push_back(static_cast<int>(dtype));
    py::object minimum = attr.minimum ? py::object(py::int_(*attr.minimum)) : py::none();
    py::object value = attr.default_value ? py::object(attr_to_python(*attr.default_value)[1]) : py::none();
    list.append(py::make_tuple(attr.name, attr.kind_text(), attr.default_value.has_value(), value, types,
                               attr.allowed_strings, minimum));
  }
  return list;
}

py::dict traits_to_python(const OpDef& def) {
  py::dict traits;
  for (int i = 0; i < kTraits; ++i) {
    const auto trait = static_cast<Trait>(i);
    traits[py::str(std::string(trait_name(trait)))] = def.has(trait);
  }
  return traits;
}

py::dict op_def_to_python(const OpDef& def) {
  py::dict dict;
  dict["name"] = def.name;
  dict["inputs"] = args_to_python(def.inputs);
  dict["outputs"] = args_to_python(def.outputs);
  dict["attrs"] = attrs_to_python(def.attrs);
  dict["is_stateful"] = def.is_stateful;
  dict["is_commutative"] = def.is_commutative;
  dict["may_block"] = def.may_block;
  dict["is_removed"] = find_removed_op(def.name) != nullptr;
  dict["traits"] = traits_to_python(def);
  dict["ignored_gradients"] = def.ignored_gradients;
  dict["allows_uninitialized_input"] = def.allows_uninitialized_input;
  dict["gradient"] = def.gradient == GradientKind::kRegistered          ? "registered"
                     : def.gradient == GradientKind::kNotDifferentiable ? "not_differentiable"
                                                                        : "none";
  py::dict parameters;
  for (const auto& [name, of_wrapper] : def.parameters) parameters[py::str(name)] = of_wrapper;
  dict["parameters"] = parameters;
  dict["control_flow"] = control_flow_name(def.control_flow);
  dict["family"] = def.family;
  dict["endpoints"] = def.endpoints;
  dict["doc"] = def.doc;
  dict["has_shape_fn"] = def.shape_fn != nullptr;
  py::list kernels;
  if (const auto* defs = KernelRegistry::global().find(def.name)) {
    for (const KernelDef& kernel : *defs) {
      py::dict constraints;
      for (const auto& [attr, types] : kernel.constraints) {
        std::vector<int> numbers;
        for (DType dtype : types) numbers.push_back(static_cast<int>(dtype));
        constraints[py::str(attr)] = numbers;
      }
      kernels.append(constraints);
    }
  }
  dict["kernels"] = kernels;
  return dict;
}

const OpDef& declared_op(const std::string& name) {
  const OpDef* def = OpRegistry::global().find(name);
  if (def == nullptr) throw std::runtime_error("Unrecognized Op name " + name);
  return *def;
}

}  // namespace

void bind_op_defs(py::module_& m) {
  m.def(
      "op_names",
      [] {
        py::list names;
        for (const OpDef& def : OpRegistry::global().all()) {
          if (!def.is_internal) names.append(def.name);
        }
        return names;
      },
      "Returns the names of all declared ops that graphs may have.");
  m.def(
      "op_def",
      [](const std::string& name) -> py::object {
        const OpDef* def = OpRegistry::global().find(name);
        return def ? py::object(op_def_to_python(*def)) : py::none();
      },
      py::arg("name"), "Returns the declaration of an op as a dict, or None.");
  m.def(
      "check_not_removed",
      [](const std::string& name, int32_t version) { throw_if_error(check_not_removed(name, version)); },
      py::arg("name"), py::arg("version"),
      "Raises UnimplementedError for an op that was removed from GraphDefs of this version.");
  m.def(
      "check_registered",
      [](const std::string& name) {
        if (OpRegistry::global().find(name) == nullptr) throw_if_error(not_registered(str_cat("'", name, "'")));
      },
      py::arg("name"), "Raises NotFoundError, with TensorFlow's text, for an op that is not declared.");
  m.def(
      "op_def_proto",
      [](const std::string& name) {
        std::string message;
        WireWriter to(&message);
        throw_if_error(write_op_def(to, declared_op(name)));
        return py::bytes(message);
      },
      py::arg("name"), "Returns the declaration as a serialized OpDef. Raises RuntimeError if there is no such op.");
  m.def(
      "op_summary", [](const std::string& name) { return op_summary(declared_op(name)); }, py::arg("name"),
      "Returns the declaration of an op on one line. Raises RuntimeError if there is no such op.");
}

}  // namespace tinytf::python
