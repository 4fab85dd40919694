#include "tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tinytf {

namespace {

size_t element_size(DType dtype) {
  if (dtype == DType::kString) return sizeof(std::string);
  if (dtype == DType::kResource) return sizeof(ResourceHandle);
  return dtype_size(dtype);
}

/// Memory for the elements, or null when there is none or the shape is none.
RefPtr<Buffer> allocate_elements(Allocator& allocator, DType dtype, const Shape& shape) {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 46;  // more than any machine has; products up to it do not overflow
  constexpr int64_t kMaxSize = std::numeric_limits<int64_t>::max();
  const uint64_t element = element_size(dtype);
  const int64_t n = shape.num_elements();
  if (n < 0 || shape.rank() > Shape::kMaxRank) return nullptr;
  if (element > 0 && static_cast<uint64_t>(n) > kMaxBytes / element) return nullptr;
  // Loops count bytes of rows also where there is no row.
  if (n == 0 && shape.extent() > kMaxSize / static_cast<int64_t>(std::max<uint64_t>(element, 1))) return nullptr;
  if (dtype == DType::kString) return ObjectBuffer<std::string>::make(n, &allocator);
  if (dtype == DType::kResource) return ObjectBuffer<ResourceHandle>::make(n, &allocator);
  if (n < 0 || (element > 0 && static_cast<uint64_t>(n) > kMaxBytes / element)) return nullptr;
  if (dtype == DType::kString) return ObjectBuffer<std::string>::make(n, &allocator);
  if (dtype == DType::kResource) return ObjectBuffer<ResourceHandle>::make(n, &allocator);
  RefPtr<Buffer> buffer = allocate_elements(allocator, dtype, shape);
  if (!buffer) {
    TINYTF_RETURN_IF_ERROR(shape.check());
    return out_of_memory(dtype, shape);
  }
  RefPtr<Buffer> buffer = allocate_elements(allocator, dtype, shape.num_elements());
  if (!buffer) return out_of_memory(dtype, shape);
