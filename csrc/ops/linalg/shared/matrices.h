#pragma once

#include <algorithm>
#include <complex>

#include "op/kernel.h"
#include "op/shape_context.h"

/// Helpers shared by the factorizations: shapes with leading batch dimensions, and the type used in computations.
namespace tinytf::ops {

/// Single-precision factorizations are computed in double precision and rounded once at the end.
template <class T>
struct WideOf {
  using type = double;
};
template <class T>
struct WideOf<std::complex<T>> {
  using type = std::complex<double>;
};
template <class T>
using Wide = typename WideOf<T>::type;

inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(std::complex<double> x) { return std::conj(x); }

/// The shape `batch` + [rows, columns].
inline Shape matrices(const Dims& batch, int64_t rows, int64_t columns) {
  Shape shape(batch);
  shape.add_dim(rows);
  shape.add_dim(columns);
  return shape;
}

/// The dimensions of the shape except the last `inner`.
inline Dims batch_of(const Shape& shape, int inner) { return Dims(shape.dims().begin(), shape.dims().end() - inner); }

/// The smaller of two sizes, or kUnknownDim.
inline int64_t smaller_dim(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  return a < 0 || b < 0 ? kUnknownDim : std::min(a, b);
}

}  // namespace tinytf::ops
