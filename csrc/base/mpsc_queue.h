#pragma once

#include <atomic>

namespace tinytf {

/// A lock-free queue without allocations: any number of producers push items, and a consumer takes all of them at once
/// in push order. T has a member `T* queue_next`, which belongs to the queue while the item is in it. Several consumers
/// may take concurrently, because each takes everything that is present.
template <class T>
class MpscQueue {
 public:
  enum class Pushed { kFirst, kMore, kClosed };

  /// Returns kFirst if the queue was empty. kClosed means that the queue is closed and the item stays with the caller.
  Pushed push(T* item) noexcept {
    return push(item, [] {});
  }
  /// Calls `before_first`, possibly several times, before the item becomes the only one in the queue. As soon as the
  /// item is in the queue, a consumer may take it and destroy state that the producer still needs, so the producer
  /// cannot do this work after the push.
  template <class BeforeFirst>
  Pushed push(T* item, BeforeFirst&& before_first) noexcept {
    T* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed()) return Pushed::kClosed;
      if (head == nullptr) before_first();
      item->queue_next = head;
      // Sequentially consistent, because the producer of the first item checks next whether the consumer sleeps.
    } while (!head_.compare_exchange_weak(head, item, std::memory_order_seq_cst, std::memory_order_relaxed));
    return head == nullptr ? Pushed::kFirst : Pushed::kMore;
  }

  /// Takes all items, oldest first, linked by `queue_next`; null if the queue is empty or closed.
  T* take_all() noexcept {
    T* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == nullptr || head == closed()) return nullptr;
    } while (!head_.compare_exchange_weak(head, nullptr, std::memory_order_acquire, std::memory_order_relaxed));
    return oldest_first(head);
  }

  /// Takes all items like take_all and rejects every later push. Returns null if the queue was already closed.
  T* close() noexcept {
    T* head = head_.exchange(closed(), std::memory_order_acq_rel);
    return head == closed() ? nullptr : oldest_first(head);
  }

  bool empty() const noexcept {
    T* head = head_.load(std::memory_order_seq_cst);
    return head == nullptr || head == closed();
  }

 private:
  /// Sentinel head of a closed queue: an address that no item can have.
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
