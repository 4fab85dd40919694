#pragma once

#include <cstdint>
#include <optional>

#include "data/packed_elements.h"
#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

/// A queue of elements of which any may be taken. Small elements of one kind are kept as rows of bytes (PackedLayout);
/// the first element of another kind turns all rows into tensors. Not thread-safe.
class ElementRing {
 public:
  int64_t size() const { return size_; }
  /// Makes room for one more element of at most `most`; there are fewer now. ResourceExhausted without memory.
  Status reserve(Allocator& allocator, int64_t most);
  /// Appends an element, for which there is room. Its value means nothing afterwards, but its memory may be of use.
  /// ResourceExhausted, without any change of the queue, if rows cannot be turned into tensors.
  Status push(Allocator& allocator, Element& element);
  /// Sets `element` to element i, which exists, and gives its place to the first one. ResourceExhausted, without any
  /// change of the queue, if there is no memory for a tensor.
  Status take(Allocator& allocator, int64_t i, Element& element);
  /// Asks the processor to load element i, which exists, because it will be taken soon.
  void prefetch(int64_t i) const;
  /// Element i, which exists.
  Result<Element> copy(Allocator& allocator, int64_t i) const;
  /// Writes all elements; rows as a batch, whose position takes little more than the rows.
  Status save(Allocator& allocator, StateWriter& state) const;
  /// Sets an empty queue to saved elements. DataLoss for more than `most`, and for values that no queue wrote.
  Status restore(Allocator& allocator, const StateReader& state, const ElementSpec& spec, int64_t most);

 private:
  Status restore_rows(Allocator& allocator, const StateReader& state, const ElementSpec& spec, int64_t size,
                      int64_t most);
  /// Place of element i, which may be one behind the last.
  size_t place(int64_t i) const { return static_cast<size_t>(i < room_ - first_ ? first_ + i : first_ + i - room_); }
  std::byte* row(int64_t i) const { return static_cast<std::byte*>(rows_->data()) + place(i) * layout_->row_bytes(); }
  Status grow_rows(Allocator& allocator, int64_t room);
  void grow_elements(int64_t room);
  Status unpack(Allocator& allocator);

  std::optional<data::PackedLayout> layout_;  // Of the rows; none: the elements lie in elements_.
  RefPtr<Buffer> rows_;
  std::vector<Element> elements_;
  int64_t room_ = 0;
  int64_t first_ = 0;  // Place of the first element.
  int64_t size_ = 0;
};

}  // namespace tinytf::ops
