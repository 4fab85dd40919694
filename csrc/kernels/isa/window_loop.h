#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.h"
#include "kernels/window.h"

namespace tinytf::kernels::TINYTF_ISA {

/// The taps first … last of one axis that fall on input points.
struct TapRange {
  int64_t first;
  int64_t last;
  bool empty() const { return first >= last; }
  int64_t count() const { return last - first; }
};

inline TapRange taps_inside(const Window& window, int axis, int64_t out) {
  const int64_t start = out * window.stride[axis] - window.pad_before[axis], step = window.dilation[axis];
  const int64_t first = start >= 0 ? 0 : (-start + step - 1) / step;
  const int64_t room = window.in[axis] - start;  // Taps reach below this.
  return {first, std::min(window.size[axis], room <= 0 ? 0 : (room + step - 1) / step)};
}

/// Calls body(tap, point) for each tap of the ranges in row-major order; `tap` counts all taps of the window, `point`
/// the points of the image.
template <class Body>
inline void for_each_tap(const Window& w, const TapRange (&ranges)[3], const int64_t (&out)[3], const Body& body) {
  const auto source = [&](int axis, int64_t tap) {
    return out[axis] * w.stride[axis] + tap * w.dilation[axis] - w.pad_before[axis];
  };
  for (int64_t d = ranges[0].first; d < ranges[0].last; ++d) {
    for (int64_t h = ranges[1].first; h < ranges[1].last; ++h) {
      const int64_t row = (source(0, d) * w.in[1] + source(1, h)) * w.in[2];
      const int64_t tap = (d * w.size[1] + h) * w.size[2];
      for (int64_t x = ranges[2].first; x < ranges[2].last; ++x) body(tap + x, row + source(2, x));
    }
  }
}

/// Calls body(out point index, ranges, out coordinates) for every output point of rows begin … end, where rows are
/// counted over depth and height.
template <class Body>
inline void for_each_out(const Window& w, int64_t begin, int64_t end, const Body& body) {
  for (int64_t row = begin; row < end; ++row) {
    int64_t out[3] = {row / w.out[1], row % w.out[1], 0};
    TapRange ranges[3] = {taps_inside(w, 0, out[0]), taps_inside(w, 1, out[1]), {}};
    for (; out[2] < w.out[2]; ++out[2]) {
      ranges[2] = taps_inside(w, 2, out[2]);
      body(row * w.out[2] + out[2], ranges, out);
    }
  }
}

/// for_each_out() over all rows, in order, in a loop that `parallel` may end early. A row takes `cost` nanoseconds. The
/// body is copied for each range, so that values that it captured need not be reloaded.
template <class Body>
void for_each_out_in_order(const Window& w, double cost, Parallel& parallel, const Body& body) {
  parallel.run_in_order(w.out[0] * w.out[1], cost, [&](int64_t first, int64_t last) {
    const Body copy = body;
    for_each_out(w, first, last, copy);
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
