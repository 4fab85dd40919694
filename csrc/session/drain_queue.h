#pragma once

#include "base/mpsc_queue.h"

namespace tinytf {

/// An MpscQueue whose takers may put back what they had no time for; it is taken before what was pushed since.
/// Lock-free; several takers are legal.
template <class T>
class DrainQueue {
 public:
  using Pushed = typename MpscQueue<T>::Pushed;

  /// As MpscQueue's. `before_first` runs before the item can become the only one, maybe several times.
  template <class BeforeFirst>
  Pushed push(T* item, BeforeFirst&& before_first) noexcept {
    return pushed_.push(item, before_first);
  }
  Pushed push(T* item) noexcept { return pushed_.push(item); }

  /// What was put back, or else all that was pushed, oldest first; null if there is nothing.
  T* take() noexcept {
    T* rest = rest_.load(std::memory_order_acquire);
    while (rest != nullptr && rest != closed()) {
      if (rest_.compare_exchange_weak(rest, nullptr, std::memory_order_acq_rel, std::memory_order_acquire)) return rest;
    }
    return pushed_.take_all();
  }

  /// Takes items back, oldest first. What it returns stays the caller's, as the queue was closed meanwhile.
  T* put_back(T* items) noexcept {
    T* none = nullptr;
    if (rest_.compare_exchange_strong(none, items, std::memory_order_seq_cst, std::memory_order_relaxed)) {
      return nullptr;
    }
    while (items != nullptr) {  // another taker was faster: behind the new ones then
      T* next = items->queue_next;
      if (pushed_.push(items) == Pushed::kClosed) {
        items->queue_next = next;
        return items;
      }
      items = next;
    }
    return nullptr;
  }

  /// Nothing is taken from now on. `see` gets what is left: two chains, oldest first, each may be null.
  template <class See>
  void close(See&& see) {
    T* rest = rest_.exchange(closed(), std::memory_order_acq_rel);
    see(rest == closed() ? nullptr : rest);
    see(pushed_.close());
  }

  bool empty() const noexcept {
    const T* rest = rest_.load(std::memory_order_seq_cst);
    return (rest == nullptr || rest == closed()) && pushed_.empty();
  }

 private:
  T* closed() const noexcept { return reinterpret_cast<T*>(const_cast<std::atomic<T*>*>(&rest_)); }

  MpscQueue<T> pushed_;
  std::atomic<T*> rest_{nullptr};
};

}  // namespace tinytf
