#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// Elements of equal shape, stored as rows of one tensor: either the rows of an unpacked tensor, whose memory is
/// shared, or small values that are copied when they are written. An element needs no tensor of its own, and all
/// elements stacked are the tensor itself. It may hold only some of the elements of an array; the others are stored
/// elsewhere. Not thread-safe.
class ElementRows {
 public:
  /// Values with more bytes are not copied: a copy would cost more than sharing the memory by reference count.
  static constexpr int64_t kSmallBytes = 128;

  struct State {
    bool written = false;
    bool has_value = false;  ///< otherwise its value is zeros, or was cleared
    bool read = false;
    bool cleared = false;
  };

  /// State of element i >= 0, or null if the element is not stored here. Valid until the next change.
  State* find(int64_t i) {
    const auto at = static_cast<size_t>(i);
    return at < states_.size() && states_[at].written ? &states_[at] : nullptr;
  }
  bool empty() const { return states_.empty(); }
  int64_t size() const { return static_cast<int64_t>(states_.size()); }
  /// Shape of one element.
  const Shape& shape() const { return shape_; }
  bool is_small() const { return row_bytes_ > 0 && row_bytes_ <= kSmallBytes; }

  /// Element i becomes row i of `values`, whose memory is shared. Must be empty before.
  void adopt(const Tensor& values);
  /// Marks the first n elements as written, with this dtype and shape but without values. Must be empty before.
  void note_written(size_t n, DType dtype, const Shape& shape);
  /// Copies `value` to element i, which has no value yet, and marks it as written. Returns false if the value is not
  /// small, differs from the others in shape, or would leave a large gap of unused memory. `count` is the expected
  /// number of elements. ResourceExhausted if there is no memory.
  Result<bool> put(Allocator& allocator, int64_t i, const Tensor& value, int64_t count);
  /// Forgets element i, which is stored elsewhere from now on.
  void forget(int64_t i);
  /// The value of element i, which must exist; shares the memory of all rows.
  Tensor row(int64_t i) const;
  /// The bytes of element i, which must have a value and be small. May be written to only if is_own().
  char* bytes_of(int64_t i) { return static_cast<char*>(rows_.raw()) + i * row_bytes_; }
  bool is_own() const { return is_own_; }
  /// Drops the value of element i but keeps its state. The memory is freed with the last value.
  void clear(int64_t i);
  /// Elements 0 to n - 1 stacked, without a copy. Invalid unless all of them have values and they make up at least half
  /// of the memory.
  Tensor stacked(int64_t n) const;

 private:
  Status make_room(Allocator& allocator, int64_t i, int64_t count);

  std::vector<State> states_;
  int64_t values_ = 0;  // number of elements with a value
  Tensor rows_;
  Shape shape_;
  DType dtype_ = DType::kInvalid;
  int64_t row_bytes_ = 0;  // 0 for strings and handles, and for empty rows
  bool is_own_ = false;    // whether the memory was allocated here
};

}  // namespace tinytf::ops
