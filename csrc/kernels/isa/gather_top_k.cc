#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/isa/gather_parts.h"
#include "kernels/isa/scratch.h"

// Each element is ranked by one unsigned number. The upper bits are its value, mapped so that the numbers sort like the
// values; the lower bits are the complement of its index, so that the first of two equal values ranks higher.
namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
using Rank = std::conditional_t<sizeof(T) == 8, unsigned __int128, uint64_t>;

inline uint64_t order_bits(float value) {
  if (value != value) return 0;
  const float zero = value + 0.0f;  // -0 equals 0.
  uint32_t bits;
  std::memcpy(&bits, &zero, sizeof bits);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

inline uint64_t order_bits(double value) {
  if (value != value) return 0;
  const double zero = value + 0.0;
  uint64_t bits;
  std::memcpy(&bits, &zero, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | uint64_t{1} << 63;
}

inline uint64_t order_bits(Half value) { return order_bits(static_cast<float>(value)); }
inline uint64_t order_bits(BFloat16 value) { return order_bits(static_cast<float>(value)); }

template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
inline uint64_t order_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return std::is_signed_v<T> ? static_cast<uint64_t>(value) ^ uint64_t { 1 } << 63 : static_cast<uint64_t>(value);
  } else {
    return static_cast<uint32_t>(static_cast<int64_t>(value) + (std::is_signed_v<T> ? int64_t{1} << 31 : 0));
  }
}

template <class T>
inline Rank<T> rank_of(T value, int64_t index) {
  return static_cast<Rank<T>>(order_bits(value)) << 32 | static_cast<uint32_t>(~static_cast<uint32_t>(index));
}

/// Replaces the least value of a min-heap by `value`.
template <class R>
inline void replace_least(R* heap, int64_t n, R value) {
  int64_t at = 0;
  for (;;) {
    int64_t child = 2 * at + 1;
    if (child >= n) break;
    if (child + 1 < n && heap[child + 1] < heap[child]) ++child;
    if (!(heap[child] < value)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = value;
}

// Own comparators keep the library's template instances apart from the instances of other ISA levels.
struct Ascending {
  template <class R>
  bool operator()(const R& a, const R& b) const {
    return a < b;
  }
};

struct Descending {
  template <class R>
  bool operator()(const R& a, const R& b) const {
    return b < a;
  }
};

template <class T>
using Compared = std::conditional_t<kIsShort<T>, float, T>;

/// Whether any of n elements may rank above the bound (with OrEqual: or equal it); true if a NaN is involved.
template <bool OrEqual, class T>
inline bool may_pass(const T* block, int n, Compared<T> bound) {
  int pass = 0;
  for (int i = 0; i < n; ++i) {
    const Compared<T> value = static_cast<Compared<T>>(block[i]);
    pass |= OrEqual ? !(value < bound) : !(value <= bound);
  }
  return pass != 0;
}

constexpr int kBlock = 32;
constexpr int kGroups = 128;
// Nanoseconds per element: to scan it, to rank it among all, to keep it in order among the best.
constexpr double kScanCost = 0.5, kSelectCost = 15.0, kKeepCost = 30.0;
constexpr double kLoadCost = 4.0;  // Nanoseconds per load from anywhere in the row.

/// A value that at least k elements reach: the k-th greatest of the maxima of interleaved groups. If k is well below
/// the number of groups, few other elements reach it.
template <class T>
Compared<T> reached_by(const T* in, int64_t cols, int64_t k, Parallel& parallel) {
  Compared<T> greatest[kGroups];
  for (auto& value : greatest) {
    value = std::is_floating_point_v<Compared<T>> ? -std::numeric_limits<Compared<T>>::infinity()
                                                  : std::numeric_limits<Compared<T>>::lowest();
  }
  parallel.run_in_order(cols / kGroups, kScanCost * kGroups, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * kGroups; i < end * kGroups; i += kGroups) {
      for (int j = 0; j < kGroups; ++j) {
        const Compared<T> value = static_cast<Compared<T>>(in[i + j]);
        greatest[j] = greatest[j] < value ? value : greatest[j];
      }
    }
  });
  std::nth_element(greatest, greatest + k - 1, greatest + kGroups, Descending());
  return greatest[k - 1];
}

