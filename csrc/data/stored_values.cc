#include "data/stored_values.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "data/dataset_graph.h"
#include "data/element_list.h"
#include "op/op_registry.h"
#include "op/variant_forms.h"

namespace tinytf::data {

namespace {

constexpr int kMostNested = 100;

/// How the value of a variant is stored.
enum class Kind : int64_t { kNone, kList, kGraph, kForm };

Status put_sizes(StateWriter& state, std::string_view key, const Dims& dims) {
  TINYTF_ASSIGN_OR_RETURN(
      Tensor sizes, Tensor::allocate(Allocator::process(), DType::kInt64, Shape({static_cast<int64_t>(dims.size())})));
  for (size_t i = 0; i < dims.size(); ++i) sizes.data<int64_t>()[i] = dims[i];
  state.put(key, std::move(sizes));
  return Status();
}

/// Unknown if there is none.
Result<PartialShape> get_shape(const StateReader& state, std::string_view key) {
  if (!state.has(key)) return PartialShape();
  TINYTF_ASSIGN_OR_RETURN(const Tensor sizes, state.get(key));
  if (sizes.dtype() != DType::kInt64 || sizes.rank() != 1 || sizes.num_elements() > Shape::kMaxRank) {
    return state.damaged(key, "has no shape in");
  }
  PartialShape shape = PartialShape::scalar();
  for (int64_t i = 0; i < sizes.num_elements(); ++i) shape.add_dim(sizes.int_at(i));
  return shape;
}

Status put_nested(StateWriter& state, std::string_view key, const Tensor& value, int depth);
Result<Tensor> get_nested(const StateReader& state, std::string_view key, int depth);

Status put_list(StateWriter& state, const ElementList& list, int depth) {
  const ElementSpec& spec = list.spec();
  state.put_text("op", list.origin().node->op->name);
  state.put_int("components", static_cast<int64_t>(spec.types.size()));
  for (size_t i = 0; i < spec.types.size(); ++i) {
    state.put_text(str_cat("type_", i), std::string(dtype_name(spec.types[i])));
    if (!spec.shapes[i].known_rank()) continue;
    TINYTF_RETURN_IF_ERROR(put_sizes(state, str_cat("shape_", i), spec.shapes[i].dims()));
  }
  state.put_int("elements", static_cast<int64_t>(list.elements().size()));
  for (size_t k = 0; k < list.elements().size(); ++k) {
    StateWriter element = state.inside(str_cat("element_", k));
    const Element& components = list.elements()[k];
    if (components.size() != spec.types.size()) return internal_error("A window has an element without its components");
    for (size_t i = 0; i < components.size(); ++i) {
      TINYTF_RETURN_IF_ERROR(put_nested(element, str_cat(i), components[i], depth));
    }
  }
  return Status();
}

Result<std::shared_ptr<const ElementSpec>> get_spec(const StateReader& state) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t components, state.get_int("components", 0, INT64_MAX));
  auto spec = std::make_shared<ElementSpec>();
  for (int64_t i = 0; i < components; ++i) {  // Ends at the first component that the state lacks.
    TINYTF_ASSIGN_OR_RETURN(const std::string type, state.get_text(str_cat("type_", i)));
    const DType dtype = dtype_from_name(type);
    if (dtype == DType::kInvalid) return state.damaged("type", "has no dtype in");
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, get_shape(state, str_cat("shape_", i)));
    spec->types.push_back(dtype);
    spec->shapes.push_back(std::move(shape));
  }
  return std::shared_ptr<const ElementSpec>(std::move(spec));
}

Result<Tensor> get_list(const StateReader& state, int depth) {
  TINYTF_ASSIGN_OR_RETURN(const std::string op, state.get_text("op"));
  auto node = std::make_shared<NodeInfo>();
  node->name = op;
  node->op = OpRegistry::global().find(op);
  if (node->op == nullptr) return state.damaged("op", "has no op in");
  TINYTF_ASSIGN_OR_RETURN(std::shared_ptr<const ElementSpec> spec, get_spec(state));
  TINYTF_ASSIGN_OR_RETURN(const int64_t size, state.get_int("elements", 0, INT64_MAX));
  auto elements = std::make_shared<std::vector<Element>>();
  for (int64_t k = 0; k < size; ++k) {
    if (spec->types.empty()) return state.damaged("components", "has no components in");
    const StateReader stored = state.inside(str_cat("element_", k));
    Element element;
    for (size_t i = 0; i < spec->types.size(); ++i) {  // Ends at the first value that the state lacks.
      TINYTF_ASSIGN_OR_RETURN(Tensor component, get_nested(stored, str_cat(i), depth));
      element.push_back(std::move(component));
    }
    if (!check_element(*spec, element).ok()) return state.damaged("elements", "has elements of another spec in");
    elements->push_back(std::move(element));
  }
  return ElementList::tensor_of(std::move(node), std::move(spec), std::move(elements));
}

