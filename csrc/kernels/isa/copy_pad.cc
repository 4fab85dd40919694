#include <cstring>

#include "kernels/isa/copy_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// A padding whose unpadded dimensions are merged into their outer neighbors.
struct Frame {
  int rank = 0;
  int64_t run = 1;
  int64_t dims[kMaxDims];
  int64_t before[kMaxDims];
  int64_t out[kMaxDims];
  int64_t src_strides[kMaxDims];  // In elements.
  bool empty = false;

  Frame(int from_rank, const int64_t* from_dims, const int64_t* from_before, const int64_t* after) {
    for (int k = 0; k < from_rank; ++k) {
      const int64_t n = from_before[k] + from_dims[k] + after[k];
      if (n == 0) empty = true;
      if (n == 1 && from_dims[k] == 1) continue;
      if (rank > 0 && from_before[k] == 0 && after[k] == 0) {  // Merges into its outer neighbor.
        dims[rank - 1] *= n;
        before[rank - 1] *= n;
        out[rank - 1] *= n;
        unit[rank - 1] *= n;
        continue;
      }
      dims[rank] = from_dims[k];
      before[rank] = from_before[k];
      out[rank] = n;
      unit[rank++] = 1;
    }
    if (rank == 0) dims[0] = out[0] = unit[0] = 1, before[0] = 0, rank = 1;
    int64_t stride = 1;
    for (int k = rank - 1; k >= 0; --k) {
      src_strides[k] = stride;
      stride *= dims[k];
    }
  }

  int64_t rows() const {
    int64_t n = 1;
    for (int k = 0; k + 1 < rank; ++k) n *= out[k];
    return n;
  }

  /// Number of elements of dimension k that move as one, because dimensions were merged into it.
  int64_t unit[kMaxDims];
};

/// Calls row(source offset of the row, or -1 in the padding, row number) for rows [begin, end). source(k, i) maps an
/// output index of dimension k to a source index or -1.
template <class Source, class Row>
void for_rows(const Frame& frame, int64_t begin, int64_t end, const Source& source, const Row& row) {
  const int outer = frame.rank - 1;
  int64_t index[kMaxDims];
  int64_t position = begin;
  for (int k = outer - 1; k >= 0; --k) {
    index[k] = position % frame.out[k];
    position /= frame.out[k];
  }
  for (int64_t i = begin; i < end; ++i) {
    int64_t offset = 0;
    for (int k = 0; k < outer && offset >= 0; ++k) {
      const int64_t at = source(k, index[k]);
      offset = at < 0 ? -1 : offset + at * frame.src_strides[k];
    }
    row(offset, i);
    for (int k = outer - 1; k >= 0; --k) {
      if (++index[k] < frame.out[k]) break;
      index[k] = 0;
    }
  }
}

template <class T>
void repeat(T* dst, T value, int64_t n) {
  for (int64_t i = 0; i < n; ++i) dst[i] = value;
}

template <class T>
void pad_rows(const T* src, T* dst, const Frame& frame, T value, Parallel& parallel) {
  const int last = frame.rank - 1;
  const int64_t width = frame.out[last];
  const int64_t left = frame.before[last];
  const int64_t inside = frame.dims[last];
  const auto source = [&](int k, int64_t i) {
    const int64_t at = i - frame.before[k];
    return at >= 0 && at < frame.dims[k] ? at : -1;
  };
  parallel.run(frame.rows(), 1, 5.0 + 0.1 * static_cast<double>(width) * sizeof(T), [&](int64_t begin, int64_t end) {
    for_rows(frame, begin, end, source, [&](int64_t offset, int64_t i) {
      T* row = dst + i * width;
      if (offset < 0) return repeat(row, value, width);
      repeat(row, value, left);
      if (inside > 0) std::memcpy(row + left, src + offset, static_cast<size_t>(inside) * sizeof(T));
      repeat(row + left + inside, value, width - left - inside);
    });
  });
}

void pad(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* before,
         const int64_t* after, const void* value, Parallel& parallel) {
  const Frame frame(rank, dims, before, after);
  if (frame.empty) return;
  with_word(size, [&](auto* word) {
    using T = std::remove_pointer_t<decltype(word)>;
    T fill_value;
    std::memcpy(&fill_value, value, sizeof(T));
    pad_rows(static_cast<const T*>(src), static_cast<T*>(dst), frame, fill_value, parallel);
  });
}

/// Source index of output index i in a dimension of n elements after `before` mirrored ones.
inline int64_t mirrored(int64_t i, int64_t before, int64_t n, int64_t skip) {
  const int64_t at = i - before;
  if (at < 0) return -at - 1 + skip;
  return at < n ? at : 2 * n - 1 - skip - at;
}

template <class T>
void mirror_rows(const T* src, T* dst, const Frame& frame, int64_t skip, Parallel& parallel) {
  const int last = frame.rank - 1;
  const int64_t unit = frame.unit[last];
  const int64_t width = frame.out[last] / unit;
  const int64_t left = frame.before[last] / unit;
  const int64_t inside = frame.dims[last] / unit;
  const auto source = [&](int k, int64_t i) {
    const int64_t whole = frame.unit[k];
    return mirrored(i / whole, frame.before[k] / whole, frame.dims[k] / whole, skip) * whole + i % whole;
  };
  const auto copy_rim = [&](const T* from, T* to, int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      const T* piece = from + mirrored(j, left, inside, skip) * unit;
      for (int64_t k = 0; k < unit; ++k) to[j * unit + k] = piece[k];
    }
  };
  const double bytes = static_cast<double>(width * unit) * sizeof(T);
  parallel.run(frame.rows(), 1, 5.0 + 0.1 * bytes, [&](int64_t begin, int64_t end) {
    for_rows(frame, begin, end, source, [&](int64_t offset, int64_t i) {
      const T* from = src + offset;
      T* to = dst + i * width * unit;
      copy_rim(from, to, 0, left);
      std::memcpy(to + left * unit, from, static_cast<size_t>(inside * unit) * sizeof(T));
      copy_rim(from, to, left + inside, width);
    });
  });
}

void mirror_pad(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* before,
                const int64_t* after, int skip, Parallel& parallel) {
  const Frame frame(rank, dims, before, after);
  if (frame.empty) return;
  with_word(size, [&](auto* word) {
    using T = std::remove_pointer_t<decltype(word)>;
    mirror_rows(static_cast<const T*>(src), static_cast<T*>(dst), frame, skip, parallel);
  });
}

}  // namespace

void fill_pads(CopyTable& table) {
  table.pad = pad;
  table.mirror_pad = mirror_pad;
}

}  // namespace tinytf::kernels::TINYTF_ISA