/// Stores the ranks of the best k of a row in `best`, best first. Keeps a heap of k and skips blocks without a better
/// element unranked.
template <class T>
void best_by_heap(const T* in, int64_t cols, int64_t k, Rank<T>* best, Parallel& parallel) {
  int64_t i = 0;
  if (k > 1 && k <= kGroups / 4 && cols >= 8 * kGroups) {
    const Compared<T> floor = reached_by(in, cols, k, parallel);
    for (int64_t have = 0; have < k; ++i) {
      while (i + kBlock <= cols && !may_pass<true>(in + i, kBlock, floor)) i += kBlock;
      while (!may_pass<true>(in + i, 1, floor)) ++i;
      best[have++] = rank_of(in[i], i);
    }
  } else {
    for (; i < k; ++i) best[i] = rank_of(in[i], i);
  }
  std::sort(best, best + k, Ascending());  // An ascending sequence is a min-heap.
  const auto least = [&] { return static_cast<Compared<T>>(in[~static_cast<uint32_t>(best[0])]); };
  Compared<T> bound = least();
  const int64_t rest = i;
  parallel.run_in_order(cols - rest, kScanCost, [&](int64_t begin, int64_t end) {
    const int64_t last = rest + end;
    for (int64_t first = rest + begin; first < last; first += kBlock) {
      const int n = static_cast<int>(last - first < kBlock ? last - first : kBlock);
      if (!(n == kBlock ? may_pass<false>(in + first, kBlock, bound) : may_pass<false>(in + first, n, bound))) continue;
      for (int64_t j = first; j < first + n; ++j) {
        if (!may_pass<false>(in + j, 1, bound)) continue;
        const Rank<T> rank = rank_of(in[j], j);
        if (!(best[0] < rank)) continue;
        replace_least(best, k, rank);
        bound = least();
      }
    }
  });
  std::sort(best, best + k, Descending());
}

/// A value near the median of n distinct ones.
template <class R>
R pivot_of(const R* all, int64_t n) {
  constexpr int kSamples = 255;
  R samples[kSamples];
  uint64_t bits = 0;
  for (R& sample : samples) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    sample = all[(bits >> 16) % static_cast<uint64_t>(n)];
  }
  std::nth_element(samples, samples + kSamples / 2, samples + kSamples, Descending());
  return samples[kSamples / 2];
}

/// Moves the ranks greater than the pivot to the front of n distinct ranks; returns their number.
template <class R>
int64_t move_greater(R* all, int64_t n, R pivot, Parallel& parallel) {
  int64_t count = 0;
  parallel.run_in_order(n, kScanCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const R rank = all[i];
      all[i] = all[count];
      all[count] = rank;
      count += pivot < rank ? 1 : 0;
    }
  });
  return count;
}

/// Moves the k greatest of n distinct ranks to the front, in descending order.
template <class R>
void sort_greatest(R* all, int64_t n, int64_t k, Parallel& parallel) {
  constexpr int64_t kShort = 1 << 17;  // This many take the library some milliseconds.
  while (n > kShort && k > 0) {
    const int64_t greater = move_greater(all, n, pivot_of(all, n), parallel);
    sort_greatest(all, greater, greater < k ? greater : k, parallel);
    if (k <= greater) return;
    all += greater;
    n -= greater;
    k -= greater;
  }
  if (k < n) std::nth_element(all, all + k, all + n, Descending());
  std::sort(all, all + k, Descending());
}

template <class T>
void best_by_selection(const T* in, int64_t cols, int64_t k, Rank<T>* all, Parallel& parallel) {
  parallel.run_in_order(cols, kScanCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) all[i] = rank_of(in[i], i);
  });
  sort_greatest(all, cols, k, parallel);
}

template <class T>
void top_k(const void* in, int64_t rows, int64_t cols, int64_t k, void* values, int32_t* indices, Parallel& parallel) {
  if (k == 0) return;
  const bool select = k > cols / 8;
  const double cost =
      100.0 + (select ? kSelectCost : kScanCost) * static_cast<double>(cols) + kKeepCost * static_cast<double>(k);
  parallel.run(rows, 1, cost, [&](int64_t begin, int64_t end) {
    const Scratch scratch(sizeof(Rank<T>) * static_cast<size_t>(select ? cols : k));
    Rank<T>* best = scratch.as<Rank<T>>();
    for (int64_t row = begin; row < end; ++row) {
      const T* from = static_cast<const T*>(in) + row * cols;
      if (select) {
        best_by_selection(from, cols, k, best, parallel);
      } else {
        best_by_heap(from, cols, k, best, parallel);
      }
      parallel.run_in_order(k, kLoadCost, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          const uint32_t index = ~static_cast<uint32_t>(best[i]);
          indices[row * k + i] = static_cast<int32_t>(index);
          static_cast<T*>(values)[row * k + i] = from[index];
        }
      });
    }
  });
}

}  // namespace

void fill_top_k(GatherTable& table) {
#define TINYTF_X(constant, number, name, type)                            \
  if constexpr (!std::is_same_v<type, bool> && !IsComplex<type>::value) { \
    table.top_k[number] = top_k<type>;                                    \
  }
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

}  // namespace tinytf::kernels::TINYTF_ISA
