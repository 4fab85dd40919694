#pragma once

#include "op/kernel.h"

namespace tinytf::ops {

/// The value as it may be kept beyond its step: a copy where its memory is somebody's who may change it later.
inline Result<Tensor> kept_value(const KernelContext& ctx, const Tensor& value) {
  if (!value.buffer() || value.buffer()->writable()) return value;
  return value.clone(ctx.allocator());
}

/// Bytes that count against a limit of memory.
inline int64_t counted_bytes(const Tensor& value) { return static_cast<int64_t>(value.bytes()); }

}  // namespace tinytf::ops
