#include "kernels/isa/compiler.h"
#include "kernels/isa/gather_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// to [n] += value * from [n]
template <class T>
void add_scaled(T* __restrict to, T value, const T* __restrict from, int64_t n) {
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) to[i] = Add::apply(to[i], Mul::apply(value, from[i]));
}

template <class T>
void sparse_product(const SparseMatrix& a, const void* b, int64_t rows, int64_t n, void* out, Parallel& parallel) {
  constexpr double kCost = 0.3;  // Nanoseconds per element.
  const T* const values = static_cast<const T*>(a.values);
  const T* const right = static_cast<const T*>(b);
  T* const product = static_cast<T*>(out);
  const int row_at = a.transposed ? 1 : 0;
  const auto add = [&](int64_t row_begin, int64_t row_end, int64_t begin, int64_t end) {
    parallel.run_in_order(a.count, row_cost(kCost, end - begin), [=](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t row = a.places[2 * i + row_at], other = a.places[2 * i + 1 - row_at];
        if (row < row_begin || row >= row_end) continue;
        add_scaled(product + row * n + begin, values[i], right + other * n + begin, end - begin);
      }
    });
  };
  cut_target(rows, n, a.count, kCost, parallel, add);
}

template <class T>
void fill_type(GatherTable& table, int dtype) {
  if constexpr (!std::is_same_v<T, bool>) table.sparse_product[dtype] = sparse_product<typename Wrapping<T>::type>;
}

}  // namespace

void fill_sparse_products(GatherTable& table) {
#define TINYTF_X(constant, number, name, type) fill_type<type>(table, number);
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

}  // namespace tinytf::kernels::TINYTF_ISA
