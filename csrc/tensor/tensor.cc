#include "tensor/tensor.h"

#include "tensor/object_buffer.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tinytf {

namespace {

size_t element_size(DType dtype) {
  if (dtype == DType::kString) return sizeof(std::string);
  if (dtype == DType::kResource) return sizeof(ResourceHandle);
  if (dtype == DType::kVariant) return sizeof(Variant);
  return dtype_size(dtype);
}

/// Allocates memory for the elements; null if memory is exhausted or the shape is invalid.
RefPtr<Buffer> allocate_elements(Allocator& allocator, DType dtype, const Shape& shape) {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 46;  // more than any machine has; products up to it do not overflow
  constexpr int64_t kMaxSize = std::numeric_limits<int64_t>::max();
  const uint64_t element = element_size(dtype);
  const int64_t n = shape.num_elements();
  if (n < 0 || shape.rank() > Shape::kMaxRank) return nullptr;
  if (element > 0 && static_cast<uint64_t>(n) > kMaxBytes / element) return nullptr;
  // Loops compute the bytes of a row even if there are no rows, so that product must not overflow.
  if (n == 0 && shape.extent() > kMaxSize / static_cast<int64_t>(std::max<uint64_t>(element, 1))) return nullptr;
  if (dtype == DType::kString) return ObjectBuffer<std::string>::make(n, &allocator);
  if (dtype == DType::kResource) return ObjectBuffer<ResourceHandle>::make(n, &allocator);
  if (dtype == DType::kVariant) return ObjectBuffer<Variant>::make(n, &allocator);
  return allocator.allocate(n * element);
}

}  // namespace

Status out_of_memory(DType dtype, const Shape& shape) {
  return Status(Code::kResourceExhausted,
                str_cat("OOM when allocating tensor with shape", shape.to_string(), " and type ", dtype_name(dtype),
                        " on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"));
}

Result<Tensor> Tensor::allocate(Allocator& allocator, DType dtype, const Shape& shape) {
  RefPtr<Buffer> buffer = allocate_elements(allocator, dtype, shape);
  if (!buffer) {
    TINYTF_RETURN_IF_ERROR(shape.check());
    return out_of_memory(dtype, shape);
  }
  return Tensor(dtype, shape, std::move(buffer));
}

Tensor Tensor::scalar(std::string value) {
  RefPtr<Buffer> buffer = ObjectBuffer<std::string>::make(1);
  TINYTF_CHECK(buffer);
  *static_cast<std::string*>(buffer->data()) = std::move(value);
  return Tensor(DType::kString, Shape(), std::move(buffer));
}

Tensor Tensor::reshaped(Shape shape) const {
  TINYTF_CHECK(shape.num_elements() == num_elements());
  return Tensor(dtype_, std::move(shape), buffer_, data_);
}

Result<Tensor> Tensor::view(int64_t begin, Shape shape) const {
  TINYTF_RETURN_IF_ERROR(shape.check());
  const Size end = Size(begin) + shape.num_elements();
  if (begin < 0 || !end.within(begin, num_elements())) {
    return invalid_argument("A view of shape ", shape.to_string(), " from element ", begin,
                            " exceeds the tensor of shape ", shape_.to_string());
  }
  return Tensor(dtype_, std::move(shape), buffer_,
                static_cast<char*>(data_) + static_cast<size_t>(begin) * element_size(dtype_));
}

Result<Tensor> Tensor::rows(int64_t begin, int64_t end) const {
  if (rank() == 0 || begin < 0 || begin > end || end > dim(0)) {
    return invalid_argument("Rows [", begin, ", ", end, ") are out of range for a tensor of shape ",
                            shape_.to_string());
  }
  Shape shape = shape_;
  shape.set_dim(0, end - begin);
  return view(begin * shape_.product(1, rank()), std::move(shape));
}

Result<Tensor> Tensor::bitcast(DType dtype, Shape shape) const {
  TINYTF_RETURN_IF_ERROR(shape.check());
  const Size bytes = Size(shape.num_elements()) * static_cast<int64_t>(dtype_size(dtype));
  if (dtype_size(dtype_) == 0 || !bytes.ok() || bytes.value() != static_cast<int64_t>(this->bytes())) {
    return invalid_argument("Cannot bitcast from ", dtype_name(dtype_), " ", shape_.to_string(), " to ",
                            dtype_name(dtype), " ", shape.to_string());
  }
  return Tensor(dtype, std::move(shape), buffer_, data_);
}

Result<Tensor> Tensor::clone(Allocator& allocator) const {
  TINYTF_ASSIGN_OR_RETURN(Tensor copy, allocate(allocator, dtype_, shape_));
  copy_elements(*this, 0, copy, 0, num_elements());
  return copy;
}

void copy_elements(const Tensor& src, int64_t src_begin, Tensor& dst, int64_t dst_begin, int64_t n) {
  if (n == 0) return;
  if (src.dtype() == DType::kString) {
    std::copy_n(src.data<std::string>() + src_begin, n, dst.data<std::string>() + dst_begin);
  } else if (src.dtype() == DType::kResource) {
    std::copy_n(src.data<ResourceHandle>() + src_begin, n, dst.data<ResourceHandle>() + dst_begin);
  } else if (src.dtype() == DType::kVariant) {
    std::copy_n(src.data<Variant>() + src_begin, n, dst.data<Variant>() + dst_begin);
  } else {
    const size_t element = dtype_size(src.dtype());
    std::memcpy(dst.data<char>() + dst_begin * element, src.data<char>() + src_begin * element, n * element);
  }
}

namespace {

std::string element_text(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
#define TINYTF_X(constant, number, name, type)                              \
  case DType::constant: {                                                   \
    const type value = tensor.data<type>()[i];                              \
    return [](auto v) {                                                     \
      using T = decltype(v);                                                \
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) \
        return str_cat(static_cast<float>(v));                              \
      else if constexpr (std::is_arithmetic_v<T>)                           \
        return str_cat(v);                                                  \
      else                                                                  \
        return str_cat("(", v.real(), ",", v.imag(), ")");                  \
    }(value);                                                               \
  }
    TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
    case DType::kString: return tensor.data<std::string>()[i];
    case DType::kVariant: return tensor.data<Variant>()[i].debug_string();
    default: return "?";
  }
}

}  // namespace

std::string Tensor::summary(int64_t max_values) const {
  if (!valid()) return "<no value>";
  std::string text = str_cat("<", dtype_name(dtype_), " ", shape_.to_string(), ":");
  const int64_t shown = std::min(num_elements(), max_values);
  for (int64_t i = 0; i < shown; ++i) text += str_cat(" ", element_text(*this, i));
  return text + (shown < num_elements() ? " ...>" : ">");
}

}  // namespace tinytf
