#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/copy.h"

namespace tinytf::kernels::TINYTF_ISA {

/// Elements as opaque words. A loop reads and writes its buffers as one word type only, and code that knows the element
/// type is compiled separately, so that aliasing rules are not violated.
using Word1 = uint8_t;
using Word2 = uint16_t;
using Word4 = uint32_t;
using Word8 = uint64_t;
struct __attribute__((packed)) Word16 {  // A complex128, which is not always aligned to 16 bytes.
  uint64_t low, high;
};

/// A word T for loads and stores at any address. Tensors may begin anywhere, and short runs of elements are moved as
/// one larger word.
template <class T>
struct AnyAddress {
  typedef T type __attribute__((aligned(1)));
};
template <class T>
using Loose = typename AnyAddress<T>::type;

/// Calls f with a null pointer to the word of that many bytes.
template <class F>
static inline void with_word(size_t size, const F& f) {
  switch (size) {
    case 1: return f(static_cast<Word1*>(nullptr));
    case 2: return f(static_cast<Word2*>(nullptr));
    case 4: return f(static_cast<Word4*>(nullptr));
    case 8: return f(static_cast<Word8*>(nullptr));
    default: return f(static_cast<Word16*>(nullptr));
  }
}

/// A non-empty numeric shape cannot have more dimensions greater than 1.
inline constexpr int kMaxDims = 64;

/// See CopyTable::strided.
void strided(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* src_strides,
             const int64_t* dst_strides, Parallel& parallel);
/// See CopyTable::fill.
void fill_elements(void* dst, const void* value, size_t size, int64_t n, Parallel& parallel);

/// dst[j * dst_stride + i] = src[i * src_stride + j] for i < rows, j < columns. `stream` bypasses the caches: dst is
/// 64-byte aligned, dst_stride a multiple of 64 bytes, and the caller ends with stream_fence().
void transpose_block(const void* src, int64_t src_stride, void* dst, int64_t dst_stride, size_t size, int64_t rows,
                     int64_t columns, bool stream);
void stream_fence();

void fill_pads(CopyTable& table);
void fill_joins(CopyTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
