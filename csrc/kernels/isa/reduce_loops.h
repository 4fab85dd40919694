#pragma once

#include "kernels/isa/elementwise_half.h"
#include "kernels/isa/elementwise_types.h"
#include "kernels/reduce.h"

// Makes the loops of a reduction from its rules. An Op names Acc and has `identity()`, `load(T)` (an element as an
// accumulator), `combine(Acc, Acc)` and `finish(Acc, count)`, all branch-free.

namespace tinytf::kernels::TINYTF_ISA {

inline float as_number(Half x) { return half_bits_to_float(x.bits); }
inline float as_number(BFloat16 x) { return bit_cast<float>(static_cast<uint32_t>(x.bits) << 16); }
template <class T>
T as_number(T x) {
  return x;
}

template <class T>
T from_number(std::conditional_t<kViaFloat<T>, float, T> x) {
  if constexpr (std::is_same_v<T, Half>) {
    return bit_cast<Half>(float_to_half_bits(x));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return bit_cast<BFloat16>(float_to_bfloat16_bits(x));
  } else {
    return x;
  }
}

template <class Op, class T>
__attribute__((noinline)) void reduce_init(void* acc, int64_t n) {
  auto* a = static_cast<typename Op::Acc*>(acc);
  for (int64_t i = 0; i < n; ++i) a[i] = Op::identity();
}

template <class Op, class T>
__attribute__((noinline)) void reduce_merge(const void* other, int64_t n, void* acc) {
  auto* a = static_cast<typename Op::Acc*>(acc);
  const auto* b = static_cast<const typename Op::Acc*>(other);
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) a[i] = Op::combine(a[i], b[i]);
}

template <class Op, class T>
void reduce_finish(const void* acc, int64_t n, int64_t count, void* out) {
  const auto* a = static_cast<const typename Op::Acc*>(acc);
  auto* y = static_cast<T*>(out);
  for (int64_t i = 0; i < n; ++i) y[i] = from_number<T>(Op::finish(a[i], count));
}

/// acc[j] += tree over rows[0 … count)[j], count <= 8, of numbers. The hot loop of reductions over rows: kept out of
/// line, because it is long when vectorized.
template <class Op, class N>
__attribute__((noinline)) void add_rows(const N* const* rows, int count, int64_t n, typename Op::Acc* acc) {
  if (count == 8) {
    const N *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    const N *r4 = rows[4], *r5 = rows[5], *r6 = rows[6], *r7 = rows[7];
    TINYTF_IVDEP
    for (int64_t j = 0; j < n; ++j) {
      const auto low =
          Op::combine(Op::combine(Op::load(r0[j]), Op::load(r1[j])), Op::combine(Op::load(r2[j]), Op::load(r3[j])));
      const auto high =
          Op::combine(Op::combine(Op::load(r4[j]), Op::load(r5[j])), Op::combine(Op::load(r6[j]), Op::load(r7[j])));
      acc[j] = Op::combine(acc[j], Op::combine(low, high));
    }
    return;
  }
  for (int k = 0; k < count; ++k) {
    const N* row = rows[k];
    TINYTF_IVDEP
    for (int64_t j = 0; j < n; ++j) acc[j] = Op::combine(acc[j], Op::load(row[j]));
  }
}

template <class Op, class T>
void reduce_columns(const void* const* rows, int count, int64_t n, void* acc) {
  auto* a = static_cast<typename Op::Acc*>(acc);
  if constexpr (kViaFloat<T>) {
    float numbers[ReduceLoop::kMaxRows][kFloatBlock];
    const float* blocks[ReduceLoop::kMaxRows];
    for (int64_t begin = 0; begin < n; begin += kFloatBlock) {
      const int64_t size = n - begin < kFloatBlock ? n - begin : kFloatBlock;
      for (int k = 0; k < count; ++k) {
        load_floats(static_cast<const T*>(rows[k]) + begin, numbers[k], size);
        blocks[k] = numbers[k];
      }
      add_rows<Op, float>(blocks, count, size, a + begin);
    }
  } else {
    add_rows<Op, T>(reinterpret_cast<const T* const*>(rows), count, n, a);
  }
}

/// Number of partial sums of a run: a cache line of elements, so that the run is read sequentially, which suits the
/// hardware's prefetcher.
template <class N>
inline constexpr int64_t kLanes = 64 / static_cast<int64_t>(sizeof(N));
inline constexpr int64_t kRunChunk = 8192;  // Elements whose sums are merged as one leaf of the tree.

