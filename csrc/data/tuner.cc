#include "data/tuner.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "services/thread_pool.h"

namespace tinytf::data {

namespace {

constexpr int64_t kMostElements = 64;                 // of a window
constexpr int64_t kFewestElements = 8;                // of a window in which the consumer waits long
constexpr int64_t kLongWait = 2'000'000;              // nanoseconds
constexpr double kNoWait = 1000;                      // nanoseconds for an element, which do not matter
constexpr double kGain = 0.9;                         // of the wait before, at most, after growing pays
constexpr double kLoss = 1.05;                        // of the wait before, at most, after shrinking pays
constexpr int64_t kLongestRest = 256;                 // windows
constexpr int64_t kUnknownMemory = int64_t{1} << 32;  // bytes

int64_t quarter_of_memory() {
  const Size bytes = Size(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return bytes.ok() && bytes.value() > 0 ? bytes.value() / 4 : kUnknownMemory / 4;
}

Tuner::Options completed(Tuner::Options options) {
  const int64_t threads = std::max(ThreadPool::process().size(), 1);
  options.processors = options.processors > 0 ? std::min(options.processors, threads) : threads;
  if (options.memory <= 0) options.memory = quarter_of_memory();
  return options;
}

}  // namespace

Tuner::Tuner(Options options) : options_(completed(options)) {}

RefPtr<TunedNumber> Tuner::parallelism(int64_t most) {
  const int64_t limit = std::max<int64_t>(std::min(most, options_.processors), 1);
  return add(limit, limit);
}

RefPtr<TunedNumber> Tuner::buffer(int64_t most) { return add(1, most); }

RefPtr<TunedNumber> Tuner::add(int64_t first, int64_t most) {
  auto number = make_ref<TunedNumber>(first, most);
  const std::lock_guard lock(mutex_);
  numbers_.push_back(number);
  has_numbers_.store(true, std::memory_order_relaxed);
  return number;
}

void Tuner::count_element() {
  if (pending_since_ != 0) waited_ += options_.now() - std::exchange(pending_since_, 0);
  ++elements_;
  if (elements_ < (waited_ >= kLongWait ? kFewestElements : kMostElements)) return;
  const double wait = static_cast<double>(waited_) / static_cast<double>(elements_);
  waited_ = elements_ = 0;
  evaluate(wait);
}

/// A window has ended in which the consumer waited so long for an element.
void Tuner::evaluate(double wait) {
  const std::lock_guard lock(mutex_);
  forget_gone();
  if (shrink_to_memory()) {
    trial_ = {};
    settles_ = true;
  } else if (settles_) {
    settles_ = false;
  } else if (trial_.number) {
    judge(wait);
  } else if (rest_ > 0) {
    --rest_;
  } else {
    begin(/*grows=*/wait > kNoWait, wait);
  }
}

/// Keeps the tried value, or takes it back.
void Tuner::judge(double wait) {
  const Trial trial = std::exchange(trial_, {});
  const bool grew = trial.number->value() > trial.before;
  const bool pays = grew ? wait < kGain * trial.wait : wait <= kLoss * trial.wait + kNoWait;
  if (pays) {
    rejected_ = 0;
    next_rest_ = 4;
    return begin(grew, wait);
  }
  trial.number->value_.store(trial.before, std::memory_order_relaxed);
  settles_ = true;
  ++next_;
  if (++rejected_ < numbers_.size()) return;
  rejected_ = 0;
  rest_ = next_rest_;
  next_rest_ = std::min(2 * next_rest_, kLongestRest);
}

/// Tries another value of the next number that can have one.
void Tuner::begin(bool grows, double wait) {
  for (size_t i = 0; i < numbers_.size(); ++i, ++next_) {
    const RefPtr<TunedNumber>& number = numbers_[next_ % numbers_.size()];
    const int64_t value = number->value();
    const int64_t tried = grows ? std::min(value <= number->most() / 2 ? 2 * value : number->most(), number->most())
                                : std::max<int64_t>(value / 2, 1);
    if (tried == value || (grows && !fits(*number, tried))) continue;
    trial_ = {number, value, wait};
    number->value_.store(tried, std::memory_order_relaxed);
    settles_ = true;
    return;
  }
  rest_ = next_rest_;
}

/// Whether the buffers fit into the memory if this number has that value.
bool Tuner::fits(const TunedNumber& number, int64_t value) const {
  Size total = 0;
  for (const auto& one : numbers_) {
    total = total + Size(one.get() == &number ? value : one->value()) * one->bytes_.load(std::memory_order_relaxed);
  }
  return total.ok() && total.value() <= options_.memory;
}

/// Halves the number whose elements take the most memory, if all together take too much.
bool Tuner::shrink_to_memory() {
  if (numbers_.empty() || fits(*numbers_[0], numbers_[0]->value())) return false;
  const auto bytes = [](const RefPtr<TunedNumber>& number) {
    return number->value() > 1 ? (Size(number->value()) * number->bytes_.load(std::memory_order_relaxed)).value() : 0;
  };
  const auto largest = std::max_element(numbers_.begin(), numbers_.end(),
                                        [&](const auto& one, const auto& other) { return bytes(one) < bytes(other); });
  if ((*largest)->value() == 1) return false;
  (*largest)->value_.store((*largest)->value() / 2, std::memory_order_relaxed);
  return true;
}

/// Forgets the numbers of stages that are gone.
void Tuner::forget_gone() {
  const auto is_gone = [this](const RefPtr<TunedNumber>& number) {
    return number.get() != trial_.number.get() && number->unique();
  };
  numbers_.erase(std::remove_if(numbers_.begin(), numbers_.end(), is_gone), numbers_.end());
}

}  // namespace tinytf::data
