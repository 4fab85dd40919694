#include "kernels/gather.h"

#include <cmath>
#include <cstring>

#include "kernels/isa/gather_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int64_t kChunk = 1024;

/// The first position in [begin, end) with an index outside [0, limit), or kAllInRange.
template <class Index>
int64_t check_chunk(const Index* index, int64_t begin, int64_t end, int64_t limit) {
  bool bad = false;
  for (int64_t i = begin; i < end; ++i) {
    bad |= static_cast<uint64_t>(static_cast<int64_t>(read_once(index + i))) >= static_cast<uint64_t>(limit);
  }
  for (int64_t i = begin; bad && i < end; ++i) {
    const int64_t at = read_once(index + i);
    if (at < 0 || at >= limit) return i;
  }
  return kAllInRange;
}

}  // namespace

int64_t check_indices(const Indices& indices, int64_t limit, Parallel& parallel) {
  return with_indices(indices, [&](const auto* index) {
    FirstBad bad;
    parallel.run(indices.count, kChunk, kCheckCost, [&](int64_t first, int64_t last) {
      for (int64_t begin = first; begin < last; begin += kChunk) {
        const int64_t at = check_chunk(index, begin, begin + kChunk < last ? begin + kChunk : last, limit);
        if (at != kAllInRange) return bad.report(at);
      }
    });
    return bad.get();
  });
}

namespace {

/// Copies `count` rows of a constant size, or of `bytes` if Bytes is 0. Returns how many precede the first bad index.
template <int64_t Bytes, class Index>
inline int64_t gather_rows(const char* params, int64_t limit, int64_t bytes, const Index* index, int64_t count,
                           char* out) {
  const int64_t size = Bytes != 0 ? Bytes : bytes;
  for (int64_t i = 0; i < count; ++i) {
    if ((Bytes == 0 || Bytes >= 32) && i + kPrefetchRows < count) {
      prefetch_row<0>(params, limit, size, read_once(index + i + kPrefetchRows));
    }
    const int64_t row = read_once(index + i);
    if (static_cast<uint64_t>(row) >= static_cast<uint64_t>(limit)) return i;
    std::memcpy(out + i * size, params + row * size, static_cast<size_t>(size));
  }
  return count;
}

int64_t gather(const void* params, int64_t batch, int64_t outer, int64_t limit, int64_t inner_bytes,
               const Indices& indices, void* out, Parallel& parallel) {
  if (indices.count == 0 || inner_bytes == 0) return check_indices(indices, limit, parallel);
  FirstBad bad;
  const int64_t per_batch = indices.count / batch;
  const double cost = 1.5 + 0.1 * static_cast<double>(inner_bytes);
  with_indices(indices, [&](const auto* index) {
    parallel.run(batch * outer * per_batch, 16, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end;) {
        const int64_t matrix = i / per_batch;  // Index into [batch, outer].
        const int64_t within = i % per_batch;
        const int64_t count = per_batch - within < end - i ? per_batch - within : end - i;
        const char* from = static_cast<const char*>(params) + matrix * limit * inner_bytes;
        const int64_t first = matrix / outer * per_batch + within;
        const auto* which = index + first;
        char* to = static_cast<char*>(out) + i * inner_bytes;
        int64_t done = 0;
        switch (inner_bytes) {
          case 1: done = gather_rows<1>(from, limit, 1, which, count, to); break;
          case 2: done = gather_rows<2>(from, limit, 2, which, count, to); break;
          case 4: done = gather_rows<4>(from, limit, 4, which, count, to); break;
          case 8: done = gather_rows<8>(from, limit, 8, which, count, to); break;
          case 16: done = gather_rows<16>(from, limit, 16, which, count, to); break;
          case 32: done = gather_rows<32>(from, limit, 32, which, count, to); break;
          case 64: done = gather_rows<64>(from, limit, 64, which, count, to); break;
          default: done = gather_rows<0>(from, limit, inner_bytes, which, count, to);
        }
        if (done != count) bad.report(first + done);
        i += count;
      }
    });
    return 0;
  });
  return bad.get();
}

int64_t flatten_nd(const Indices& coordinates, int depth, const int64_t* dims, int64_t* rows, Parallel& parallel) {
  FirstBad first_bad;
  with_indices(coordinates, [&](const auto* at) {
    parallel.run(coordinates.count, 256, 1.0 + depth, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t row = 0;
        bool bad = false;
        for (int k = 0; k < depth; ++k) {
          const int64_t coordinate = read_once(at + i * depth + k);
          bad |= static_cast<uint64_t>(coordinate) >= static_cast<uint64_t>(dims[k]);
          row = static_cast<int64_t>(static_cast<uint64_t>(row) * static_cast<uint64_t>(dims[k]) +
                                     static_cast<uint64_t>(coordinate));
        }
        rows[i] = row;
        if (!bad) continue;
        first_bad.report(i);
        return;
      }
    });
    return 0;
  });
  return first_bad.get();
}

