#include <algorithm>
#include <type_traits>

#include "base/wrapping.h"
#include "kernels/isa/convert_float.h"
#include "kernels/isa/scratch.h"
#include "kernels/resize.h"

// Each target row is computed independently, from the rows of the gradient that it was a neighbor for, which are
// consecutive.

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr double kCost = 2;  // Nanoseconds per element of the gradient.

/// Calls body(row of `grads`, its position in the image, target row in the image, sums of the target row) for the rows
/// of `grads` that contribute to each target row. Sums for half are floats.
template <class T, class Body>
void for_each_share(const ResizeShape& s, void* to, Parallel& parallel, const Body& body) {
  using Sum = std::conditional_t<std::is_same_v<T, Half>, float, T>;
  const int64_t row_size = s.in_width * s.channels, out_row = s.out_width * s.channels;
  const double cost = kCost * static_cast<double>(out_row);
  const double shares = 1 + static_cast<double>(s.out_height) / static_cast<double>(s.in_height);
  parallel.run(s.batch * s.in_height, 1, cost * shares, [&](int64_t begin, int64_t end) {
    const Scratch memory(std::is_same_v<T, Half> ? static_cast<size_t>(row_size) * sizeof(float) : 0);
    for (int64_t row = begin; row < end; ++row) {
      T* target = static_cast<T*>(to) + row * row_size;
      Sum* sums = memory.as<Sum>();
      if constexpr (!std::is_same_v<T, Half>) sums = target;
      std::fill_n(sums, row_size, Sum());
      const int64_t y = row % s.in_height, image = row / s.in_height * s.out_height;
      const Between* last = s.rows + s.out_height;
      const Between* from = std::partition_point(s.rows, last, [y](const Between& b) { return b.upper < y; });
      const Between* until = std::partition_point(from, last, [y](const Between& b) { return b.lower <= y; });
      parallel.run_in_order(until - from, cost, [&, first = from - s.rows](int64_t part, int64_t part_end) {
        for (int64_t i = first + part; i < first + part_end; ++i) body(image + i, s.rows[i], y, sums);
      });
      if constexpr (std::is_same_v<T, Half>) from_float(sums, row_size, target);
    }
  });
}

template <class Sum>
void add_share(const float* grads, int64_t n, float weight, float other, Sum* sums) {
  for (int64_t c = 0; c < n; ++c) sums[c] += static_cast<Sum>(grads[c] * weight * other);
}

template <class T>
void bilinear_grad(const ResizeShape& s, const void* grads, void* to, Parallel& parallel) {
  for_each_share<T>(s, to, parallel, [&](int64_t row, const Between& between, int64_t y, auto* sums) {
    const float* from = static_cast<const float*>(grads) + row * s.out_width * s.channels;
    const auto add_row = [&](int64_t x, float vertical) {
      const Between& column = s.columns[x];
      add_share(from + x * s.channels, s.channels, vertical, 1 - column.weight, sums + column.lower * s.channels);
      add_share(from + x * s.channels, s.channels, vertical, column.weight, sums + column.upper * s.channels);
    };
    for (int64_t x = 0; x < s.out_width; ++x) {
      if (between.lower == y) add_row(x, 1 - between.weight);
      if (between.upper == y) add_row(x, between.weight);
    }
  });
}

template <class T>
void nearest_grad(const ResizeShape& s, const void* grads, void* to, Parallel& parallel) {
  for_each_share<T>(s, to, parallel, [&](int64_t row, const Between&, int64_t, auto* sums) {
    using Sum = std::remove_pointer_t<decltype(sums)>;
    const T* from = static_cast<const T*>(grads) + row * s.out_width * s.channels;
    for (int64_t x = 0; x < s.out_width; ++x) {
      Sum* target = sums + s.columns[x].lower * s.channels;
      for (int64_t c = 0; c < s.channels; ++c, ++from) target[c] = wrapping_add(target[c], static_cast<Sum>(*from));
    }
  });
}

template <class... T>
void fill_bilinear_grads(ResizeTable& table) {
  ((table.bilinear_grad[static_cast<int>(dtype_of<T>)] = bilinear_grad<T>), ...);
}
template <class... T>
void fill_nearest_grads(ResizeTable& table) {
  ((table.nearest_grad[static_cast<int>(dtype_of<T>)] = nearest_grad<T>), ...);
}

}  // namespace

void fill_resize_gradients(ResizeTable& table) {
  fill_bilinear_grads<Half, float, double>(table);
  fill_nearest_grads<uint8_t, int8_t, int32_t, Half, float, double>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
