#pragma once

#include <string>
#include <utility>

#include "op/kernel.h"

namespace tinytf::ops {

/// Whether the buffer has no more than the value: not for a row of a batch, which keeps the whole batch alive.
inline bool fills_buffer(const Tensor& value) {
  size_t element = dtype_size(value.dtype());
  if (value.dtype() == DType::kString) element = sizeof(std::string);
  if (value.dtype() == DType::kResource) element = sizeof(ResourceHandle);
  if (value.dtype() == DType::kVariant) element = sizeof(Variant);
  return value.buffer()->size() <= static_cast<size_t>(value.num_elements()) * element;
}

/// Whether a value may be kept beyond its step as it is: its memory is nobody's who may change it later, and has no
/// more than the value.
inline bool may_be_kept(const Tensor& value) {
  return !value.buffer() || (value.buffer()->writable() && fills_buffer(value));
}

/// The value as it may be kept beyond its step, maybe a copy: what keeps it pays for its bytes alone.
inline Result<Tensor> kept_value(Allocator& allocator, Tensor value) {
  if (may_be_kept(value)) return std::move(value);
  return value.clone(allocator);
}
inline Result<Tensor> kept_value(const KernelContext& ctx, const Tensor& value) {
  return kept_value(ctx.allocator(), value);
}

/// Bytes that count against a limit of memory.
inline int64_t counted_bytes(const Tensor& value) { return static_cast<int64_t>(value.bytes()); }

}  // namespace tinytf::ops
