#include "kernels/isa/normalize_parts.h"
#include "kernels/isa/scratch.h"
#include "kernels/normalize.h"

// Local response normalization, row by row.

namespace tinytf::kernels::TINYTF_ISA {

namespace {

using Lrn = NormalizeTable::Lrn;

constexpr double kPowerCost = 12;  // Nanoseconds per element.

/// norms[d] = bias + alpha * sum of x ** 2 over the neighbors of d.
void find_norms(const float* x, int64_t depth, const Lrn& lrn, float* norms) {
  for (int64_t d = 0; d < depth; ++d) {
    const int64_t end = least(depth, d + lrn.radius + 1);
    float sum = 0;
    for (int64_t k = greatest(0, d - lrn.radius); k < end; ++k) sum += x[k] * x[k];
    norms[d] = lrn.bias + lrn.alpha * sum;
  }
}

float inverse_power(float norm, float beta) {
  if (beta == 0.5f) return 1.0f / __builtin_sqrtf(norm);
  if (beta == 1.0f) return 1.0f / norm;
  return __builtin_powf(norm, -beta);
}

void forward_row(const float* x, int64_t depth, const Lrn& lrn, float* norms, float* y) {
  find_norms(x, depth, lrn, norms);
  for (int64_t d = 0; d < depth; ++d) y[d] = x[d] * inverse_power(norms[d], lrn.beta);
}

void grad_row(const float* dy, const float* x, const float* y, int64_t depth, const Lrn& lrn, float* norms,
              float* shares, float* dx) {
  find_norms(x, depth, lrn, norms);
  for (int64_t d = 0; d < depth; ++d) shares[d] = dy[d] * y[d] / norms[d];
  for (int64_t d = 0; d < depth; ++d) {
    const int64_t end = least(depth, d + lrn.radius + 1);
    float sum = 0;
    for (int64_t k = greatest(0, d - lrn.radius); k < end; ++k) sum += shares[k];
    dx[d] = dy[d] * inverse_power(norms[d], lrn.beta) - 2 * lrn.alpha * lrn.beta * x[d] * sum;
  }
}

template <class T>
void lrn(const void* x_data, int64_t rows, int64_t depth, const Lrn& parameters, void* y_data, Parallel& parallel) {
  const T* x = static_cast<const T*>(x_data);
  T* y = static_cast<T*>(y_data);
  parallel.run(rows, 1, kPowerCost * static_cast<double>(depth), [&](int64_t begin, int64_t end) {
    const Scratch memory(static_cast<size_t>(3 * depth) * sizeof(float));
    float* buffers = memory.as<float>();
    for (int64_t row = begin; row < end; ++row) {
      const float* in = load(x + row * depth, depth, buffers);
      float* out = target(y + row * depth, buffers + depth);
      forward_row(in, depth, parameters, buffers + 2 * depth, out);
      store(out, depth, y + row * depth);
    }
  });
}

template <class T>
void lrn_grad(const void* dy_data, const void* x_data, const void* y_data, int64_t rows, int64_t depth,
              const Lrn& parameters, void* dx_data, Parallel& parallel) {
  const T* dy = static_cast<const T*>(dy_data);
  const T* x = static_cast<const T*>(x_data);
  const T* y = static_cast<const T*>(y_data);
  T* dx = static_cast<T*>(dx_data);
  parallel.run(rows, 1, 2 * kPowerCost * static_cast<double>(depth), [&](int64_t begin, int64_t end) {
    const Scratch memory(static_cast<size_t>(6 * depth) * sizeof(float));
    float* buffers = memory.as<float>();
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * depth;
      const float* g = load(dy + at, depth, buffers);
      const float* in = load(x + at, depth, buffers + depth);
      const float* out = load(y + at, depth, buffers + 2 * depth);
      float* to = target(dx + at, buffers + 3 * depth);
      grad_row(g, in, out, depth, parameters, buffers + 4 * depth, buffers + 5 * depth, to);
      store(to, depth, dx + at);
    }
  });
}

template <class... T>
void add_types(NormalizeTable& table) {
  ((table.lrn[static_cast<int>(dtype_of<T>)] = lrn<T>), ...);
  ((table.lrn_grad[static_cast<int>(dtype_of<T>)] = lrn_grad<T>), ...);
}

}  // namespace

void fill_local_response(NormalizeTable& table) { add_types<Half, BFloat16, float>(table); }

}  // namespace tinytf::kernels::TINYTF_ISA
