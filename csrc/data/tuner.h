#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/ref_ptr.h"
#include "data/stage_profile.h"

namespace tinytf::data {

/// A number that a stage leaves to the tuner of its pipeline: how many elements it makes ahead, or how many calls run
/// at a time. Thread-safe.
class TunedNumber final : public RefCounted {
 public:
  TunedNumber(int64_t first, int64_t most) : most_(most), value_(first) {}

  int64_t value() const { return value_.load(std::memory_order_relaxed); }
  int64_t most() const { return most_; }
  /// The size of an element, of which the stage holds at most value(). Recent ones count more.
  void note_bytes(int64_t bytes) {
    const int64_t mean = bytes_.load(std::memory_order_relaxed);
    bytes_.store(mean == 0 ? bytes : mean + (bytes - mean) / 8, std::memory_order_relaxed);
  }

 private:
  friend class Tuner;

  const int64_t most_;
  std::atomic<int64_t> value_;
  std::atomic<int64_t> bytes_{0};
};

/// Chooses the numbers that the program leaves open, by hill climbing on the time that the consumer of the pipeline
/// waits for an element: one number is doubled, or halved if the consumer does not wait, and keeps the new value if
/// that pays. The consumer calls note_pending() and note_element(), on one thread at a time; others may add numbers.
class Tuner final : public RefCounted {
 public:
  struct Options {
    int64_t processors = 0;                 ///< the largest parallelism; 0: the threads of the process's pool
    int64_t memory = 0;                     ///< bytes that tuned buffers may hold; 0: a quarter of the machine's
    int64_t (*now)() = &StageProfile::now;  ///< in nanoseconds
  };

  explicit Tuner(Options options);

  /// A parallelism of at most `most`, which begins at the largest value.
  RefPtr<TunedNumber> parallelism(int64_t most);
  /// A number of elements of at most `most`, which begins at 1.
  RefPtr<TunedNumber> buffer(int64_t most);

  /// The consumer has to wait for its next element.
  void note_pending() {
    if (pending_since_ == 0 && has_numbers_.load(std::memory_order_relaxed)) pending_since_ = options_.now();
  }
  /// The consumer gets an element.
  void note_element() {
    if (has_numbers_.load(std::memory_order_relaxed)) count_element();
  }

 private:
  struct Trial {
    RefPtr<TunedNumber> number;  ///< null: there is none
    int64_t before = 0;          ///< its value before
    double wait = 0;             ///< for an element, before
  };

  void count_element();
  void evaluate(double wait);
  void judge(double wait);
  void begin(bool grows, double wait);
  bool shrink_to_memory();
  bool fits(const TunedNumber& number, int64_t value) const;
  void forget_gone();
  RefPtr<TunedNumber> add(int64_t first, int64_t most);

  const Options options_;
  std::atomic<bool> has_numbers_{false};
  std::mutex mutex_;  // Guards numbers_. Held briefly, and together with no other lock.
  std::vector<RefPtr<TunedNumber>> numbers_;
  // Used by the consumer.
  int64_t pending_since_ = 0;          // 0: the consumer does not wait.
  int64_t waited_ = 0, elements_ = 0;  // In this window.
  bool settles_ = true;                // The window began with a change, or with the pipeline.
  Trial trial_;
  size_t next_ = 0;        // Index of the number to try next.
  size_t rejected_ = 0;    // Trials in a row that did not pay.
  int64_t rest_ = 0;       // Windows until the next trial.
  int64_t next_rest_ = 4;  // Doubles while no trial pays.
};

}  // namespace tinytf::data
