#include <type_traits>

#include "base/half.h"
#include "kernels/resize.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// The type in which T is computed.
template <class T>
using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// The four neighbors of a point; `down` and `right` are the weights of the bottom and the right ones.
template <class In>
struct Corners {
  const In *top_left, *top_right, *bottom_left, *bottom_right;
  float down, right;
};

/// Computes all channels of a point.
template <class V, class In, class Out, class Count>
void blend(const Corners<In>& at, Count channels, Out* out) {
  for (int64_t c = 0; c < channels; ++c) {
    const V top_left = static_cast<V>(at.top_left[c]), top_right = static_cast<V>(at.top_right[c]);
    const V bottom_left = static_cast<V>(at.bottom_left[c]), bottom_right = static_cast<V>(at.bottom_right[c]);
    const V top = top_left + (top_right - top_left) * static_cast<V>(at.right);
    const V bottom = bottom_left + (bottom_right - bottom_left) * static_cast<V>(at.right);
    out[c] = static_cast<Out>(top + (bottom - top) * static_cast<V>(at.down));
  }
}

template <class V, class In, class Out, class Count>
void blend_points(const ResizeShape& s, Count channels, const In* in, Out* out, Parallel& parallel) {
  constexpr double kCost = 1;  // Nanoseconds per element.
  const int64_t in_row = s.in_width * channels;
  const int64_t points = s.batch * s.out_height * s.out_width;
  parallel.run(points, 1, kCost * static_cast<double>(channels), [&](int64_t begin, int64_t end) {
    int64_t row = begin / s.out_width, x = begin % s.out_width;
    Out* to = out + begin * channels;
    for (int64_t left = end - begin; left > 0; ++row, x = 0) {
      const Between& y = s.rows[row % s.out_height];
      const In* image = in + row / s.out_height * s.in_height * in_row;
      const In *top = image + y.lower * in_row, *bottom = image + y.upper * in_row;
      for (; x < s.out_width && left > 0; ++x, --left, to += channels) {
        const Between& between = s.columns[x];
        const int64_t lower = between.lower * channels, upper = between.upper * channels;
        blend<V>(Corners<In>{top + lower, top + upper, bottom + lower, bottom + upper, y.weight, between.weight},
                 channels, to);
      }
    }
  });
}

template <class V, class In, class Out>
void bilinear(const ResizeShape& s, const void* in_data, void* out_data, Parallel& parallel) {
  const In* in = static_cast<const In*>(in_data);
  Out* out = static_cast<Out*>(out_data);
  if (s.channels == 1) return blend_points<V>(s, std::integral_constant<int64_t, 1>(), in, out, parallel);
  if (s.channels == 3) return blend_points<V>(s, std::integral_constant<int64_t, 3>(), in, out, parallel);
  blend_points<V>(s, s.channels, in, out, parallel);
}

template <class... In>
void fill_to_float(ResizeTable& table) {
  ((table.bilinear[static_cast<int>(dtype_of<In>)] = bilinear<float, In, float>), ...);
}
template <class... T>
void fill_same(ResizeTable& table) {
  ((table.bilinear_same[static_cast<int>(dtype_of<T>)] = bilinear<Computed<T>, T, T>), ...);
}

}  // namespace

void fill_bilinear(ResizeTable& table) {
  fill_to_float<int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t, BFloat16, Half, float, double>(table);
  fill_same<Half, float, double>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
