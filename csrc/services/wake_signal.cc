#include "services/wake_signal.h"

#include <algorithm>

#if defined(__linux__)

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace tinytf {

namespace {

/// Sleeps while the word is zero, until woken or interrupted or until `longest` has passed (null: no timeout).
void sleep_while_zero(std::atomic<int>& word, const timespec* longest) {
  syscall(SYS_futex, reinterpret_cast<int*>(&word), FUTEX_WAIT_PRIVATE, 0, longest, nullptr, 0);
}

}  // namespace

WakeSignal::WakeSignal() = default;
WakeSignal::~WakeSignal() = default;

void WakeSignal::give() noexcept {
  if (given_.exchange(1, std::memory_order_acq_rel) != 0) return;
  syscall(SYS_futex, reinterpret_cast<int*>(&given_), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void WakeSignal::take() {
  while (given_.exchange(0, std::memory_order_acq_rel) == 0) sleep_while_zero(given_, nullptr);
}

bool WakeSignal::take_until(std::chrono::steady_clock::time_point until) {
  while (given_.exchange(0, std::memory_order_acq_rel) == 0) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    timespec longest{};
    longest.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000);
    longest.tv_nsec = static_cast<long>(left.count() % 1'000'000'000);
    sleep_while_zero(given_, &longest);
  }
  return true;
}

void WakeSignal::forget() { given_.store(0, std::memory_order_relaxed); }

}  // namespace tinytf

#elif defined(__APPLE__)

#include <dispatch/dispatch.h>

namespace tinytf {

WakeSignal::WakeSignal() : semaphore_(dispatch_semaphore_create(0)) {}
WakeSignal::~WakeSignal() { dispatch_release(static_cast<dispatch_semaphore_t>(semaphore_)); }

void WakeSignal::give() noexcept { dispatch_semaphore_signal(static_cast<dispatch_semaphore_t>(semaphore_)); }

void WakeSignal::take() {
  dispatch_semaphore_wait(static_cast<dispatch_semaphore_t>(semaphore_), DISPATCH_TIME_FOREVER);
}

bool WakeSignal::take_until(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(until - std::chrono::steady_clock::now());
  const dispatch_time_t end = dispatch_time(DISPATCH_TIME_NOW, std::max<int64_t>(0, left.count()));
  return dispatch_semaphore_wait(static_cast<dispatch_semaphore_t>(semaphore_), end) == 0;
}

void WakeSignal::forget() {
  semaphore_ = dispatch_semaphore_create(0);
}  // the old one is leaked, because its copy may count the parent's waiting thread

}  // namespace tinytf

#else
#error "tinytf supports Linux and macOS: add this system's way to wake a thread"
#endif