/// lanes[j] += trees over `chunks` times eight lines of numbers.
template <class Op, class N>
__attribute__((noinline)) void add_lines(const N* x, int64_t chunks, typename Op::Acc* lanes) {
  constexpr int64_t kL = kLanes<N>;
  for (int64_t c = 0; c < chunks; ++c, x += 8 * kL) {
    TINYTF_IVDEP
    for (int64_t j = 0; j < kL; ++j) {
      const auto low = Op::combine(Op::combine(Op::load(x[j]), Op::load(x[kL + j])),
                                   Op::combine(Op::load(x[2 * kL + j]), Op::load(x[3 * kL + j])));
      const auto high = Op::combine(Op::combine(Op::load(x[4 * kL + j]), Op::load(x[5 * kL + j])),
                                    Op::combine(Op::load(x[6 * kL + j]), Op::load(x[7 * kL + j])));
      lanes[j] = Op::combine(lanes[j], Op::combine(low, high));
    }
  }
}

/// Reduces a leaf of the tree, at most kRunChunk elements: lines, the lanes' tree, and the rest.
template <class Op, class T>
typename Op::Acc reduce_leaf(const T* x, int64_t n) {
  using Acc = typename Op::Acc;
  using N = std::conditional_t<kViaFloat<T>, float, T>;
  constexpr int64_t kL = kLanes<N>;
  int64_t i = 0;
  Acc result = Op::identity();
  if (n >= kL) {
    alignas(64) Acc lanes[kL];
    for (int64_t j = 0; j < kL; ++j) lanes[j] = Op::identity();
    if constexpr (kViaFloat<T>) {
      static_assert(kFloatBlock % (8 * kL) == 0);
      alignas(64) float numbers[kFloatBlock];
      for (; i + kFloatBlock <= n; i += kFloatBlock) {
        load_floats(x + i, numbers, kFloatBlock);
        add_lines<Op, float>(numbers, kFloatBlock / (8 * kL), lanes);
      }
    } else {
      add_lines<Op, T>(x, n / (8 * kL), lanes);
      i = n / (8 * kL) * (8 * kL);
    }
    for (; i + kL <= n; i += kL) {
      TINYTF_IVDEP
      for (int64_t j = 0; j < kL; ++j) lanes[j] = Op::combine(lanes[j], Op::load(as_number(x[i + j])));
    }
    for (int64_t width = kL / 2; width > 0; width /= 2) {
      for (int64_t j = 0; j < width; ++j) lanes[j] = Op::combine(lanes[j], lanes[j + width]);
    }
    result = lanes[0];
  }
  for (; i < n; ++i) result = Op::combine(result, Op::load(as_number(x[i])));
  return result;
}

template <class Op, class T>
typename Op::Acc reduce_tree(const T* x, int64_t n) {
  if (n <= kRunChunk) return reduce_leaf<Op, T>(x, n);
  const int64_t half = (n / 2 + kRunChunk - 1) / kRunChunk * kRunChunk;
  return Op::combine(reduce_tree<Op, T>(x, half), reduce_tree<Op, T>(x + half, n - half));
}

template <class Op, class T>
void reduce_row(const void* x, int64_t n, void* acc) {
  auto* a = static_cast<typename Op::Acc*>(acc);
  *a = Op::combine(*a, reduce_tree<Op, T>(static_cast<const T*>(x), n));
}

/// Adds the loops of Op<T> for each type T to the table. `Op` is a template over the memory type.
template <template <class> class Op, class... T>
void add_reduction(ReduceTable& table, Reduction reduction) {
  ((table.loops[static_cast<int>(reduction)][static_cast<int>(dtype_of<T>)] =
        ReduceLoop{reduce_init<Op<Memory<T>>, Memory<T>>, reduce_row<Op<Memory<T>>, Memory<T>>,
                   reduce_columns<Op<Memory<T>>, Memory<T>>, reduce_merge<Op<Memory<T>>, Memory<T>>,
                   reduce_finish<Op<Memory<T>>, Memory<T>>, sizeof(T), sizeof(typename Op<Memory<T>>::Acc), sizeof(T)}),
   ...);
}

/// The type in which T is accumulated unless an Op chooses another.
template <class T>
using Number = std::conditional_t<kViaFloat<T>, float, T>;

}  // namespace tinytf::kernels::TINYTF_ISA
