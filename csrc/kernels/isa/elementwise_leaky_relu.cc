// LeakyRelu and its gradient: the only activations with a parameter.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_half.h"
#include "kernels/isa/elementwise_types.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// out = features > 0 ? x : alpha * x
template <class T>
void leaky(const T* x, const T* features, T* out, int64_t n, float alpha) {
  const T slope = static_cast<T>(alpha);
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) {
    const T scaled = static_cast<T>(slope * x[i]);
    out[i] = features[i] > T{0} ? x[i] : scaled;
  }
}

template <class T>
void leaky_relu_grad(const void* gradients, const void* features, void* out, int64_t n, float alpha) {
  const auto* x = static_cast<const T*>(gradients);
  const auto* f = static_cast<const T*>(features);
  auto* y = static_cast<T*>(out);
  if constexpr (kViaFloat<T>) {
    T rounded;  // The slope is rounded to the features' type.
    store_floats(&alpha, &rounded, 1);
    load_floats(&rounded, &alpha, 1);
    float a[kFloatBlock], b[kFloatBlock];
    for (int64_t begin = 0; begin < n; begin += kFloatBlock) {
      const int64_t size = n - begin < kFloatBlock ? n - begin : kFloatBlock;
      load_floats(x + begin, a, size);
      load_floats(f + begin, b, size);
      leaky(a, b, a, size, alpha);
      store_floats(a, y + begin, size);
    }
  } else {
    leaky(x, f, y, n, alpha);
  }
}

template <class T>
void leaky_relu(const void* x, void* y, int64_t n, float alpha) {
  leaky_relu_grad<T>(x, x, y, n, alpha);
}

template <class... T>
void add_types(ElementwiseTable& table) {
  ((table.leaky_relu[static_cast<int>(dtype_of<T>)] = leaky_relu<T>), ...);
  ((table.leaky_relu_grad[static_cast<int>(dtype_of<T>)] = leaky_relu_grad<T>), ...);
}

}  // namespace

void fill_leaky_relu(ElementwiseTable& table) { add_types<BFloat16, Half, float, double>(table); }

}  // namespace tinytf::kernels::TINYTF_ISA
