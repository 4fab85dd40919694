#include "kernels/softmax.h"

#include "kernels/isa/softmax_fill.h"
#include "kernels/isa/softmax_row.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
void softmax_run(const void* x, void* out, int64_t rows, int64_t cols) {
  const auto* row = static_cast<const T*>(x);
  auto* y = static_cast<T*>(out);
  for (int64_t i = 0; i < rows; ++i, row += cols, y += cols) softmax_of_row(row, cols, max_of_row(row, 1, cols), y);
}

template <class T>
void log_softmax_run(const void* x, void* out, int64_t rows, int64_t cols) {
  using N = Number<T>;
  const auto* row = static_cast<const T*>(x);
  auto* y = static_cast<T*>(out);
  for (int64_t i = 0; i < rows; ++i, row += cols, y += cols) {
    const N shift = max_of_row(row, 1, cols);
    const N log_sum = log(exp_sum_of_row(row, 1, cols, shift));
    map_row(row, 1, cols, y, [=](N v) { return (v - shift) - log_sum; });
  }
}

template <class... T>
void add(SoftmaxTable& table) {
  ((table.softmax[static_cast<int>(dtype_of<T>)] = softmax_run<T>), ...);
  ((table.log_softmax[static_cast<int>(dtype_of<T>)] = log_softmax_run<T>), ...);
}

}  // namespace

void fill(SoftmaxTable& table) {
  add<float, double, Half, BFloat16>(table);
  fill_cross_entropy(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
