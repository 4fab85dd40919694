#include <algorithm>

#include "kernels/isa/gather_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
T number(float value) {
  return static_cast<T>(value);
}

/// Index of the first of n ascending ids that is not below `bound`.
template <class Index>
int64_t first_at_least(const Index* id, int64_t n, int64_t bound) {
  int64_t first = 0;
  while (n > 0) {
    const int64_t half = n / 2;
    if (read_once(id + first + half) < bound) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}

/// The end of the run of ids equal to `wanted` among n ascending ids. The run, which may be empty, begins at `begin`.
template <class Index>
int64_t end_of_run(const Index* id, int64_t n, int64_t begin, int64_t wanted) {
  int64_t step = 1;
  while (begin < n && read_once(id + begin) == wanted) {
    if (n - begin <= step || read_once(id + begin + step) != wanted) {
      return begin + first_at_least(id + begin, std::min(step, n - begin), wanted + 1);
    }
    begin += step;
    step *= 2;
  }
  return begin;
}

/// Position of the first id that is not below `segments`; negative ids are left to the caller.
template <class Index>
int64_t check_below(const Index* id, int64_t n, int64_t segments, Parallel& parallel) {
  FirstBad bad;
  parallel.run(n, 1024, kCheckCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (read_once(id + i) >= segments) return bad.report(i);
    }
  });
  return bad.get();
}

constexpr double kCombineCost = 0.3;  // Nanoseconds per element.
constexpr int64_t kShortRun = 64;     // Rows that are reduced before the rest of their run goes through `parallel`.

/// One kind of reduction over one type.
struct Reduction {
  int64_t size;       // Of an element, in bytes.
  RowFn assign;       // to = from.
  RowFn combine;      // to = op(to, from).
  RowFn divide;       // to = to / from; null if no mean is needed.
  const void* empty;  // Value of a segment without rows.
};

int64_t reduce_unsorted(const void* data, int64_t inner, const Indices& ids, int64_t segments, void* out,
                        const Reduction& op, Parallel& parallel) {
  const char* source = static_cast<const char*>(data);
  char* target = static_cast<char*>(out);
  return with_indices(ids, [&](const auto* id) {
    const int64_t bad = check_below(id, ids.count, segments, parallel);
    if (bad != kAllInRange) return bad;
    cut_target(segments, inner, ids.count + segments, kCombineCost, parallel,
               [&](int64_t row_begin, int64_t row_end, int64_t begin, int64_t end) {
                 const double cost = row_cost(kCombineCost, end - begin);
                 parallel.run_in_order(row_end - row_begin, cost, [&](int64_t first, int64_t last) {
                   for (int64_t row = row_begin + first; row < row_begin + last; ++row) {
                     op.assign(target + (row * inner + begin) * op.size, op.empty, end - begin, true);
                   }
                 });
                 parallel.run_in_order(ids.count, cost, [=, n = ids.count](int64_t first, int64_t last) {
                   for (int64_t i = first; i < last; ++i) {
                     const int64_t row = read_once(id + i);
                     if (i + kPrefetchRows < n) {
                       prefetch_row<1>(target + begin * op.size, segments, inner * op.size,
                                       read_once(id + i + kPrefetchRows));
                     }
                     if (row < row_begin || row >= row_end) continue;
                     op.combine(target + (row * inner + begin) * op.size, source + (i * inner + begin) * op.size,
                                end - begin, false);
                   }
                 });
               });
    return kAllInRange;
  });
}