Status put_variant(StateWriter& state, const Variant& variant, int depth) {
  const auto put_kind = [&](Kind kind) { state.put_int("kind", static_cast<int64_t>(kind)); };
  if (!variant.value) {
    put_kind(Kind::kNone);
    return Status();
  }
  if (const auto* list = variant.get<ElementList>()) {
    put_kind(Kind::kList);
    return put_list(state, *list, depth);
  }
  if (const auto* dataset = variant.get<Dataset>()) {
    put_kind(Kind::kGraph);
    TINYTF_ASSIGN_OR_RETURN(std::string graph, write_dataset(*dataset, {{}, /*all=*/true}));
    state.put_text("graph", std::move(graph));
    return Status();
  }
  const std::string type = variant.value->type_name();
  const VariantForm* const form = VariantForms::global().find(type);
  if (form == nullptr) {
    return unimplemented("The position of an iterator cannot be saved while it holds elements of dtype variant with a ",
                         type);
  }
  put_kind(Kind::kForm);
  VariantParts parts = form->parts(*variant.value);
  state.put_text("type", type);
  state.put_text("metadata", std::move(parts.metadata));
  state.put_int("tensors", static_cast<int64_t>(parts.tensors.size()));
  for (size_t i = 0; i < parts.tensors.size(); ++i) {
    TINYTF_RETURN_IF_ERROR(put_nested(state, str_cat("tensor_", i), parts.tensors[i], depth));
  }
  return Status();
}

Result<Variant> get_form(const StateReader& state, int depth) {
  TINYTF_ASSIGN_OR_RETURN(const std::string type, state.get_text("type"));
  const VariantForm* const form = VariantForms::global().find(type);
  if (form == nullptr) return state.damaged("type", "has no type in");
  VariantParts parts;
  TINYTF_ASSIGN_OR_RETURN(parts.metadata, state.get_text("metadata"));
  TINYTF_ASSIGN_OR_RETURN(const int64_t tensors, state.get_int("tensors", 0, INT64_MAX));
  for (int64_t i = 0; i < tensors; ++i) {  // Ends at the first tensor that the state lacks.
    TINYTF_ASSIGN_OR_RETURN(Tensor tensor, get_nested(state, str_cat("tensor_", i), depth));
    parts.tensors.push_back(std::move(tensor));
  }
  return form->value(std::move(parts));
}

Result<Variant> get_variant(const StateReader& state, int depth) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t kind, state.get_int("kind", 0, static_cast<int64_t>(Kind::kForm)));
  switch (static_cast<Kind>(kind)) {
    case Kind::kNone: return Variant();
    case Kind::kList: {
      TINYTF_ASSIGN_OR_RETURN(const Tensor list, get_list(state, depth));
      return *list.data<Variant>();
    }
    case Kind::kGraph: {
      TINYTF_ASSIGN_OR_RETURN(const std::string graph, state.get_text("graph"));
      if (state.step() == nullptr) return failed_precondition("Stored datasets can only be read while a step runs");
      TINYTF_ASSIGN_OR_RETURN(const Tensor dataset, read_dataset(graph, *state.step()));
      return *dataset.data<Variant>();
    }
    case Kind::kForm: break;
  }
  return get_form(state, depth);
}

Status put_nested(StateWriter& state, std::string_view key, const Tensor& value, int depth) {
  if (value.dtype() == DType::kResource) {
    return unimplemented("The position of an iterator cannot be saved while it holds elements of dtype ",
                         dtype_name(value.dtype()));
  }
  if (value.dtype() != DType::kVariant) {
    state.put(key, value);
    return Status();
  }
  if (depth == kMostNested) {
    return unimplemented(
        "The position of an iterator cannot be saved while it holds datasets or lists that are nested ", kMostNested,
        " times");
  }
  StateWriter part = state.inside(key);
  TINYTF_RETURN_IF_ERROR(put_sizes(part, "shape", value.shape().dims()));
  for (int64_t i = 0; i < value.num_elements(); ++i) {
    StateWriter one = part.inside(str_cat(i));
    TINYTF_RETURN_IF_ERROR(put_variant(one, value.data<Variant>()[i], depth + 1));
  }
  return Status();
}

Result<Tensor> get_nested(const StateReader& state, std::string_view key, int depth) {
  const StateReader part = state.inside(key);
  if (!part.has("shape")) return state.get(key);
  if (depth == kMostNested) return state.damaged(key, "is nested too deeply in");
  TINYTF_ASSIGN_OR_RETURN(const PartialShape sizes, get_shape(part, "shape"));
  TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(sizes.dims()));
  std::vector<Variant> values;
  for (int64_t i = 0; i < shape.num_elements(); ++i) {  // Ends at the first value that the state lacks.
    TINYTF_ASSIGN_OR_RETURN(Variant value, get_variant(part.inside(str_cat(i)), depth + 1));
    values.push_back(std::move(value));
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(Allocator::process(), DType::kVariant, shape));
  std::move(values.begin(), values.end(), tensor.data<Variant>());
  return tensor;
}

}  // namespace

Status put_value(StateWriter& state, std::string_view key, const Tensor& value) {
  return put_nested(state, key, value, 0);
}

Result<Tensor> get_value(const StateReader& state, std::string_view key) { return get_nested(state, key, 0); }

// Here, because states are below datasets.
Status StateWriter::put_element(std::string_view key, const Element& element) {
  StateWriter part = inside(key);
  part.put_int("components", static_cast<int64_t>(element.size()));
  for (size_t i = 0; i < element.size(); ++i) TINYTF_RETURN_IF_ERROR(put_value(part, str_cat(i), element[i]));
  return Status();
}

Result<Element> StateReader::get_element(std::string_view key, const ElementSpec& spec) const {
  const StateReader part = inside(key);
  const auto count = static_cast<int64_t>(spec.types.size());
  TINYTF_RETURN_IF_ERROR(part.get_int("components", count, count).status());
  Element element;
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, get_value(part, str_cat(i)));
    element.push_back(std::move(value));
  }
  if (const Status status = check_element(spec, element); !status.ok()) {
    return Status(Code::kDataLoss, str_cat("The saved position of the iterator does not match it: ", status.message()));
  }
  return element;
}

}  // namespace tinytf::data