int64_t scatter_update(void* rows, int64_t limit, int64_t inner_bytes, const Indices& indices, const void* updates,
                       size_t scalar_size, Parallel& parallel) {
  const int64_t bad = check_indices(indices, limit, parallel);
  if (bad != kAllInRange) return bad;
  constexpr double kCost = 0.1;  // Nanoseconds per byte.
  with_indices(indices, [&](const auto* index) {
    cut_target(limit, inner_bytes, indices.count, kCost, parallel,
               [&](int64_t row_begin, int64_t row_end, int64_t begin, int64_t end) {
                 parallel.run_in_order(indices.count, row_cost(kCost, end - begin), [=](int64_t first, int64_t last) {
                   for (int64_t i = first; i < last; ++i) {
                     const int64_t row = read_once(index + i);
                     if (row < row_begin || row >= row_end) continue;
                     char* to = static_cast<char*>(rows) + row * inner_bytes;
                     if (scalar_size == 0) {
                       std::memcpy(to + begin, static_cast<const char*>(updates) + i * inner_bytes + begin,
                                   static_cast<size_t>(end - begin));
                       continue;
                     }
                     // Ranges begin and end at multiples of 256 bytes, so at whole elements.
                     for (int64_t k = begin; k < end; k += static_cast<int64_t>(scalar_size)) {
                       std::memcpy(to + k, updates, scalar_size);
                     }
                   }
                 });
               });
    return 0;
  });
  return kAllInRange;
}

int64_t check_sorted(const Indices& ids, Parallel& parallel) {
  return with_indices(ids, [&](const auto* id) {
    FirstBad bad;
    parallel.run(ids.count, kChunk, kCheckCost, [&](int64_t begin, int64_t end) {
      int64_t before = begin > 0 ? int64_t{read_once(id + begin - 1)} : 0;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t here = read_once(id + i);
        if (here < before) return bad.report(i);  // Also if it is negative.
        before = here;
      }
    });
    return bad.get();
  });
}

int64_t invert_permutation(const Indices& in, void* out, Parallel& parallel) {
  return with_indices(in, [&](const auto* permutation) {
    using Index = std::remove_const_t<std::remove_pointer_t<decltype(permutation)>>;
    Index* inverse = static_cast<Index*>(out);
    constexpr double kCost = 4;  // Nanoseconds, with random access to memory.
    parallel.run(in.count, kChunk, kCheckCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) inverse[i] = -1;
    });
    int64_t bad = kAllInRange;
    parallel.run_in_order(in.count, kCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; bad == kAllInRange && i < end; ++i) {
        const Index target = read_once(permutation + i);
        if (target < 0 || target >= in.count || inverse[target] != -1) {
          bad = i;
        } else {
          inverse[target] = static_cast<Index>(i);
        }
      }
    });
    return bad;
  });
}

void in_top_k(const float* predictions, int64_t classes, const Indices& targets, int64_t k, bool* out,
              Parallel& parallel) {
  constexpr double kCost = 0.5;  // Nanoseconds per class.
  with_indices(targets, [&](const auto* target) {
    parallel.run(targets.count, 1, 5.0 + kCost * static_cast<double>(classes), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const float* values = predictions + row * classes;
        const int64_t wanted = read_once(target + row);
        bool known = wanted >= 0 && wanted < classes && std::isfinite(values[wanted]);
        int64_t above = 0;
        parallel.run_in_order(known ? classes : 0, kCost, [&](int64_t first, int64_t last) {
          for (int64_t j = first; known && j < last; ++j) {
            known = std::isfinite(values[j]);
            above += values[j] > values[wanted] ? 1 : 0;
          }
        });
        out[row] = known && above < k;
      }
    });
    return 0;
  });
}

}  // namespace

void fill(GatherTable& table) {
  table.gather = gather;
  table.flatten_nd = flatten_nd;
  table.scatter_update = scatter_update;
  table.check = check_indices;
  table.check_sorted = check_sorted;
  table.invert_permutation = invert_permutation;
  table.in_top_k = in_top_k;
  fill_scatters(table);
  fill_segments(table);
  fill_sparse_products(table);
  fill_top_k(table);
  fill_where(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
