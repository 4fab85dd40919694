#include <cstring>

#include "kernels/isa/copy_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int64_t kStreamBytes = 8 << 20;  // Bytes; a larger transposition does not stay in the caches anyway.

struct Dim {
  int64_t n, src, dst;
};

/// The dimensions of a move, outermost first, and a position in them.
struct Walk {
  int rank = 0;
  Dim dims[kMaxDims];
  int64_t index[kMaxDims];
  int64_t src = 0, dst = 0;

  int64_t count() const {
    int64_t n = 1;
    for (int k = 0; k < rank; ++k) n *= dims[k].n;
    return n;
  }
  void seek(int64_t position) {
    src = dst = 0;
    for (int k = rank - 1; k >= 0; --k) {
      index[k] = position % dims[k].n;
      position /= dims[k].n;
      src += index[k] * dims[k].src;
      dst += index[k] * dims[k].dst;
    }
  }
  void next() {
    for (int k = rank - 1; k >= 0; --k) {
      src += dims[k].src;
      dst += dims[k].dst;
      if (++index[k] < dims[k].n) return;
      src -= dims[k].n * dims[k].src;
      dst -= dims[k].n * dims[k].dst;
      index[k] = 0;
    }
  }
};

int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

/// Sorts by destination stride, drops dimensions of 1 and merges neighbors that are one run on both sides.
void simplify(Walk& walk) {
  int kept = 0;
  for (int k = 0; k < walk.rank; ++k) {
    const Dim dim = walk.dims[k];
    if (dim.n == 1) continue;
    int at = kept++;
    for (; at > 0 && magnitude(walk.dims[at - 1].dst) < magnitude(dim.dst); --at) walk.dims[at] = walk.dims[at - 1];
    walk.dims[at] = dim;
  }
  walk.rank = 0;
  for (int k = 0; k < kept; ++k) {
    const Dim dim = walk.dims[k];
    if (walk.rank > 0) {
      Dim& outer = walk.dims[walk.rank - 1];
      if (outer.src == dim.src * dim.n && outer.dst == dim.dst * dim.n) {
        outer = {outer.n * dim.n, dim.src, dim.dst};
        continue;
      }
    }
    walk.dims[walk.rank++] = dim;
  }
}

/// Turns a short innermost run into one larger element, if all strides allow it.
void widen(Walk& walk, size_t& size) {
  if (walk.rank < 2) return;
  const Dim inner = walk.dims[walk.rank - 1];
  const size_t bytes = size * static_cast<size_t>(inner.n);
  if (inner.src != 1 || inner.dst != 1 || (bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)) return;
  for (int k = 0; k + 1 < walk.rank; ++k) {
    if (walk.dims[k].src % inner.n != 0 || walk.dims[k].dst % inner.n != 0) return;
  }
  --walk.rank;
  for (int k = 0; k < walk.rank; ++k) {
    walk.dims[k].src /= inner.n;
    walk.dims[k].dst /= inner.n;
  }
  size = bytes;
}

template <class T>
inline void copy_row(const Loose<T>* src, int64_t src_stride, Loose<T>* dst, int64_t dst_stride, int64_t n) {
  if (dst_stride != 1) {
    for (int64_t i = 0; i < n; ++i) dst[i * dst_stride] = src[i * src_stride];
  } else if (src_stride == 1) {
    if (n * sizeof(T) <= 64) {
      for (int64_t i = 0; i < n; ++i) dst[i] = src[i];
    } else {
      std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
    }
  } else if (src_stride == 0) {
    const T value = *src;
    for (int64_t i = 0; i < n; ++i) dst[i] = value;
  } else if (src_stride == -1) {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[-i];
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i] = src[i * src_stride];
  }
}

