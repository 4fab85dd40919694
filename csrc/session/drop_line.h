#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "session/tensor_handle.h"

namespace tinytf {

/// Dropped handles that wait to be freed, oldest first, and how many were not freed yet, those that were taken
/// included. Whoever has it locks; figures are read without.
class DropLine {
 public:
  bool empty() const { return first_ == nullptr; }
  /// Handles that wait.
  int64_t length() const { return length_; }
  /// Handles that were not freed yet.
  int64_t handles() const { return handles_.load(std::memory_order_relaxed); }

  void push(TensorHandle* handle) {
    handle->queue_next = nullptr;
    (first_ == nullptr ? first_ : last_->queue_next) = handle;
    last_ = handle;
    ++length_;
    count(1);
  }
  struct Taken {
    TensorHandle* chain = nullptr;  ///< null if there was none
    int64_t handles = 0, bytes = 0;
  };
  /// The oldest, so many handles or bytes, whichever comes first, but one at least.
  Taken take(int64_t handles, int64_t bytes) {
    Taken taken;
    TensorHandle* last = nullptr;
    for (TensorHandle* next = first_; next != nullptr; next = last->queue_next) {
      if (taken.handles > 0 && (taken.handles >= handles || taken.bytes >= bytes)) break;
      last = next;
      ++taken.handles;
      taken.bytes += last->charged_bytes();
    }
    if (last == nullptr) return taken;
    taken.chain = first_;
    first_ = std::exchange(last->queue_next, nullptr);
    length_ -= taken.handles;
    return taken;
  }
  TensorHandle* take_all() {
    length_ = 0;
    return std::exchange(first_, nullptr);
  }
  /// So many were freed.
  void count_freed(int64_t handles) { count(-handles); }

 private:
  void count(int64_t more) { handles_.store(handles() + more, std::memory_order_relaxed); }

  TensorHandle* first_ = nullptr;
  TensorHandle* last_ = nullptr;  // where there is a first
  int64_t length_ = 0;
  std::atomic<int64_t> handles_{0};
};

}  // namespace tinytf
