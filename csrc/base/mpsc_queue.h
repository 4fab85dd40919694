#pragma once

#include <atomic>

namespace tinytf {

/// Hand-off from any number of producers to whoever takes all, in the order of the pushes. Lock-free and without
/// allocation: T has a member `T* queue_next`, which belongs to the queue while the item is in it. Several takers are
/// legal, as each takes everything that is there.
template <class T>
class MpscQueue {
 public:
  enum class Pushed { kFirst, kMore, kClosed };

  /// kFirst: the queue was empty. kClosed: it was not taken, the item stays the caller's.
  Pushed push(T* item) noexcept {
    return push(item, [] {});
  }
  /// `before_first` runs before the item can become the only one, maybe several times: once the item is in the queue,
  /// whoever takes it may end what the pusher still needs.
  template <class BeforeFirst>
  Pushed push(T* item, BeforeFirst&& before_first) noexcept {
    T* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed()) return Pushed::kClosed;
      if (head == nullptr) before_first();
      item->queue_next = head;
      // Sequentially consistent: who pushes the first item looks next at whether the taker sleeps.
    } while (!head_.compare_exchange_weak(head, item, std::memory_order_seq_cst, std::memory_order_relaxed));
    return head == nullptr ? Pushed::kFirst : Pushed::kMore;
  }

  /// Everything, oldest first, linked by `queue_next`; null if there is nothing.
  T* take_all() noexcept {
    T* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == nullptr || head == closed()) return nullptr;
    } while (!head_.compare_exchange_weak(head, nullptr, std::memory_order_acquire, std::memory_order_relaxed));
    return oldest_first(head);
  }

  /// As take_all, and no item is taken from now on. Null if it was closed before.
  T* close() noexcept {
    T* head = head_.exchange(closed(), std::memory_order_acq_rel);
    return head == closed() ? nullptr : oldest_first(head);
  }

  bool empty() const noexcept {
    T* head = head_.load(std::memory_order_seq_cst);
    return head == nullptr || head == closed();
  }

 private:
  /// An address that no item has.
  T* closed() const noexcept { return reinterpret_cast<T*>(const_cast<std::atomic<T*>*>(&head_)); }

  static T* oldest_first(T* head) noexcept {
    T* reversed = nullptr;
    while (head != nullptr) {
      T* next = head->queue_next;
      head->queue_next = reversed;
      reversed = head;
      head = next;
    }
    return reversed;
  }

  std::atomic<T*> head_{nullptr};
};

}  // namespace tinytf
