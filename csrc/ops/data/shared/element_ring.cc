#include "ops/data/shared/element_ring.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "data/batch_rows.h"

namespace tinytf::ops {

namespace {

constexpr int64_t kFirstRoom = 16;
/// In bytes of a tensor: further ones are loaded in time, because they are read in order.
constexpr size_t kMostPrefetched = 4096;

}  // namespace

Status ElementRing::reserve(Allocator& allocator, int64_t most) {
  if (size_ < room_) return Status();
  const Size twice = Size(room_) * 2;
  const int64_t room = std::min(most, std::max(kFirstRoom, twice.ok() ? twice.value() : most));
  if (layout_) return grow_rows(allocator, room);
  grow_elements(room);
  return Status();
}

Status ElementRing::grow_rows(Allocator& allocator, int64_t room) {
  const size_t bytes = layout_->row_bytes();
  const Size total = Size(room) * static_cast<int64_t>(bytes);
  const Shape shape({total.ok() ? total.value() : INT64_MAX});
  RefPtr<Buffer> grown = total.ok() ? allocator.allocate(static_cast<size_t>(total.value())) : nullptr;
  if (!grown) return out_of_memory(DType::kUint8, shape);
  for (int64_t i = 0; i < size_; ++i) std::memcpy(static_cast<std::byte*>(grown->data()) + i * bytes, row(i), bytes);
  rows_ = std::move(grown);
  room_ = room;
  first_ = 0;
  return Status();
}

void ElementRing::grow_elements(int64_t room) {
  std::vector<Element> grown(static_cast<size_t>(room));
  for (int64_t i = 0; i < size_; ++i) grown[static_cast<size_t>(i)].swap(elements_[place(i)]);
  elements_.swap(grown);
  room_ = room;
  first_ = 0;
}

Status ElementRing::unpack(Allocator& allocator) {
  std::vector<Element> elements(static_cast<size_t>(room_));
  for (int64_t i = 0; i < size_; ++i) {
    TINYTF_ASSIGN_OR_RETURN(elements[static_cast<size_t>(i)], copy(allocator, i));
  }
  elements_ = std::move(elements);
  layout_.reset();
  rows_ = nullptr;
  first_ = 0;
  return Status();
}

Status ElementRing::push(Allocator& allocator, Element& element) {
  if (size_ == 0 && !layout_) {
    layout_ = data::PackedLayout::of(element);
    if (layout_ && !grow_rows(allocator, room_).ok()) layout_.reset();
    if (layout_) elements_ = {};
  }
  if (layout_ && !layout_->fits(element)) TINYTF_RETURN_IF_ERROR(unpack(allocator));
  if (layout_) {
    layout_->pack(element, row(size_));
  } else {
    elements_[place(size_)].swap(element);
  }
  ++size_;
  return Status();
}

Status ElementRing::take(Allocator& allocator, int64_t i, Element& element) {
  if (layout_) {
    TINYTF_RETURN_IF_ERROR(layout_->prepare(allocator, element));
    layout_->unpack(row(i), element);
    std::memmove(row(i), row(0), layout_->row_bytes());
  } else {
    Element& taken = elements_[place(i)];
    element.swap(taken);
    taken.clear();  // Its memory serves a later element.
    taken.swap(elements_[place(0)]);
  }
  first_ = first_ + 1 == room_ ? 0 : first_ + 1;
  --size_;
  return Status();
}

void ElementRing::prefetch(int64_t i) const {
  if (layout_) {
    __builtin_prefetch(row(i));
    return;
  }
  for (const Tensor& tensor : elements_[place(i)]) {
    const size_t bytes = is_object(tensor.dtype()) ? 0 : std::min(tensor.bytes(), kMostPrefetched);
    for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(tensor.raw()) + at, 0, 2);
  }
}

Result<Element> ElementRing::copy(Allocator& allocator, int64_t i) const {
  if (!layout_) return elements_[place(i)];
  Element element;
  TINYTF_RETURN_IF_ERROR(layout_->prepare(allocator, element));
  layout_->unpack(row(i), element);
  return element;
}

Status ElementRing::save(Allocator& allocator, StateWriter& state) const {
  state.put_int("size", size_);
  state.put_int("has_rows", layout_ && size_ > 0);
  if (!layout_ || size_ == 0) {
    for (int64_t i = 0; i < size_; ++i) TINYTF_RETURN_IF_ERROR(state.put_element(str_cat(i), elements_[place(i)]));
    return Status();
  }
  data::BatchRows rows;
  Element element;
  TINYTF_RETURN_IF_ERROR(layout_->prepare(allocator, element));
  for (int64_t i = 0; i < size_; ++i) {
    layout_->unpack(row(i), element);
    TINYTF_RETURN_IF_ERROR(rows.add(allocator, element, size_));
  }
  Element batch;
  TINYTF_RETURN_IF_ERROR(rows.take(batch));
  return state.put_element("rows", batch);
}

Status ElementRing::restore(Allocator& allocator, const StateReader& state, const ElementSpec& spec, int64_t most) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t size, state.get_int("size", 0, most));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_rows, state.get_int("has_rows", 0, 1));
  if (has_rows != 0) return restore_rows(allocator, state, spec, size, most);
  for (int64_t i = 0; i < size; ++i) {  // Ends at the first element that the state lacks.
    TINYTF_ASSIGN_OR_RETURN(Element element, state.get_element(str_cat(i), spec));
    TINYTF_RETURN_IF_ERROR(reserve(allocator, most));
    TINYTF_RETURN_IF_ERROR(push(allocator, element));
  }
  return Status();
}

Status ElementRing::restore_rows(Allocator& allocator, const StateReader& state, const ElementSpec& spec, int64_t size,
                                 int64_t most) {
  TINYTF_ASSIGN_OR_RETURN(const Element batch, state.get_element("rows", data::batches_of(spec)));
  if (batch.empty() || !data::has_rows(batch) || batch[0].dim(0) != size)
    return state.damaged("rows", "has another number of rows in");
  for (int64_t i = 0; i < size; ++i) {
    Element element;
    for (const Tensor& component : batch) {
      const Shape row(Dims(component.shape().dims().begin() + 1, component.shape().dims().end()));
      TINYTF_ASSIGN_OR_RETURN(Tensor part, component.view(i * row.num_elements(), row));
      element.push_back(std::move(part));
    }
    TINYTF_RETURN_IF_ERROR(reserve(allocator, most));
    TINYTF_RETURN_IF_ERROR(push(allocator, element));
  }
  return Status();
}

}  // namespace tinytf::ops
