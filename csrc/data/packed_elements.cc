#include "data/packed_elements.h"

#include <cstring>

namespace tinytf::data {

namespace {

/// A copy of a constant size where that is the common one: a call of memcpy costs more than the copy.
void copy_bytes(void* to, const void* from, size_t bytes) {
  if (bytes == sizeof(int64_t)) {
    std::memcpy(to, from, sizeof(int64_t));
  } else if (bytes > 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace

std::optional<PackedLayout> PackedLayout::of(const Element& element) {
  PackedLayout layout;
  for (const Tensor& tensor : element) {
    if (!tensor.valid() || is_object(tensor.dtype())) return std::nullopt;
    const size_t bytes = tensor.bytes();
    if (bytes > kMostBytes - layout.row_bytes_) return std::nullopt;
    layout.components_.push_back({tensor.dtype(), tensor.shape(), bytes});
    layout.row_bytes_ += bytes;
  }
  if (layout.row_bytes_ == 0) return std::nullopt;
  return layout;
}

bool PackedLayout::fits(const Element& element) const {
  if (element.size() != components_.size()) return false;
  for (size_t i = 0; i < element.size(); ++i) {
    if (element[i].dtype() != components_[i].type || element[i].shape() != components_[i].shape) return false;
  }
  return true;
}

void PackedLayout::pack(const Element& element, std::byte* row) const {
  for (size_t i = 0; i < components_.size(); ++i) {
    copy_bytes(row, element[i].raw(), components_[i].bytes);
    row += components_[i].bytes;
  }
}

Status PackedLayout::prepare(Allocator& allocator, Element& element) const {
  element.resize(components_.size());
  for (size_t i = 0; i < components_.size(); ++i) {
    const Component& component = components_[i];
    Tensor& tensor = element[i];
    if (tensor.dtype() == component.type && tensor.shape() == component.shape && tensor.writable_in_place()) continue;
    TINYTF_ASSIGN_OR_RETURN(tensor, Tensor::allocate(allocator, component.type, component.shape));
  }
  return Status();
}

void PackedLayout::unpack(const std::byte* row, Element& element) const {
  for (size_t i = 0; i < components_.size(); ++i) {
    copy_bytes(element[i].raw(), row, components_[i].bytes);
    row += components_[i].bytes;
  }
}

}  // namespace tinytf::data
