#pragma once

#include "tensor/tensor.h"

namespace tinytf::ops {

/// What is added to variants without effect, one by one. Where there is no value, there is none. Fails as
/// VariantValue::zeros_like.
inline Result<Tensor> zeros_like(const Tensor& variants, Allocator& allocator) {
  TINYTF_ASSIGN_OR_RETURN(Tensor zeros, Tensor::allocate(allocator, DType::kVariant, variants.shape()));
  for (int64_t i = 0; i < zeros.num_elements(); ++i) {
    const Variant& element = variants.data<Variant>()[i];
    if (!element.value) continue;
    TINYTF_ASSIGN_OR_RETURN(zeros.data<Variant>()[i], element.value->zeros_like(allocator));
  }
  return zeros;
}

/// The sums of two tensors of variants, which have one shape, one by one: where one has no value, the other's. Fails as
/// VariantValue::plus.
inline Result<Tensor> sum_of(const Tensor& a, const Tensor& b, Allocator& allocator) {
  TINYTF_ASSIGN_OR_RETURN(Tensor sum, Tensor::allocate(allocator, DType::kVariant, a.shape()));
  for (int64_t i = 0; i < sum.num_elements(); ++i) {
    const Variant& x = a.data<Variant>()[i];
    const Variant& y = b.data<Variant>()[i];
    if (!x.value || !y.value) {
      sum.data<Variant>()[i] = x.value ? x : y;
    } else {
      TINYTF_ASSIGN_OR_RETURN(sum.data<Variant>()[i], x.value->plus(*y.value, allocator));
    }
  }
  return sum;
}

}  // namespace tinytf::ops
