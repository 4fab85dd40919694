#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/window.h"

// Reads of a sliding window along one spatial axis, without the taps that would read padding.
namespace tinytf::kernels::TINYTF_ISA {

/// Points begin, begin + 1, … end - 1 with the same taps inside the source: first_tap … first_tap + taps.
struct Span {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t first_tap = 0;
  int64_t taps = 0;
  int64_t points() const { return end - begin; }
};

/// Tap t of point q reads source q * step + first + t * delta if that lies in [0, extent). Steps are positive.
struct ConvAxis {
  int64_t points = 1;
  int64_t step = 1;
  int64_t extent = 1;
  int64_t taps = 1;
  int64_t first = 0;
  int64_t delta = 1;

  int64_t source(int64_t point, int64_t tap) const { return point * step + first + tap * delta; }

  /// The span that starts at `point` and ends at `limit` at the latest.
  Span span_from(int64_t point, int64_t limit) const {
    Span span = inside(point);
    if (span.taps == taps) {
      span.end = taps == 0 ? limit : std::min(limit, (extent - 1 - first - (taps - 1) * delta) / step + 1);
      return span;
    }
    while (span.end < limit) {
      const Span next = inside(span.end);
      if (next.taps != span.taps || next.first_tap != span.first_tap) break;
      ++span.end;
    }
    return span;
  }

  /// The points at which `tap` lies inside the source, as a span of that one tap.
  Span span_of(int64_t tap) const {
    const int64_t start = first + tap * delta;
    const int64_t begin = start >= 0 ? 0 : (-start + step - 1) / step;
    const int64_t end = start >= extent ? 0 : std::min(points, (extent - 1 - start) / step + 1);
    return {begin, std::max(begin, end), tap, 1};
  }

 private:
  Span inside(int64_t point) const {
    const int64_t start = source(point, 0);
    const int64_t first_tap = start >= 0 ? 0 : (-start + delta - 1) / delta;
    const int64_t last = start >= extent ? 0 : std::min(taps, (extent - 1 - start) / delta + 1);
    if (last <= first_tap) return {point, point + 1, 0, 0};
    return {point, point + 1, first_tap, last - first_tap};
  }
};

inline ConvAxis forward_axis(const Window& w, int i) {
  return {w.out[i], w.stride[i], w.in[i], w.size[i], -w.pad_before[i], w.dilation[i]};
}

}  // namespace tinytf::kernels::TINYTF_ISA
