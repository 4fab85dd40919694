#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tinytf::ops {

/// The order in which an epoch reads files. It equals TensorFlow 1.15's order for the same seed, and so depends on the
/// shuffle of its C++ library.
class EpochOrder {
 public:
  EpochOrder(int64_t seed, int64_t epoch)
      : generator_(hash(static_cast<uint64_t>(epoch), static_cast<uint64_t>(seed))) {}

  template <class T>
  void shuffle(std::vector<T>& items) {
    const size_t size = items.size();
    if (size < 2) return;
    size_t i = 1;
    if (size % 2 == 0) {
      std::swap(items[i], items[below(2)]);
      ++i;
    }
    for (; i < size; i += 2) {  // one random number serves two positions
      const uint64_t both = below((i + 1) * (i + 2));
      std::swap(items[i], items[both / (i + 2)]);
      std::swap(items[i + 1], items[both % (i + 2)]);
    }
  }

  /// Moves the first part of the items, of size `share`, behind the others. No effect unless share is in [0, 1).
  template <class T>
  static void rotate(std::vector<T>& items, float share) {
    if (!(share >= 0 && share < 1)) return;
    const auto first = static_cast<std::ptrdiff_t>(share * static_cast<float>(items.size()));
    std::rotate(items.begin(), items.begin() + std::min(first, static_cast<std::ptrdiff_t>(items.size())), items.end());
  }

 private:
  /// MurmurHash64A of an eight-byte key.
  static uint64_t hash(uint64_t key, uint64_t seed) {
    constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
    constexpr int kShift = 47;
    uint64_t h = seed ^ (8 * kFactor);
    key *= kFactor;
    key ^= key >> kShift;
    h = (h ^ (key * kFactor)) * kFactor;
    h = (h ^ (h >> kShift)) * kFactor;
    return h ^ (h >> kShift);
  }

  /// A uniform number in [0, end). `end` must not be 0 and must be much smaller than 2^64.
  uint64_t below(uint64_t end) {
    const uint64_t bucket = UINT64_MAX / end;
    uint64_t drawn = generator_();
    while (drawn >= bucket * end) drawn = generator_();
    return drawn / bucket;
  }

  std::mt19937_64 generator_;
};

}  // namespace tinytf::ops
