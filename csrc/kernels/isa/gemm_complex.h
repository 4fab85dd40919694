#pragma once

#include <complex>

#include "kernels/isa/gemm_real.h"

// Complex products as four real ones on planes of real and imaginary parts, block by block.
namespace tinytf::kernels::TINYTF_ISA {

/// Splits rows × columns numbers into planes `columns` wide; imaginary parts are multiplied by `sign`.
template <class T>
inline void split_planes(const std::complex<T>* from, int64_t ld, int64_t rows, int64_t columns, T sign, T* re, T* im) {
  for (int64_t i = 0; i < rows; ++i) {
    const T* row = reinterpret_cast<const T*>(from + i * ld);
    for (int64_t j = 0; j < columns; ++j) {
      re[i * columns + j] = row[2 * j];
      im[i * columns + j] = sign * row[2 * j + 1];
    }
  }
}

template <class T>
void multiply_complex(const GemmArgs& g, Parallel& parallel) {
  using Complex = std::complex<T>;
  if (g.m == 0 || g.n == 0) return;
  const bool ta = transposes(g.op_a), tb = transposes(g.op_b);
  const T sign_a = (static_cast<int>(g.op_a) & 2) != 0 ? -1 : 1, sign_b = (static_cast<int>(g.op_b) & 2) != 0 ? -1 : 1;
  const Complex* const bias = static_cast<const Complex*>(g.bias);
  split_output<T>(g.m, g.n, 4 * g.k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    constexpr int64_t kSide = 192;
    constexpr int64_t kPlane = kSide * kSide;
    Scratch scratch(7 * kPlane * sizeof(T));
    T* const a_re = scratch.as<T>();
    T* const a_im = a_re + kPlane;
    T* const a_minus = a_im + kPlane;
    T* const b_re = a_minus + kPlane;
    T* const b_im = b_re + kPlane;
    T* const c_re = b_im + kPlane;
    T* const c_im = c_re + kPlane;
    for (int64_t i = m0; i < m1; i += kSide) {
      const int64_t rows = std::min(kSide, m1 - i);
      for (int64_t j = n0; j < n1; j += kSide) {
        const int64_t columns = std::min(kSide, n1 - j);
        Complex* const c = static_cast<Complex*>(g.c) + i * g.ldc + j;
        if (g.accumulate) {
          split_planes(c, g.ldc, rows, columns, T(1), c_re, c_im);
        } else {
          std::fill_n(c_re, rows * columns, T());
          std::fill_n(c_im, rows * columns, T());
        }
        for (int64_t p = 0; p < g.k; p += kSide) {
          const int64_t steps = std::min(kSide, g.k - p);
          const Complex* const a = static_cast<const Complex*>(g.a);
          const Complex* const b = static_cast<const Complex*>(g.b);
          const int64_t lda = ta ? rows : steps, ldb = tb ? steps : columns;
          split_planes(ta ? a + p * g.lda + i : a + i * g.lda + p, g.lda, ta ? steps : rows, lda, sign_a, a_re, a_im);
          split_planes(tb ? b + j * g.ldb + p : b + p * g.ldb + j, g.ldb, tb ? columns : steps, ldb, sign_b, b_re,
                       b_im);
          for (int64_t q = 0; q < rows * steps; ++q) a_minus[q] = -a_im[q];
          const auto add = [&](const T* left, const T* right, T* to) {
            multiply<T>(0, rows, 0, columns, steps, MatrixA<T>{left, lda, ta, false}, MatrixB<T>{right, ldb, tb, false},
                        to, columns, {true, nullptr, false});
          };
          add(a_re, b_re, c_re);
          add(a_minus, b_im, c_re);
          add(a_re, b_im, c_im);
          add(a_im, b_re, c_im);
        }
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t q = 0; q < columns; ++q) {
            const Complex sum(c_re[r * columns + q], c_im[r * columns + q]);
            c[r * g.ldc + q] = bias != nullptr ? sum + bias[j + q] : sum;
          }
        }
      }
    }
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
