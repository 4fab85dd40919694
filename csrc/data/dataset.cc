#include "data/dataset.h"

#include <algorithm>
#include <utility>

namespace tinytf::data {

namespace {

int levels_of(const VariantValue& value) {
  const auto* dataset = dynamic_cast<const Dataset*>(&value);
  return dataset != nullptr ? dataset->levels() : value.depth() * Dataset::kLevelsPerDepth;
}

}  // namespace

Result<int> Dataset::levels_around(const std::vector<Tensor>& inputs) {
  int levels = 0;
  for (const Tensor& input : inputs) {
    if (input.dtype() != DType::kVariant) continue;
    for (int64_t i = 0; i < input.num_elements(); ++i) {
      if (const Variant& variant = input.data<Variant>()[i]; variant.value) {
        levels = std::max(levels, levels_of(*variant.value));
      }
    }
  }
  if (levels < kMostLevels) return levels + 1;
  return invalid_argument("Datasets are nested too deeply: the limit is ", kMostLevels, " levels");
}

Result<const Dataset*> dataset_of(const Tensor& tensor) {
  if (tensor.dtype() != DType::kVariant || tensor.rank() != 0) {
    return invalid_argument("Dataset tensor must be a scalar of dtype DT_VARIANT.");
  }
  const Dataset* dataset = tensor.data<Variant>()->get<Dataset>();
  if (dataset == nullptr) return invalid_argument("Tensor must be a Dataset object.");
  return dataset;
}

Result<Tensor> tensor_of(RefPtr<const Dataset> dataset) {
  TINYTF_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(Allocator::process(), DType::kVariant, Shape()));
  tensor.data<Variant>()->value = std::move(dataset);
  return tensor;
}

}  // namespace tinytf::data
