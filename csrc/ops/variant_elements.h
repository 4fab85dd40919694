#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/table.h"
#include "ops/dtype_lists.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// Limit of the nesting depth of values, because destroying and adding them is recursive.
constexpr int kMostVariantDepth = 100;

/// The depth of a value that holds this tensor. InvalidArgument beyond the limit.
inline Result<int> depth_around(const Tensor& tensor) {
  int depth = 0;
  if (tensor.dtype() == DType::kVariant) {
    for (int64_t i = 0; i < tensor.num_elements(); ++i) {
      const Variant& element = tensor.data<Variant>()[i];
      if (element.value) depth = std::max(depth, element.value->depth());
    }
  }
  if (depth < kMostVariantDepth) return depth + 1;
  return invalid_argument("Variants are nested too deeply: the limit is ", kMostVariantDepth, " levels");
}

/// The zeros (additive identities) of variants, element by element; an element without a value stays empty. Fails as
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

/// The sums of two tensors of variants with equal shapes, element by element; if one element has no value, the sum is
/// the other. Fails as VariantValue::plus.
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

inline bool is_number(DType dtype) { return std::find(kNumbers.begin(), kNumbers.end(), dtype) != kNumbers.end(); }

/// Zeros in the shape of a tensor held in a variant. InvalidArgument for dtypes without zeros.
inline Result<Tensor> zeros_of_value(const Tensor& x, Allocator& allocator) {
  if (x.dtype() == DType::kVariant) return zeros_like(x, allocator);
  if (x.dtype() != DType::kBool && !is_number(x.dtype())) {
    return invalid_argument("Trying to compute zeros_like for unsupported dtype ", dtype_name(x.dtype()));
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor zeros, Tensor::allocate(allocator, x.dtype(), x.shape()));
  if (zeros.bytes() > 0) std::memset(zeros.raw(), 0, zeros.bytes());
  return zeros;
}

/// Whether all bytes of a tensor of numbers or bools are zeros.
inline bool is_zeros(const Tensor& x) {
  const auto* bytes = static_cast<const uint8_t*>(x.raw());
  return std::all_of(bytes, bytes + x.bytes(), [](uint8_t byte) { return byte == 0; });
}

/// The sum of two tensors held in variants. InvalidArgument if the shapes differ or the dtype has no sum. Gradients of
/// bools are zeros, so bools are added only if both are zeros.
inline Result<Tensor> sum_of_values(const Tensor& x, const Tensor& y, Allocator& allocator) {
  if (x.shape() != y.shape()) {
    return invalid_argument("Trying to add two tensors with incompatible element shapes. One is ",
                            x.shape().to_string(), " and the other is ", y.shape().to_string());
  }
  if (x.dtype() == DType::kVariant) return sum_of(x, y, allocator);
  if (x.dtype() == DType::kBool && y.dtype() == DType::kBool && is_zeros(x) && is_zeros(y)) return x;
  if (!is_number(x.dtype())) {
    return invalid_argument("Trying to add unsupported dtype ", static_cast<int>(x.dtype()));
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor sum, Tensor::allocate(allocator, x.dtype(), x.shape()));
  const void* parts[] = {x.raw(), y.raw()};
  SerialParallel serial;
  kernels::run_add_n(kernels::table().elementwise, x.dtype(), parts, 2, sum.raw(), sum.num_elements(), serial);
  return sum;
}

}  // namespace tinytf::ops
