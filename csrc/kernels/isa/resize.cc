#include "kernels/resize.h"

#include <cstring>

namespace tinytf::kernels::TINYTF_ISA {

void fill_bilinear(ResizeTable& table);
void fill_resize_gradients(ResizeTable& table);

namespace {

void nearest(const ResizeShape& s, int64_t bytes, const void* in, void* out, Parallel& parallel) {
  constexpr double kCost = 1;  // Nanoseconds per point, and per 16 bytes of a point.
  const int64_t rows = s.batch * s.out_height;
  parallel.run(rows * s.out_width, 1, kCost + kCost * static_cast<double>(bytes) / 16, [&](int64_t begin, int64_t end) {
    int64_t row = begin / s.out_width, x = begin % s.out_width;
    char* to = static_cast<char*>(out) + begin * bytes;
    for (int64_t left = end - begin; left > 0; ++row, x = 0) {
      const int64_t from_row = row / s.out_height * s.in_height + s.rows[row % s.out_height].lower;
      const char* from = static_cast<const char*>(in) + from_row * s.in_width * bytes;
      for (; x < s.out_width && left > 0; ++x, --left, to += bytes) {
        std::memcpy(to, from + s.columns[x].lower * bytes, static_cast<size_t>(bytes));
      }
    }
  });
}

}  // namespace

void fill(ResizeTable& table) {
  fill_bilinear(table);
  fill_resize_gradients(table);
  table.nearest = nearest;
}

}  // namespace tinytf::kernels::TINYTF_ISA
