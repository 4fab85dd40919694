#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "handles/tensor_handle.h"

namespace tinytf {

/// A queue of dropped handles that wait to be freed, oldest first, with the number of handles that are not freed yet,
/// including taken ones. The caller has to lock, except for handles().
class DropLine {
 public:
  bool empty() const { return first_ == nullptr; }
  /// Number of handles in the queue.
  int64_t length() const { return length_; }
  /// Number of handles that are not freed yet, including taken ones.
  int64_t handles() const { return handles_.load(std::memory_order_relaxed); }

  void push(TensorHandle* handle) {
    handle->queue_next = nullptr;
    (first_ == nullptr ? first_ : last_->queue_next) = handle;
    last_ = handle;
    ++length_;
    count(1);
  }
  struct Taken {
    TensorHandle* chain = nullptr;  ///< null if the queue was empty
    int64_t handles = 0, bytes = 0;
  };
  /// Takes the oldest handles until `handles` of them or `bytes` bytes are reached, but at least one.
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
  /// Tells the queue that so many taken handles were freed.
  void count_freed(int64_t handles) { count(-handles); }

 private:
  void count(int64_t more) { handles_.store(handles() + more, std::memory_order_relaxed); }

  TensorHandle* first_ = nullptr;
  TensorHandle* last_ = nullptr;  // valid only if first_ is not null
  int64_t length_ = 0;
  std::atomic<int64_t> handles_{0};
};

}  // namespace tinytf
