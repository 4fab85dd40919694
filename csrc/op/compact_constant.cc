#include "op/compact_constant.h"

#include <algorithm>
#include <cstring>

#include "base/str_cat.h"

namespace tinytf {

namespace {

/// Fills `bytes` bytes at `begin` with copies of the first `unit` bytes.
void repeat(char* begin, size_t unit, size_t bytes) {
  for (size_t done = unit; done < bytes;) {
    const size_t step = std::min(done, bytes - done);
    std::memcpy(begin + done, begin, step);
    done += step;
  }
}

}  // namespace

Result<CompactConstant> CompactConstant::make(Tensor elements, const Shape& shape) {
  TINYTF_ASSIGN_OR_RETURN(Shape checked, Shape::checked(shape.dims()));
  if (elements.rank() != 1 || elements.num_elements() > checked.num_elements()) {
    return invalid_argument("A constant of shape ", checked.to_string(), " cannot be made of elements of shape ",
                            elements.shape().to_string());
  }
  return CompactConstant(std::move(elements), std::move(checked));
}

std::optional<CompactConstant> CompactConstant::of(const AttrValue& value) {
  const auto* parts = std::get_if<std::vector<Tensor>>(&value);
  if (parts == nullptr || parts->size() != 2) return std::nullopt;
  const Tensor& sizes = (*parts)[1];
  if (sizes.dtype() != DType::kInt64 || sizes.rank() != 1) return std::nullopt;
  Dims dims;
  for (int64_t i = 0; i < sizes.num_elements(); ++i) dims.push_back(sizes.data<int64_t>()[i]);
  auto constant = make((*parts)[0], Shape(std::move(dims)));
  if (!constant.ok()) return std::nullopt;
  return constant.take();
}

AttrValue CompactConstant::attr() const {
  Tensor sizes = Tensor::allocate(Allocator::process(), DType::kInt64, Shape({shape_.rank()})).take();
  std::copy_n(shape_.dims().begin(), shape_.rank(), sizes.data<int64_t>());
  return std::vector<Tensor>{elements_, std::move(sizes)};
}

Result<Tensor> CompactConstant::materialise(Allocator& allocator) const {
  TINYTF_ASSIGN_OR_RETURN(Tensor value, Tensor::allocate(allocator, dtype(), shape_));
  const int64_t given = elements_.num_elements();
  const int64_t count = shape_.num_elements();
  if (dtype() == DType::kString) {
    if (given == 0) return value;
    const std::string* from = elements_.data<std::string>();
    for (int64_t i = 0; i < count; ++i) value.data<std::string>()[i] = from[std::min(i, given - 1)];
    return value;
  }
  const size_t size = dtype_size(dtype());
  char* to = static_cast<char*>(value.raw());
  if (given == 0) {
    std::memset(to, 0, value.bytes());
    return value;
  }
  std::memcpy(to, elements_.raw(), elements_.bytes());
  const size_t last = elements_.bytes() - size;
  repeat(to + last, size, value.bytes() - last);
  return value;
}

}  // namespace tinytf
