#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "op/kernel.h"
#include "ops/variant_elements.h"

namespace tinytf::ops {

/// A tuple of tensors; without tensors, the empty optional. A variant without a value is the empty optional too.
class Optional final : public VariantValue {
 public:
  explicit Optional(std::vector<Tensor> values, int depth = 1) : values_(std::move(values)), depth_(depth) {}

  const std::vector<Tensor>& values() const { return values_; }
  std::string type_name() const override { return "tensorflow::OptionalVariant"; }
  std::string debug_string() const override { return str_cat("Optional of ", values_.size(), " tensors"); }
  int64_t bytes() const override {
    int64_t sum = 0;
    for (const Tensor& value : values_) sum += static_cast<int64_t>(value.bytes());
    return sum;
  }
  int depth() const override { return depth_; }
  Result<Variant> zeros_like(Allocator& allocator) const override {
    std::vector<Tensor> zeros(values_.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(zeros[i], zeros_of_value(values_[i], allocator));
    }
    return Variant{make_ref<Optional>(std::move(zeros), depth_)};
  }
  Result<Variant> plus(const VariantValue& other, Allocator& allocator) const override {
    const auto* optional = dynamic_cast<const Optional*>(&other);
    if (optional == nullptr) {
      return invalid_argument("Trying to add an optional and a value of type ", other.type_name());
    }
    if (values_.empty() != optional->values_.empty()) {
      return invalid_argument("Cannot add optionals because one has a value and the other doesn't.");
    }
    if (values_.size() != optional->values_.size()) {
      return invalid_argument("Cannot add optionals because they have different numbers of components (",
                              values_.size(), " vs. ", optional->values_.size(), ").");
    }
    std::vector<Tensor> sums(values_.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].dtype() != optional->values_[i].dtype()) {
        return invalid_argument("Trying to add two optionals of ", dtype_name(values_[i].dtype()), " and ",
                                dtype_name(optional->values_[i].dtype()));
      }
      TINYTF_ASSIGN_OR_RETURN(sums[i], sum_of_values(values_[i], optional->values_[i], allocator));
    }
    return Variant{make_ref<Optional>(std::move(sums), std::max(depth_, optional->depth_))};
  }

 private:
  const std::vector<Tensor> values_;
  const int depth_;
};

/// Sets output i to an optional of the tensors; without tensors, to an empty one. InvalidArgument if values are nested
/// too deeply.
inline Status set_optional_output(KernelContext& ctx, int i, std::vector<Tensor> values) {
  int depth = 1;
  for (const Tensor& value : values) {
    TINYTF_ASSIGN_OR_RETURN(const int around, depth_around(value));
    depth = std::max(depth, around);
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, Shape()));
  out->data<Variant>()->value = make_ref<Optional>(std::move(values), depth);
  return Status();
}

}  // namespace tinytf::ops
