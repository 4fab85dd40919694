#include "handles/gate.h"

#include "base/str_cat.h"

namespace tinytf {

int64_t CoreGate::users_on_this_thread() const {
  int64_t mine = 0;
  for (const Entry* entry = Entry::innermost_; entry != nullptr; entry = entry->around_) {
    if (&entry->gate_ == this && entry->inside_) ++mine;
  }
  return mine;
}

Status CoreGate::wait_until_empty(const Waiting& waiting, std::unique_lock<std::mutex>& lock) {
  return waiting.wait(
      lock, lock_.changed, [&] { return users() == 0; },
      [&] { return str_cat(users(), users() == 1 ? " operation is still running" : " operations are still running"); });
}

void CoreGate::forget_other_threads() {
  const int64_t mine = users_on_this_thread();
  const int64_t closed = active_.load(std::memory_order_relaxed) & kClosedBit;
  const int64_t before = active_.exchange(2 * mine + closed, std::memory_order_acq_rel);
  orphaned_.fetch_add(before / 2 - mine, std::memory_order_relaxed);
}

}  // namespace tinytf
