#pragma once

#include <cstdint>
#include <string>

#include "base/dtype.h"
#include "base/read_once.h"
#include "base/ref_ptr.h"
#include "base/status.h"
#include "tensor/allocator.h"
#include "tensor/buffer.h"
#include "tensor/resource_handle.h"
#include "tensor/shape.h"
#include "tensor/variant.h"

namespace tinytf {

/// A typed, dense, row-major view into a shared Buffer. Copying a Tensor shares the buffer. The data pointer may have
/// any alignment (slices, fed arrays): kernels load unaligned. Elements of string, resource and variant tensors are
/// std::string, ResourceHandle and Variant objects.
class Tensor {
 public:
  /// An invalid tensor, without a value.
  Tensor() = default;
  Tensor(DType dtype, Shape shape, RefPtr<Buffer> buffer)
      : Tensor(dtype, std::move(shape), std::move(buffer), nullptr) {}
  /// A view that starts at the address `data` in `buffer`, or at its beginning if `data` is null.
  Tensor(DType dtype, Shape shape, RefPtr<Buffer> buffer, void* data)
      : buffer_(std::move(buffer)), data_(data ? data : buffer_->data()), shape_(std::move(shape)), dtype_(dtype) {}

  /// Allocates a tensor with undefined contents (objects are default-constructed). InvalidArgument if Shape::checked
  /// rejects the shape, ResourceExhausted if memory is exhausted or the size exceeds that of any machine.
  static Result<Tensor> allocate(Allocator& allocator, DType dtype, const Shape& shape);
  /// A scalar allocated by the process allocator.
  template <class T>
  static Tensor scalar(T value);
  static Tensor scalar(std::string value);

  bool valid() const { return dtype_ != DType::kInvalid; }
  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  int64_t dim(int i) const { return shape_.dim(i); }
  int64_t num_elements() const {
    int64_t n = 1;  // no overflow: the shape of a tensor was checked
    for (const int64_t d : shape_.dims()) n *= d;
    return n;
  }
  size_t bytes() const { return static_cast<size_t>(num_elements()) * dtype_size(dtype_); }

  void* raw() { return data_; }
  const void* raw() const { return data_; }
  /// The elements; T must be the C++ type of dtype().
  template <class T>
  T* data() {
    return static_cast<T*>(data_);
  }
  template <class T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  const RefPtr<Buffer>& buffer() const { return buffer_; }
  /// True if this Tensor is the only owner of its memory and the memory is writable.
  bool writable_in_place() const { return buffer_ && buffer_->unique() && buffer_->writable(); }

  /// The same elements with another shape. Aborts unless the element counts are equal: the caller has to check that.
  Tensor reshaped(Shape shape) const;
  /// A view of shape `shape` whose first element is element `begin`, sharing the buffer. InvalidArgument unless all its
  /// elements exist in this tensor.
  Result<Tensor> view(int64_t begin, Shape shape) const;
  /// Rows [begin, end) of dimension 0, sharing the buffer. InvalidArgument if there are no such rows.
  Result<Tensor> rows(int64_t begin, int64_t end) const;
  /// The same bytes as another dtype of fixed size, sharing the buffer. InvalidArgument if this tensor's dtype has no
  /// fixed size or the byte counts differ.
  Result<Tensor> bitcast(DType dtype, Shape shape) const;
  /// A copy in newly allocated memory.
  Result<Tensor> clone(Allocator& allocator) const;

  /// Element i, which must exist, of an int32 or int64 tensor. It is loaded once (see read_once).
  int64_t int_at(int64_t i) const {
    return dtype_ == DType::kInt64 ? read_once(data<int64_t>() + i) : int64_t{read_once(data<int32_t>() + i)};
  }
  /// Dtype, shape and the first values, for messages and GraphDef texts.
  std::string summary(int64_t max_values = 3) const;

 private:
  RefPtr<Buffer> buffer_;
  void* data_ = nullptr;
  Shape shape_;
  DType dtype_ = DType::kInvalid;
};

/// ResourceExhausted, with a message about a tensor of that dtype and shape.
Status out_of_memory(DType dtype, const Shape& shape);

/// Copies n elements between tensors of one dtype whose memory does not overlap, from src + src_begin to dst +
/// dst_begin.
void copy_elements(const Tensor& src, int64_t src_begin, Tensor& dst, int64_t dst_begin, int64_t n);

template <class T>
Tensor Tensor::scalar(T value) {
  Result<Tensor> tensor = allocate(Allocator::process(), dtype_of<T>, Shape());
  TINYTF_CHECK(tensor.ok());
  *tensor.value().template data<T>() = value;
  return tensor.take();
}

}  // namespace tinytf
