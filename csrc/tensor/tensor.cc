#include "tensor/tensor.h"

#include <algorithm>
#include <cstring>

namespace tinytf {

namespace {

size_t element_size(DType dtype) {
  if (dtype == DType::kString) return sizeof(std::string);
  if (dtype == DType::kResource) return sizeof(ResourceHandle);
  return dtype_size(dtype);
}

/// Memory for n elements, or null when there is none.
RefPtr<Buffer> allocate_elements(Allocator& allocator, DType dtype, int64_t n) {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 46;  // more than any machine has; products up to it do not overflow
  const uint64_t element = element_size(dtype);
  if (n < 0 || (element > 0 && static_cast<uint64_t>(n) > kMaxBytes / element)) return nullptr;
  if (dtype == DType::kString) return ObjectBuffer<std::string>::make(n, &allocator);
  if (dtype == DType::kResource) return ObjectBuffer<ResourceHandle>::make(n, &allocator);
  return allocator.allocate(n * element);
}

}  // namespace

Status out_of_memory(DType dtype, const Shape& shape) {
  return Status(Code::kResourceExhausted,
                str_cat("OOM when allocating tensor with shape", shape.to_string(), " and type ", dtype_name(dtype),
                        " on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"));
}

Result<Tensor> Tensor::allocate(Allocator& allocator, DType dtype, const Shape& shape) {
  RefPtr<Buffer> buffer = allocate_elements(allocator, dtype, shape.num_elements());
  if (!buffer) return out_of_memory(dtype, shape);
  return Tensor(dtype, shape, std::move(buffer));
}

Tensor Tensor::scalar(std::string value) {
  RefPtr<Buffer> buffer = ObjectBuffer<std::string>::make(1);
  TINYTF_CHECK(buffer);
  *static_cast<std::string*>(buffer->data()) = std::move(value);
  return Tensor(DType::kString, Shape(), std::move(buffer));
}

Tensor Tensor::rows(int64_t begin, int64_t end) const {
  Shape shape = shape_;
  shape.set_dim(0, end - begin);
  const int64_t row = shape_.product(1, rank());
  return Tensor(dtype_, std::move(shape), buffer_, static_cast<char*>(data_) + begin * row * element_size(dtype_));
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
