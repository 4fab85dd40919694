#include "tensor/tensor.h"

#include <algorithm>
#include <cstring>

namespace tinytf {

Result<Tensor> Tensor::allocate(Allocator& allocator, DType dtype, const Shape& shape) {
  const int64_t n = shape.num_elements();
  RefPtr<Buffer> buffer;
  if (dtype == DType::kString) {
    buffer = make_ref<ObjectBuffer<std::string>>(n);
  } else if (dtype == DType::kResource) {
    buffer = make_ref<ObjectBuffer<ResourceHandle>>(n);
  } else {
    buffer = allocator.allocate(static_cast<size_t>(n) * dtype_size(dtype));
  }
  if (!buffer) {
    return Status(Code::kResourceExhausted,
                  str_cat("OOM when allocating tensor with shape", shape.to_string(), " and type ", dtype_name(dtype),
                          " on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"));
  }
  return Tensor(dtype, shape, std::move(buffer));
}

Tensor Tensor::scalar(std::string value) {
  auto buffer = make_ref<ObjectBuffer<std::string>>(1);
  *static_cast<std::string*>(buffer->data()) = std::move(value);
  return Tensor(DType::kString, Shape(), std::move(buffer));
}

Tensor Tensor::rows(int64_t begin, int64_t end) const {
  Shape shape = shape_;
  shape.set_dim(0, end - begin);
  size_t element = dtype_size(dtype_);
  if (dtype_ == DType::kString) element = sizeof(std::string);
  if (dtype_ == DType::kResource) element = sizeof(ResourceHandle);
  const int64_t row = shape_.product(1, rank());
  return Tensor(dtype_, std::move(shape), buffer_, static_cast<char*>(data_) + begin * row * element);
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
