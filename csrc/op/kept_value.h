#pragma once

#include <string>
#include <vector>

#include "op/kernel.h"

namespace tinytf {

/// Whether the buffer holds nothing but the value. A row of a batch, for example, keeps the whole batch alive.
inline bool fills_buffer(const Tensor& value) {
  size_t element = dtype_size(value.dtype());
  if (value.dtype() == DType::kString) element = sizeof(std::string);
  if (value.dtype() == DType::kResource) element = sizeof(ResourceHandle);
  if (value.dtype() == DType::kVariant) element = sizeof(Variant);
  return value.buffer()->size() <= static_cast<size_t>(value.num_elements()) * element;
}

/// Whether a value may be kept beyond its step without a copy: its memory is not changed later by another owner, and
/// its buffer holds nothing else.
inline bool may_be_kept(const Tensor& value) {
  return !value.buffer() || (value.buffer()->writable() && fills_buffer(value));
}

/// The value in a form that may be kept beyond its step, copied if necessary, so that it does not keep more memory
/// alive than its own.
inline Result<Tensor> kept_value(const KernelContext& ctx, const Tensor& value) {
  if (may_be_kept(value)) return value;
  return value.clone(ctx.allocator());
}

/// Rows of a batch, without dimension 0, in a form that may be kept beyond the step. The batch must outlive this
/// object.
class KeptRows {
 public:
  explicit KeptRows(const Tensor& batch)
      : batch_(&batch), shape_(batch.shape()), shares_(batch.dim(0) == 1 && may_be_kept(batch)) {
    shape_.remove_dim(0);
    elements_ = shape_.num_elements();
  }
  /// Row i, which must be in range.
  Result<Tensor> row(Allocator& allocator, int64_t i) const {
    if (shares_ || elements_ == 0) return batch_->view(i * elements_, shape_);
    TINYTF_ASSIGN_OR_RETURN(Tensor copy, Tensor::allocate(allocator, batch_->dtype(), shape_));
    copy_elements(*batch_, i * elements_, copy, 0, elements_);
    return copy;
  }

 private:
  const Tensor* batch_;
  Shape shape_;
  int64_t elements_;
  bool shares_;
};

/// Number of bytes that count against a memory limit.
inline int64_t counted_bytes(const Tensor& value) { return static_cast<int64_t>(value.bytes()); }
/// The sum over the values of a tuple.
inline int64_t counted_bytes(const std::vector<Tensor>& tuple) {
  int64_t bytes = 0;
  for (const Tensor& value : tuple) bytes += counted_bytes(value);
  return bytes;
}

}  // namespace tinytf
