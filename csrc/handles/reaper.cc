#include "handles/reaper.h"

#include <algorithm>
#include <new>

namespace tinytf {

namespace {

constexpr size_t kStackBytes = 128 << 10;
constexpr int64_t kBusyBatch = 256;  // after such a batch, more work is expected soon

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Reaper::Reaper(ReaperWork& work, int64_t nap_us) : work_(work), first_nap_us_(nap_us) {}

bool Reaper::start() {
  stop_ = false;
  done_ = false;
  rest_ = Rest::kNone;
  alive_ = true;
  if (!thread_.start(
          "tinytf-reaper", kStackBytes, /*yields=*/true, [](void* self) { static_cast<Reaper*>(self)->run(); }, this)) {
    alive_ = false;
  }
  return alive_;
}

void Reaper::wake(Rest rest) noexcept {
  if (rest_.compare_exchange_strong(rest, Rest::kNone, std::memory_order_seq_cst)) wake_.give();
}

void Reaper::tell_stop() {
  stop_.store(true, std::memory_order_seq_cst);
  notify_urgent();
}

bool Reaper::wait_done(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  return ended_.wait_until(lock, until, [this] { return done_; });
}

void Reaper::join() {
  if (thread_.started()) thread_.join();
}

void Reaper::detach() {
  if (thread_.started()) thread_.detach();
}

void Reaper::forget() {
  thread_.forget();
  new (&mutex_) std::mutex;  // its holder and its waiters, if any, do not exist here
  new (&ended_) std::condition_variable;
  wake_.forget();
  rest_ = Rest::kNone;
  alive_ = false;
}

void Reaper::run() {
  const bool naps = first_nap_us_ > 0;
  const int64_t longest_nap_us = 1024 * first_nap_us_;
  const int64_t last_nap_us = 128 * first_nap_us_;  // the longest one before it sleeps
  int64_t nap_us = last_nap_us + 1;
  bool worked = false;
  while (!told_to_stop()) {
    work_.before_batch();
    const int64_t freed = told_to_stop() ? 0 : work();
    if (freed > 0) {
      nap_us = freed >= kBusyBatch ? first_nap_us_ : std::min(nap_us, 8 * first_nap_us_);
      worked = true;
    } else if (naps && (worked || nap_us <= last_nap_us || work_.more_may_come())) {
      const bool woken = nap(nap_us, !worked);
      nap_us = woken ? first_nap_us_ : std::min(2 * nap_us, longest_nap_us);
      worked = false;
    } else {
      sleep();
      nap_us = first_nap_us_;
    }
  }
  work_.before_end();
  alive_.store(false, std::memory_order_release);
  {
    std::lock_guard lock(mutex_);
    done_ = true;
    ended_.notify_all();
  }
  work_.at_end();
}

int64_t Reaper::work() {
  const int64_t begin = now_ns();
  const int64_t freed = work_.free_batch();
  if (freed > 0) {
    const auto relaxed = std::memory_order_relaxed;
    busy_ns_.store(busy_ns_.load(relaxed) + now_ns() - begin, relaxed);
    batches_.store(batches_.load(relaxed) + 1, relaxed);
    max_batch_.store(std::max(max_batch_.load(relaxed), freed), relaxed);
  }
  return freed;
}

bool Reaper::nap(int64_t us, bool idle) {
  bool woken = false;
  rest_.store(us > 8 * first_nap_us_ ? Rest::kDrowsing : Rest::kNapping, std::memory_order_seq_cst);
  if (us > 0 && !told_to_stop() && !work_.urgent()) {
    if (idle) work_.before_rest();
    woken = wake_.take_until(std::chrono::steady_clock::now() + std::chrono::microseconds(us));
  }
  rest_.store(Rest::kNone, std::memory_order_seq_cst);
  return woken;
}

void Reaper::sleep() {
  // Announces the sleep first, then looks for work. A thread that queues does it in the reverse order, so that one of
  // the two sees the other.
  rest_.store(Rest::kAsleep, std::memory_order_seq_cst);
  if (!told_to_stop() && work_.nothing_queued()) {
    work_.before_rest();
    wake_.take();
    wakeups_.store(wakeups_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  rest_.store(Rest::kNone, std::memory_order_seq_cst);
}

}  // namespace tinytf
