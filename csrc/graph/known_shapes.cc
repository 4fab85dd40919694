#include "graph/known_shapes.h"

#include <algorithm>
#include <limits>

namespace tinytf {

namespace {

std::optional<Tensor> ints(DType dtype, const std::vector<int64_t>& values, const Shape& shape) {
  const bool is_wide = dtype == DType::kInt64;
  if (!is_wide && std::any_of(values.begin(), values.end(),
                              [](int64_t value) { return value > std::numeric_limits<int32_t>::max(); })) {
    return std::nullopt;
  }
  Result<Tensor> tensor = Tensor::allocate(Allocator::process(), dtype, shape);
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

std::optional<Tensor> value_of_shape(const std::string& op, const PartialShape& shape, DType dtype) {
  if (op == "Rank") {
    if (!shape.known_rank()) return std::nullopt;
    return ints(dtype, {shape.rank()}, Shape());
  }
  if (!shape.fully_defined()) return std::nullopt;
  if (op == "Size") return ints(dtype, {shape.num_elements()}, Shape());
  return ints(dtype, {shape.dims().begin(), shape.dims().end()}, Shape({shape.rank()}));
}

}  // namespace

std::optional<std::vector<Tensor>> values_of_shapes(const Node& node) {
  const std::string& op = node.op_name();
  if (op != "Shape" && op != "Size" && op != "Rank" && op != "ShapeN") return std::nullopt;
  std::vector<Tensor> values;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Endpoint input = node.inputs[i];
    auto value = value_of_shape(op, input.node->output_shapes[input.index], node.info->outputs[i].dtype);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace tinytf
