#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "kernels/random.h"
#include "tensor/resource_handle.h"

namespace tinytf::ops {

/// The numbers of TensorFlow's `SingleSampleAdapter<PhiloxRandom>`: the words of a Philox stream, one after the other.
/// Not thread-safe.
class RandomWords {
 public:
  RandomWords(int64_t seed, int64_t seed2) : first_(kernels::Philox::from_seeds(seed, seed2)), philox_(first_) {
    philox_.next(words_);
  }

  uint32_t next() {
    const uint32_t word = peek();
    if (++drawn_ % 4 == 0) philox_.next(words_);
    return word;
  }
  /// The word that next() will return.
  uint32_t peek() const { return words_[drawn_ % 4]; }
  /// The number of words drawn so far.
  int64_t drawn() const { return static_cast<int64_t>(drawn_); }
  /// Goes to the state after `drawn` words, which may be any number.
  void set_drawn(int64_t drawn) {
    drawn_ = static_cast<uint64_t>(drawn);
    philox_ = first_;
    philox_.skip(drawn_ / 4);
    philox_.next(words_);
  }

 private:
  const kernels::Philox first_;
  kernels::Philox philox_;
  uint64_t drawn_ = 0;
  uint32_t words_[4] = {};  // The block of the next word.
};

/// A pair of seeds of a dataset. TensorFlow replaces two zeros by random numbers.
struct Seeds {
  int64_t seed = 0;
  int64_t seed2 = 0;

  static Seeds of(int64_t seed, int64_t seed2) {
    if (seed != 0 || seed2 != 0) return {seed, seed2};
    RandomWords words(0, 0);
    const auto draw = [&words] {
      const uint64_t high = words.next();
      return static_cast<int64_t>(high << 32 | words.next());
    };
    const int64_t first = draw();
    return {first, draw()};
  }
};

/// Yields the seeds of each round of a shuffle that orders every round differently. Thread-safe.
class SeedGenerator final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::(anonymous namespace)::RandomSeedGenerator";

  explicit SeedGenerator(Seeds seeds) : words_(seeds.seed, seeds.seed2) {}

  Seeds next() {
    const std::lock_guard lock(mutex_);
    const int64_t seed = words_.next();
    return {seed, words_.next()};
  }
  int64_t drawn() const {
    const std::lock_guard lock(mutex_);
    return words_.drawn();
  }
  void set_drawn(int64_t drawn) {
    const std::lock_guard lock(mutex_);
    words_.set_drawn(drawn);
  }
  std::string debug_string() const override { return "RandomSeedGenerator"; }

 private:
  mutable std::mutex mutex_;  // Guards words_. Held briefly, and together with no other lock.
  RandomWords words_;
};

}  // namespace tinytf::ops
