#include "python/eager_op.h"

#include <algorithm>

#include "python/errors.h"

namespace tinytf::python {

namespace {

uint64_t hash_of(const EagerInputs& inputs) {
  uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  for (const EagerTensorObject* tensor : inputs.tensors) add(static_cast<uint64_t>(tensor->handle->dtype()));
  for (int group : inputs.groups) add(1000 + static_cast<uint64_t>(group));
  return hash;
}

bool same_inputs(const EagerOp::Variant& variant, const EagerInputs& inputs) {
  if (variant.types.size() != inputs.tensors.size() ||
      !std::equal(variant.groups.begin(), variant.groups.end(), inputs.groups.begin(), inputs.groups.end())) {
    return false;
  }
  for (size_t i = 0; i < inputs.tensors.size(); ++i) {
    if (inputs.tensors[i]->handle->dtype() != variant.types[i]) return false;
  }
  return true;
}

/// Whether the kernel has a queue or variable of its own: it serves one operation only.
bool makes_resource(const NodeInfo& node) {
  return node.op->is_stateful && std::any_of(node.outputs.begin(), node.outputs.end(),
                                             [](const auto& o) { return o.dtype == DType::kResource; });
}

}  // namespace

EagerOp::EagerOp(const OpDef& def) : def_(def) {}

bool EagerOp::flatten(PyObject* inputs, EagerInputs& flat) const {
  const bool has_list = std::any_of(def_.inputs.begin(), def_.inputs.end(), [](auto& arg) { return arg.is_list(); });
  const Py_ssize_t count = PyTuple_GET_SIZE(inputs);
  if (static_cast<size_t>(count) != def_.inputs.size()) {
    throw py::type_error(str_cat(def_.name, " takes ", def_.inputs.size(), " inputs, not ", count));
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* value = PyTuple_GET_ITEM(inputs, i);
    if (!def_.inputs[i].is_list()) {
      if (!is_eager_tensor(value)) return false;
      flat.tensors.push_back(as_eager_tensor(value));
      if (has_list) flat.groups.push_back(1);
      continue;
    }
    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return false;
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(value);
    for (Py_ssize_t k = 0; k < size; ++k) {
      PyObject* item = PySequence_Fast_GET_ITEM(value, k);
      if (!is_eager_tensor(item)) return false;
      flat.tensors.push_back(as_eager_tensor(item));
      if (PyList_CheckExact(value)) {
        Py_INCREF(item);
        flat.owned.push_back(item);
      }
    }
    flat.groups.push_back(static_cast<int>(size));
  }
  return true;
}

EagerKernel* EagerOp::find(const EagerInputs& inputs, PyObject* attrs) const {
  const uint64_t hash = hash_of(inputs);
  for (const Variant& variant : variants_) {
    if (variant.hash == hash && same_inputs(variant, inputs) && same_attrs(variant.attrs, attrs)) {
      return variant.kernel.get();
    }
  }
  return nullptr;
}

RefPtr<EagerKernel> EagerOp::make(const EagerInputs& inputs, AttrMap checked, PyObject* attrs) {
  NodeInfo node;
  node.name = def_.name;
  node.op = &def_;
  node.attrs = std::move(checked);
  Variant variant;
  for (const EagerTensorObject* tensor : inputs.tensors) {
    node.inputs.push_back({tensor->handle->dtype(), false});
    variant.types.push_back(tensor->handle->dtype());
  }
  variant.groups.assign(inputs.groups.begin(), inputs.groups.end());
  variant.hash = hash_of(inputs);
  RefPtr<EagerKernel> kernel = value_or_throw(EagerKernel::make(std::move(node), variant.groups));
  if (makes_resource(kernel->node()) || !freeze(attrs, variant.attrs)) return kernel;
  if (RandomSequences::has_sequence(*kernel)) kernel = sequences_.resumed(std::move(kernel));
  variant.kernel = kernel;
  keep(std::move(variant));
  return kernel;
}

void EagerOp::keep(Variant variant) {
  if (variants_.size() < kMostVariants) {
    variants_.push_back(std::move(variant));
    return;
  }
  std::swap(variants_[next_victim_++ % kMostVariants], variant);
  if (RandomSequences::has_sequence(*variant.kernel)) sequences_.keep(std::move(variant.kernel));
}

}  // namespace tinytf::python
