#include <atomic>

#include "kernels/isa/gather_parts.h"
#include "kernels/isa/scratch.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int64_t kChunk = 16384;
constexpr double kWriteCost = 1.0;  // Nanoseconds per element that may be true.

template <class T>
inline bool truth(T value) {
  if constexpr (kIsShort<T>) {
    return (value.bits & 0x7FFF) != 0;
  } else {
    return value != T(0);
  }
}

template <class T>
int64_t count_range(const T* in, int64_t n) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) count += truth(in[i]) ? 1 : 0;
  return count;
}

template <class T>
int64_t count_true(const void* in, int64_t n, Parallel& parallel) {
  std::atomic<int64_t> count{0};
  parallel.run(n, kChunk, 0.2, [&](int64_t begin, int64_t end) {
    count += count_range(static_cast<const T*>(in) + begin, end - begin);
  });
  return count;
}

/// Writes the coordinates of the true elements at positions [begin, end). Returns the end of the output.
template <class T>
int64_t* write_coordinates(const T* in, int rank, const int64_t* dims, int64_t begin, int64_t end, int64_t* out) {
  const int64_t width = rank > 0 ? dims[rank - 1] : 1;
  for (int64_t i = begin; i < end;) {
    const int64_t row = i / width;
    const int64_t stop = (row + 1) * width < end ? (row + 1) * width : end;
    for (; i < stop; ++i) {
      if (!truth(in[i])) continue;
      if (rank > 0) out[rank - 1] = i - row * width;
      int64_t rest = row;
      for (int k = rank - 2; k >= 0; --k) {
        out[k] = rest % dims[k];
        rest /= dims[k];
      }
      out += rank;
    }
  }
  return out;
}

template <class T>
void where(const void* in, int rank, const int64_t* dims, int64_t* coordinates, Parallel& parallel) {
  const T* elements = static_cast<const T*>(in);
  int64_t n = 1;
  for (int k = 0; k < rank; ++k) n *= dims[k];
  if (n <= kChunk || parallel.threads() == 1) {
    parallel.run_in_order(n, kWriteCost, [&](int64_t begin, int64_t end) {
      coordinates = write_coordinates(elements, rank, dims, begin, end, coordinates);
    });
    return;
  }
  const int64_t chunks = (n + kChunk - 1) / kChunk;
  const Scratch scratch(sizeof(int64_t) * static_cast<size_t>(chunks));
  int64_t* first = scratch.as<int64_t>();
  const auto end_of = [&](int64_t chunk) { return (chunk + 1) * kChunk < n ? (chunk + 1) * kChunk : n; };
  parallel.run(chunks, 1, 0.2 * kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) first[c] = count_range(elements + c * kChunk, end_of(c) - c * kChunk);
  });
  int64_t total = 0;
  for (int64_t c = 0; c < chunks; ++c) {
    const int64_t count = first[c];
    first[c] = total;
    total += count;
  }
  parallel.run(chunks, 1, kWriteCost * kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      write_coordinates(elements, rank, dims, c * kChunk, end_of(c), coordinates + first[c] * rank);
    }
  });
}

/// Index of the element that padded position i mirrors in a dimension of n elements.
int64_t mirrored(int64_t i, int64_t before, int64_t n, int64_t skip) {
  const int64_t at = i - before;
  if (at < 0) return -at - 1 + skip;
  return at < n ? at : 2 * n - 1 - skip - at;
}

template <class T>
void mirror_pad_grad(const void* in, void* out, int rank, const int64_t* dims, const int64_t* before,
                     const int64_t* after, int skip, Parallel& parallel) {
  const T* source = static_cast<const T*>(in);
  T* target = static_cast<T*>(out);
  int64_t elements = 1, rows = 1;
  for (int k = 0; k < rank; ++k) {
    elements *= dims[k];
    if (k + 1 < rank) rows *= before[k] + dims[k] + after[k];
  }
  parallel.run(elements, kChunk, 0.1 * sizeof(T), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) target[i] = static_cast<T>(0.0f);
  });
  if (elements == 0) return;
  if (rank == 0) {
    target[0] = source[0];
    return;
  }
  const int last = rank - 1;
  const int64_t n = dims[last], left = before[last], width = left + n + after[last];
  const auto add_row = [&](int64_t row) {
    const T* const from = source + row * width;
    int64_t rest = row, stride = n, offset = 0;
    for (int k = last - 1; k >= 0; --k) {
      const int64_t padded = before[k] + dims[k] + after[k];
      offset += mirrored(rest % padded, before[k], dims[k], skip) * stride;
      rest /= padded;
      stride *= dims[k];
    }
    T* to = target + offset;
    for (int64_t i = 0; i < left; ++i) {
      T& sum = to[mirrored(i, left, n, skip)];
      sum = Add::apply(sum, from[i]);
    }
    for (int64_t i = 0; i < n; ++i) to[i] = Add::apply(to[i], from[left + i]);
    for (int64_t i = left + n; i < width; ++i) {
      T& sum = to[mirrored(i, left, n, skip)];
      sum = Add::apply(sum, from[i]);
    }
  };
  parallel.run_in_order(rows, 5.0 + static_cast<double>(width), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) add_row(row);
  });
}

}  // namespace

void fill_where(GatherTable& table) {
#define TINYTF_X(constant, number, name, type) \
  table.count_true[number] = count_true<type>; \
  table.where[number] = where<type>;           \
  if constexpr (!std::is_same_v<type, bool>) table.mirror_pad_grad[number] = mirror_pad_grad<type>;
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

}  // namespace tinytf::kernels::TINYTF_ISA
