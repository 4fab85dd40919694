#pragma once

#include <algorithm>
#include <cstdint>

#include "base/function_ref.h"
#include "base/parallel.h"
#include "kernels/isa/gemm_block.h"

namespace tinytf::kernels::TINYTF_ISA {

/// Approximate multiply-adds per nanosecond of one thread: for cost estimates only.
inline constexpr double kProductsPerNs = kVectorBytes > 16 ? 40 : 15;
/// Maximum duration of a range whose rectangle can be made smaller: cancellation is checked between ranges only.
inline constexpr double kRangeNs = 10e6;

/// Splits an m × n output into rectangles for the threads and calls body(m0, m1, n0, n1) on each. The split does not
/// change results: every element of C sums its products in one order.
template <class T>
void split_output(int64_t m, int64_t n, int64_t k, Parallel& parallel,
                  FunctionRef<void(int64_t, int64_t, int64_t, int64_t)> body) {
  constexpr int64_t kUnit = 2 * kTileRows;
  constexpr int64_t kColumns = kTileColumns<T>;
  constexpr int64_t kPacking = 5;  // Packing one element costs about as much as this many products.
  const int64_t units = ceil_div(m, kUnit);
  const int64_t threads = parallel.threads();

  int64_t best_stripes = 1, best_cost = INT64_MAX;
  for (int64_t stripes = 1; stripes <= threads; ++stripes) {
    const int64_t columns = even_piece(n, ceil_div(n, stripes), kColumns);
    const int64_t rows = ceil_div(units, std::max<int64_t>(1, threads / stripes)) * kUnit;
    const int64_t cost = rows * columns + kPacking * (rows + columns);
    if (cost < best_cost) best_stripes = stripes, best_cost = cost;
  }
  // Each range packs its part of B again, which pays off from a few hundred rows on. So if a range takes long, the
  // stripes get narrower first, since multiply() takes no more columns at a time anyway. Rows are reduced last.
  constexpr int64_t kMostRows = 256, kLeastColumns = 256, kLeastUnits = 4;
  const double most_products =
      kRangeNs * kProductsPerNs * (4.0 / sizeof(T)) / static_cast<double>(std::max<int64_t>(k, 1));
  const int64_t most_columns = static_cast<int64_t>(most_products / (std::min(m, kMostRows) + kPacking));
  const int64_t limit = std::min(ceil_div(n, best_stripes), std::max(kLeastColumns, most_columns));
  const int64_t columns = even_piece(n, limit, kColumns);
  const int64_t stripes = ceil_div(n, columns);
  const int64_t most_units = std::max(kLeastUnits, static_cast<int64_t>(most_products / (columns * kUnit)));

  const double cost = static_cast<double>(kUnit) * columns * k / kProductsPerNs * (sizeof(T) / 4.0);
  const int64_t block =
      std::clamp<int64_t>(stripes * units / threads, 1, std::min(most_units, ceil_div(kMostRows, kUnit)));
  parallel.run(stripes * units, block, cost, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t stripe = begin / units, first = begin % units;
      const int64_t last = std::min(units, first + (end - begin));
      body(first * kUnit, std::min(m, last * kUnit), stripe * columns, std::min(n, (stripe + 1) * columns));
      begin += last - first;
    }
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
