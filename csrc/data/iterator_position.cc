#include "data/iterator_position.h"

#include <string_view>
#include <utility>

namespace tinytf::data {

namespace {

constexpr std::string_view kEndOfKey = "@@";

VariantParts parts_of(const VariantValue& value) {
  VariantParts parts;
  for (const auto& [key, tensor] : static_cast<const IteratorPosition&>(value).state()) {
    parts.metadata += key;
    parts.metadata += kEndOfKey;
    parts.tensors.push_back(tensor);
  }
  return parts;
}

Result<Variant> value_of(VariantParts parts) {
  IteratorState state;
  std::string_view rest = parts.metadata;
  for (Tensor& tensor : parts.tensors) {
    const size_t end = rest.find(kEndOfKey);
    if (end == std::string_view::npos) return damaged_variant();
    if (tensor.dtype() == DType::kVariant || tensor.dtype() == DType::kResource) return damaged_variant();
    if (!state.emplace(rest.substr(0, end), std::move(tensor)).second) return damaged_variant();
    rest.remove_prefix(end + kEndOfKey.size());
  }
  if (!rest.empty()) return damaged_variant();
  return Variant{make_ref<IteratorPosition>(std::move(state))};
}

}  // namespace

int64_t IteratorPosition::bytes() const {
  int64_t sum = 0;
  for (const auto& [key, tensor] : state_) sum += static_cast<int64_t>(key.size() + tensor.bytes());
  return sum;
}

VariantForm iterator_position_form() { return {parts_of, value_of}; }

}  // namespace tinytf::data
