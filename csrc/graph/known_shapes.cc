#include "graph/known_shapes.h"

#include <algorithm>
#include <limits>

namespace tinytf {

namespace {

std::optional<Tensor> ints(DType dtype, const ShapeFact& fact) {
  const std::vector<int64_t>& values = fact.values;
  const bool is_wide = dtype == DType::kInt64;
  if (!is_wide && std::any_of(values.begin(), values.end(),
                              [](int64_t value) { return value > std::numeric_limits<int32_t>::max(); })) {
    return std::nullopt;
  }
  Result<Tensor> tensor = Tensor::allocate(Allocator::process(), dtype, fact.shape);
  if (!tensor.ok()) return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    if (is_wide) {
      tensor.value().data<int64_t>()[i] = values[i];
    } else {
      tensor.value().data<int32_t>()[i] = static_cast<int32_t>(values[i]);
    }
  }
  return tensor.take();
}

}  // namespace

std::optional<std::vector<Tensor>> values_of_shapes(const Node& node) {
  const ShapeFactFn fact_of = node.info->op->shape_fact_fn;
  if (fact_of == nullptr) return std::nullopt;
  std::vector<Tensor> values;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Endpoint input = node.inputs[i];
    const std::optional<ShapeFact> fact = fact_of(input.node->output_shapes[input.index]);
    if (!fact) return std::nullopt;
    auto value = ints(node.info->outputs[i].dtype, *fact);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace tinytf
