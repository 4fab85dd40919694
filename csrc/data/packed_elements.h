#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/element.h"

namespace tinytf::data {

/// How the components of small elements of one kind lie side by side in a row of bytes. A buffer of rows takes neither
/// a vector nor a tensor for each element. Immutable.
class PackedLayout {
 public:
  /// The layout of elements with the dtypes and shapes of this one; none if it has components that are objects (texts,
  /// resources, variants), or takes more than kMostBytes.
  static std::optional<PackedLayout> of(const Element& element);

  size_t row_bytes() const { return row_bytes_; }
  /// Whether the element has the dtypes and shapes of the layout.
  bool fits(const Element& element) const;
  /// Copies an element that fits into a row.
  void pack(const Element& element, std::byte* row) const;
  /// Gives `element` tensors for a row. Tensors of the layout that have no other owner are kept. ResourceExhausted
  /// without memory.
  Status prepare(Allocator& allocator, Element& element) const;
  /// Copies a row into an element that was prepared.
  void unpack(const std::byte* row, Element& element) const;

  /// Two cache lines. Larger elements are moved, not copied.
  static constexpr size_t kMostBytes = 128;

 private:
  struct Component {
    DType type;
    Shape shape;
    size_t bytes;
  };

  PackedLayout() = default;

  std::vector<Component> components_;
  size_t row_bytes_ = 0;
};

}  // namespace tinytf::data