/// Rows of a segment are contiguous: the first is copied to the target row, the others are reduced into it. `count_of`
/// converts a number of rows to an element, for the mean.
int64_t reduce_sorted(const void* data, int64_t inner, const Indices& ids, int64_t segments, void* out,
                      const Reduction& op, void (*count_of)(int64_t, void*), Parallel& parallel) {
  const char* source = static_cast<const char*>(data);
  char* target = static_cast<char*>(out);
  return with_indices(ids, [&](const auto* id) {
    const int64_t bad = check_below(id, ids.count, segments, parallel);
    if (bad != kAllInRange) return bad;
    const double rows_per_segment = static_cast<double>(ids.count) / static_cast<double>(segments);
    const auto body = [&](int64_t row_begin, int64_t row_end, int64_t begin, int64_t end) {
      const int64_t width = end - begin;
      const double cost = row_cost(kCombineCost, width);
      // Reduces the run of ids from position i on; returns the position of the first id of another row.
      const auto reduce_row = [=, &parallel, count = ids.count](int64_t row, int64_t i) {
        char* const to = target + (row * inner + begin) * op.size;
        const char* const from = source + (i * inner + begin) * op.size;
        if (i >= count || read_once(id + i) != row) {
          op.assign(to, op.empty, width, true);
          return i;
        }
        const int64_t begin_of_run = i;
        op.assign(to, from, width, false);
        for (++i; i < count && read_once(id + i) == row; ++i) {
          if (i - begin_of_run == kShortRun) {  // Reduces the rest of the run.
            const int64_t start = i;
            i = end_of_run(id, count, start, row);
            parallel.run_in_order(i - start, cost, [=](int64_t first, int64_t last) {
              for (const char* at = from + (kShortRun + first) * inner * op.size; first < last; ++first) {
                op.combine(to, at, width, false);
                at += inner * op.size;
              }
            });
            break;
          }
          op.combine(to, from + (i - begin_of_run) * inner * op.size, width, false);
        }
        if (op.divide == nullptr) return i;
        alignas(16) char divisor[16];
        count_of(i - begin_of_run, divisor);
        op.divide(to, divisor, width, true);
        return i;
      };
      int64_t at = first_at_least(id, ids.count, row_begin);
      parallel.run_in_order(row_end - row_begin, cost * (1 + rows_per_segment), [&](int64_t first, int64_t last) {
        const auto reduce = reduce_row;  // A local copy, so that its captures need not be reloaded.
        int64_t i = at;
        for (int64_t row = row_begin + first; row < row_begin + last; ++row) i = reduce(row, i);
        at = i;
      });
    };
    cut_target(segments, inner, ids.count + segments, kCombineCost, parallel, body);
    return kAllInRange;
  });
}

struct Assign {
  template <class T>
  static T apply(T, T b) {
    return b;
  }
};

template <class T>
void store_count(int64_t count, void* out) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>) {
    *static_cast<T*>(out) = static_cast<T>(count);
  } else {
    *static_cast<T*>(out) = number<T>(static_cast<float>(count));
  }
}

template <class T, class Op, class Identity>
int64_t unsorted_segment(const void* data, int64_t inner, const Indices& ids, int64_t segments, void* out,
                         Parallel& parallel) {
  const T empty = Identity::template value<T>();
  const Reduction op = {sizeof(T), combine_row<T, Assign>, combine_row<T, Op>, nullptr, &empty};
  return reduce_unsorted(data, inner, ids, segments, out, op, parallel);
}

template <class T, class Op, bool Mean>
int64_t sorted_segment(const void* data, int64_t inner, const Indices& ids, int64_t segments, void* out,
                       Parallel& parallel) {
  const T empty = number<T>(std::is_same_v<Op, Mul> ? 1.0f : 0.0f);
  const Reduction op = {sizeof(T), combine_row<T, Assign>, combine_row<T, Op>,
                        Mean ? combine_row<T, Div> : static_cast<RowFn>(nullptr), &empty};
  return reduce_sorted(data, inner, ids, segments, out, op, store_count<T>, parallel);
}

struct Zero {
  template <class T>
  static T value() {
    return number<T>(0.0f);
  }
};
struct One {
  template <class T>
  static T value() {
    return number<T>(1.0f);
  }
};
struct Lowest {
  template <class T>
  static T value() {
    return lowest_value<T>();
  }
};
struct Greatest {
  template <class T>
  static T value() {
    return greatest_value<T>();
  }
};

template <class T>
void fill_type(GatherTable& table, int dtype) {
  using W = typename Wrapping<T>::type;
  constexpr int sum = static_cast<int>(Segment::kSum), mean = static_cast<int>(Segment::kMean),
                prod = static_cast<int>(Segment::kProd), min = static_cast<int>(Segment::kMin),
                max = static_cast<int>(Segment::kMax);
  table.segment[sum][dtype] = sorted_segment<W, Add, false>;
  table.segment[mean][dtype] = sorted_segment<T, Add, true>;
  table.segment[prod][dtype] = sorted_segment<W, Mul, false>;
  table.unsorted_segment[sum][dtype] = unsorted_segment<W, Add, Zero>;
  table.unsorted_segment[prod][dtype] = unsorted_segment<W, Mul, One>;
  if constexpr (!IsComplex<T>::value) {
    table.segment[min][dtype] = sorted_segment<T, Min, false>;
    table.segment[max][dtype] = sorted_segment<T, Max, false>;
    table.unsorted_segment[min][dtype] = unsorted_segment<T, Min, Greatest>;
    table.unsorted_segment[max][dtype] = unsorted_segment<T, Max, Lowest>;
  }
}

}  // namespace

void fill_segments(GatherTable& table) {
#define TINYTF_X(constant, number, name, type) \
  if constexpr (!std::is_same_v<type, bool>) fill_type<type>(table, number);
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

}  // namespace tinytf::kernels::TINYTF_ISA
