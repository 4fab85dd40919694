// AddN: blocks of the sum stay in the first-level cache while the inputs pass by.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_half.h"
#include "kernels/isa/elementwise_types.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
  } else {
    return a + b;
  }
}

/// sum = sum + inputs, up to three at a time: each pass reads and writes `sum` once.
template <class T>
void accumulate(const T* const* inputs, int count, T* __restrict sum, int64_t n) {
  int k = 0;
  for (; k + 3 <= count; k += 3) {
    const T *a = inputs[k], *b = inputs[k + 1], *c = inputs[k + 2];
    for (int64_t i = 0; i < n; ++i) sum[i] = add(add(add(sum[i], a[i]), b[i]), c[i]);
  }
  for (; k < count; ++k) {
    const T* a = inputs[k];
    for (int64_t i = 0; i < n; ++i) sum[i] = add(sum[i], a[i]);
  }
}

template <class T>
void add_n_run(const void* const* inputs, int count, void* out, int64_t first, int64_t last) {
  if constexpr (kViaFloat<T>) {
    float sum[kFloatBlock], term[kFloatBlock];
    const float* terms = term;
    for (int64_t begin = first; begin < last; begin += kFloatBlock) {
      const int64_t size = last - begin < kFloatBlock ? last - begin : kFloatBlock;
      load_floats(static_cast<const T*>(inputs[0]) + begin, sum, size);
      for (int k = 1; k < count; ++k) {
        load_floats(static_cast<const T*>(inputs[k]) + begin, term, size);
        accumulate(&terms, 1, sum, size);
      }
      store_floats(sum, static_cast<T*>(out) + begin, size);
    }
  } else {
    // The sum is formed on the stack, so `out` may be any input.
    constexpr int64_t kBlock = 4096 / static_cast<int64_t>(sizeof(T));
    constexpr int kBatch = 12;
    T sum[kBlock];
    const T* batch[kBatch];
    for (int64_t begin = first; begin < last; begin += kBlock) {
      const int64_t size = last - begin < kBlock ? last - begin : kBlock;
      __builtin_memcpy(sum, static_cast<const T*>(inputs[0]) + begin, size * sizeof(T));
      for (int k = 1; k < count; k += kBatch) {
        const int batched = count - k < kBatch ? count - k : kBatch;
        for (int j = 0; j < batched; ++j) batch[j] = static_cast<const T*>(inputs[k + j]) + begin;
        accumulate(batch, batched, sum, size);
      }
      __builtin_memcpy(static_cast<T*>(out) + begin, sum, size * sizeof(T));
    }
  }
}

template <class... T>
void add_types(ElementwiseTable& table) {
  ((table.add_n[static_cast<int>(dtype_of<T>)] = add_n_run<Memory<T>>), ...);
}

}  // namespace

void fill_add_n(ElementwiseTable& table) {
  add_types<BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
            std::complex<float>, std::complex<double>>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
