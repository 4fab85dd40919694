#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "handles/core_stats.h"
#include "handles/waiting.h"

namespace tinytf {

/// Counts the uses of a core's values. A closed gate admits no new ones. Thread-safe.
class CoreGate {
 public:
  explicit CoreGate(CoreLock& lock) : lock_(lock) {}

  /// The thread is inside the core while this lives. Entries nest; entries of one thread must end in reverse order.
  class Entry {
   public:
    explicit Entry(CoreGate& gate) : gate_(gate), around_(innermost_), inside_(gate.enter()) { innermost_ = this; }
    ~Entry() {
      innermost_ = around_;
      if (inside_) gate_.leave();
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    /// False if the gate was closed.
    explicit operator bool() const { return inside_; }

   private:
    friend class CoreGate;
    CoreGate& gate_;
    Entry* const around_;
    const bool inside_;
    static inline thread_local Entry* innermost_ = nullptr;
  };

  void close() { active_.fetch_or(kClosedBit, std::memory_order_acq_rel); }
  void open() { active_.fetch_and(~kClosedBit, std::memory_order_acq_rel); }
  int64_t users() const { return active_.load(std::memory_order_acquire) / 2; }
  /// Number of entries of the calling thread that are inside.
  int64_t users_on_this_thread() const;
  /// Waits until no thread is inside. The gate must be closed; `lock` holds the core's lock.
  Status wait_until_empty(const Waiting& waiting, std::unique_lock<std::mutex>& lock);
  /// In a forked child: removes the entries of all other threads, which do not exist here.
  void forget_other_threads();
  void count(CoreStats& stats) const {
    stats.active_ops = active_.load(std::memory_order_relaxed) / 2;
    stats.fork_orphaned = orphaned_.load(std::memory_order_relaxed);
  }

 private:
  bool enter() noexcept {
    if ((active_.fetch_add(2, std::memory_order_acq_rel) & kClosedBit) == 0) return true;
    leave();
    return false;
  }
  void leave() noexcept {
    if (active_.fetch_sub(2, std::memory_order_acq_rel) == (2 | kClosedBit)) lock_.tell();
  }

  static constexpr int64_t kClosedBit = 1;

  CoreLock& lock_;
  std::atomic<int64_t> orphaned_{0};            // entries that were cut off by forks
  alignas(64) std::atomic<int64_t> active_{0};  // 2 * entries + kClosedBit
};

}  // namespace tinytf
