#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// Elements of one shape whose values lie side by side in one piece of memory: the rows of a tensor that was unpacked,
/// or small values as they are written, which are copied then. So an element costs no object of its own, and all of
/// them stacked are that memory. Elements from 0 on; it holds only some, where the others are elsewhere. Not
/// thread-safe.
class ElementRows {
 public:
  /// Values of more bytes are worth more than the count of who shares them.
  static constexpr int64_t kSmallBytes = 128;

  struct State {
    bool written = false;
    bool has_value = false;  ///< else it is zeros, or was cleared
    bool read = false;
    bool cleared = false;
  };

  /// Null where it does not hold that element; i >= 0. Until the next change.
  State* find(int64_t i) {
    const auto at = static_cast<size_t>(i);
    return at < states_.size() && states_[at].written ? &states_[at] : nullptr;
  }
  bool empty() const { return states_.empty(); }
  int64_t size() const { return static_cast<int64_t>(states_.size()); }
  /// Of one element.
  const Shape& shape() const { return shape_; }
  bool is_small() const { return row_bytes_ > 0 && row_bytes_ <= kSmallBytes; }

  /// Element i becomes row i of `values`, whose memory it shares. Nothing may have been held before.
  void adopt(const Tensor& values);
  /// The first n elements count as written, of that type and shape, but have no value. Nothing may have been held
  /// before.
  void note_written(size_t n, DType dtype, const Shape& shape);
  /// Copies `value` to element i, which has none, and notes that it is written. False if it is not small, or of another
  /// shape than the others, or so far behind them that the memory between would be waste; `count` is how many elements
  /// there will be, as far as is known. ResourceExhausted if there is no memory.
  Result<bool> put(Allocator& allocator, int64_t i, const Tensor& value, int64_t count);
  /// Forgets element i, whose value is elsewhere from now on.
  void forget(int64_t i);
  /// The value of element i, which has one: in the memory of all.
  Tensor row(int64_t i) const;
  /// The bytes of element i, which has a value and is small. To write to where put() was, too.
  char* bytes_of(int64_t i) { return static_cast<char*>(rows_.raw()) + i * row_bytes_; }
  bool is_own() const { return is_own_; }
  /// Element i keeps its state but has no value any more. The memory goes with the last one.
  void clear(int64_t i);
  /// Elements 0 to n - 1, stacked, without a copy; invalid unless all of them have values.
  Tensor stacked(int64_t n) const;

 private:
  Status make_room(Allocator& allocator, int64_t i, int64_t count);

  std::vector<State> states_;
  int64_t values_ = 0;  // elements that have one
  Tensor rows_;
  Shape shape_;
  DType dtype_ = DType::kInvalid;
  int64_t row_bytes_ = 0;  // 0: of objects, or empty
  bool is_own_ = false;    // the memory was taken here
};

}  // namespace tinytf::ops
