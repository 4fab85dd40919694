#include <cstring>

#include "kernels/isa/copy_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// memcpy that is inlined for the sizes of single elements.
inline void copy_bytes(char* dst, const char* src, int64_t bytes) {
  switch (bytes) {
    case 4: std::memcpy(dst, src, 4); return;
    case 8: std::memcpy(dst, src, 8); return;
    case 16: std::memcpy(dst, src, 16); return;
    default: std::memcpy(dst, src, static_cast<size_t>(bytes));
  }
}

/// Splits the joined array, with rows of `row` bytes, into ranges and calls move(piece, offset within the piece's own
/// array, joined offset, bytes) for each part of a piece in a range.
template <class Move>
void for_pieces(const int64_t* inner_bytes, int count, int64_t outer, Parallel& parallel, const Move& move) {
  int64_t row = 0;
  for (int k = 0; k < count; ++k) row += inner_bytes[k];
  if (row == 0 || outer == 0) return;
  const double cost = 0.1 + 2.0 * count / static_cast<double>(row);
  parallel.run(outer * row, 4096, cost, [&](int64_t begin, int64_t end) {
    int64_t at = begin / row;      // Row.
    int64_t within = begin % row;  // Byte within the row, then within the piece.
    int piece = 0;
    while (within >= inner_bytes[piece]) within -= inner_bytes[piece++];
    for (int64_t position = begin; position < end;) {
      const int64_t left = inner_bytes[piece] - within;
      const int64_t bytes = left < end - position ? left : end - position;
      if (bytes > 0) move(piece, at * inner_bytes[piece] + within, position, bytes);
      position += bytes;
      within = 0;
      if (++piece == count) {
        piece = 0;
        ++at;
      }
    }
  });
}

void concat(const void* const* inputs, const int64_t* inner_bytes, int count, int64_t outer, void* dst,
            Parallel& parallel) {
  for_pieces(inner_bytes, count, outer, parallel, [&](int piece, int64_t offset, int64_t position, int64_t bytes) {
    copy_bytes(static_cast<char*>(dst) + position, static_cast<const char*>(inputs[piece]) + offset, bytes);
  });
}

void split(const void* src, int64_t outer, void* const* outputs, const int64_t* inner_bytes, int count,
           Parallel& parallel) {
  for_pieces(inner_bytes, count, outer, parallel, [&](int piece, int64_t offset, int64_t position, int64_t bytes) {
    if (outputs[piece] == nullptr) return;
    copy_bytes(static_cast<char*>(outputs[piece]) + offset, static_cast<const char*>(src) + position, bytes);
  });
}

template <class T, class Index>
void one_hot_rows(const Index* indices, int64_t prefix, int64_t depth, int64_t suffix, T on, T off, T* dst,
                  Parallel& parallel) {
  const int64_t row = depth * suffix;
  if (row == 0) return;
  const double cost = 2.0 * static_cast<double>(suffix) + 0.1 * static_cast<double>(row) * sizeof(T);
  parallel.run(prefix, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * row; i < end * row; ++i) dst[i] = off;
    for (int64_t p = begin; p < end; ++p) {
      for (int64_t s = 0; s < suffix; ++s) {
        const int64_t hot = static_cast<int64_t>(indices[p * suffix + s]);
        if (hot >= 0 && hot < depth) dst[p * row + hot * suffix + s] = on;
      }
    }
  });
}

void one_hot(const void* indices, DType index_type, int64_t prefix, int64_t depth, int64_t suffix, const void* on,
             const void* off, void* dst, size_t size, Parallel& parallel) {
  with_word(size, [&](auto* word) {
    using T = std::remove_pointer_t<decltype(word)>;
    T on_value, off_value;
    std::memcpy(&on_value, on, sizeof(T));
    std::memcpy(&off_value, off, sizeof(T));
    T* out = static_cast<T*>(dst);
    const auto rows = [&](auto* typed) {
      one_hot_rows(typed, prefix, depth, suffix, on_value, off_value, out, parallel);
    };
    if (index_type == DType::kInt32) {
      rows(static_cast<const int32_t*>(indices));
    } else if (index_type == DType::kInt64) {
      rows(static_cast<const int64_t*>(indices));
    } else {
      rows(static_cast<const uint8_t*>(indices));
    }
  });
}

}  // namespace

void fill_elements(void* dst, const void* value, size_t size, int64_t n, Parallel& parallel) {
  with_word(size, [&](auto* word) {
    using T = std::remove_pointer_t<decltype(word)>;
    T element;
    std::memcpy(&element, value, sizeof(T));
    T* out = static_cast<T*>(dst);
    parallel.run(n, 4096, 0.06 * sizeof(T), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out[i] = element;
    });
  });
}

void fill_joins(CopyTable& table) {
  table.concat = concat;
  table.split = split;
  table.one_hot = one_hot;
}

}  // namespace tinytf::kernels::TINYTF_ISA