template <class T>
void copy_rows(const T* src, T* dst, Walk walk, Parallel& parallel) {
  Dim row{1, 1, 1};
  if (walk.rank > 0) row = walk.dims[--walk.rank];
  const double cost = row.src == 1 && row.dst == 1 ? 0.08 * sizeof(T) : 0.6;
  constexpr int64_t kLongRow = 1 << 20;
  if (walk.rank == 0 || row.n >= kLongRow) {  // Splits rows.
    walk.seek(0);
    for (int64_t left = walk.count(); left > 0; --left, walk.next()) {
      parallel.run(row.n, 1024, cost, [&](int64_t begin, int64_t end) {
        copy_row<T>(src + walk.src + begin * row.src, row.src, dst + walk.dst + begin * row.dst, row.dst, end - begin);
      });
    }
    return;
  }
  parallel.run(walk.count(), 1, 3.0 + cost * static_cast<double>(row.n), [&](int64_t begin, int64_t end) {
    Walk at = walk;
    at.seek(begin);
    for (int64_t i = begin; i < end; ++i, at.next()) copy_row<T>(src + at.src, row.src, dst + at.dst, row.dst, row.n);
  });
}

/// Dimension `column` is contiguous in the source, and the innermost dimension in the destination.
void copy_transposed(const char* src, char* dst, size_t size, Walk walk, int column, Parallel& parallel) {
  const Dim row = walk.dims[--walk.rank];
  const Dim col = walk.dims[column];
  for (int k = column; k + 1 < walk.rank; ++k) walk.dims[k] = walk.dims[k + 1];
  --walk.rank;
  const int64_t bytes = static_cast<int64_t>(size);
  const int64_t line = 64 / bytes;
  // Panels of columns: one source line wide, `line` destination rows.
  const int64_t panels = (col.n + line - 1) / line;
  const int64_t outer = walk.count();
  const bool stream =
      outer * row.n * col.n * bytes >= kStreamBytes && reinterpret_cast<uintptr_t>(dst) % 64 == 0 && [&] {
        if (col.dst * bytes % 64 != 0) return false;
        for (int k = 0; k < walk.rank; ++k) {
          if (walk.dims[k].dst * bytes % 64 != 0) return false;
        }
        return true;
      }();
  // Several panels at a time keep the source's pages in use, chunks of rows the destination's pages.
  constexpr int64_t kPanels = 8;
  constexpr int64_t kRows = 128;
  const double cost = 0.15 * static_cast<double>(bytes * (panels == 1 ? col.n : line) * row.n) + 10.0;
  parallel.run(outer * panels, panels < kPanels ? 1 : kPanels, cost, [&](int64_t begin, int64_t end) {
    Walk at = walk;
    at.seek(begin / panels);
    for (int64_t panel = begin; panel < end; at.next()) {
      int64_t first = panel % panels;
      const int64_t last = first + (end - panel) < panels ? first + (end - panel) : panels;
      panel += last - first;
      for (; first < last; first += kPanels) {
        const int64_t stop = first + kPanels < last ? first + kPanels : last;
        const int64_t j = first * line;
        const int64_t columns = (stop * line < col.n ? stop * line : col.n) - j;
        for (int64_t i = 0; i < row.n; i += kRows) {
          transpose_block(src + (at.src + i * row.src + j) * bytes, row.src, dst + (at.dst + j * col.dst + i) * bytes,
                          col.dst, size, row.n - i < kRows ? row.n - i : kRows, columns, stream);
        }
      }
    }
    if (stream) stream_fence();
  });
}

}  // namespace

void strided(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* src_strides,
             const int64_t* dst_strides, Parallel& parallel) {
  Walk walk;
  for (int k = 0; k < rank; ++k) {
    if (dims[k] == 0) return;
  }
  for (int k = 0; k < rank; ++k) {
    if (dims[k] > 1) walk.dims[walk.rank++] = {dims[k], src_strides[k], dst_strides[k]};
  }
  simplify(walk);
  widen(walk, size);
  if (walk.rank >= 2 && walk.dims[walk.rank - 1].dst == 1 && walk.dims[walk.rank - 1].src > 1) {
    for (int k = walk.rank - 2; k >= 0; --k) {
      if (walk.dims[k].src == 1 && walk.dims[k].dst > 0) {
        return copy_transposed(static_cast<const char*>(src), static_cast<char*>(dst), size, walk, k, parallel);
      }
    }
  }
  with_word(size, [&](auto* word) {
    using T = std::remove_pointer_t<decltype(word)>;
    copy_rows(static_cast<const T*>(src), static_cast<T*>(dst), walk, parallel);
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
