#pragma once

#include <cstdint>
#include <vector>

// Straightforward reference convolution and pooling of channels-last images, in double.
namespace tinytf {
namespace testing {

struct Image {
  int64_t batch, height, width, channels;
  std::vector<double> at;

  Image(int64_t batch, int64_t height, int64_t width, int64_t channels)
      : batch(batch), height(height), width(width), channels(channels), at(batch * height * width * channels) {}
  double& operator()(int64_t n, int64_t y, int64_t x, int64_t c) {
    return at[((n * height + y) * width + x) * channels + c];
  }
  bool inside(int64_t y, int64_t x) const { return y >= 0 && y < height && x >= 0 && x < width; }
  /// Fills the image with varying small integers.
  Image& fill(int seed) {
    for (size_t i = 0; i < at.size(); ++i) at[i] = static_cast<double>((i * 7 + seed * 13) % 11) - 5;
    return *this;
  }
};

/// The window along one axis.
struct Slide {
  int64_t size, stride, dilation, before, out;
};

/// Calls visit(n, oy, ox, iy, ix, ky, kx) for each tap inside the image.
template <class Visit>
void visit_taps(const Image& in, const Slide& y, const Slide& x, Visit visit) {
  for (int64_t n = 0; n < in.batch; ++n)
    for (int64_t oy = 0; oy < y.out; ++oy)
      for (int64_t ox = 0; ox < x.out; ++ox)
        for (int64_t ky = 0; ky < y.size; ++ky)
          for (int64_t kx = 0; kx < x.size; ++kx) {
            const int64_t iy = oy * y.stride + ky * y.dilation - y.before;
            const int64_t ix = ox * x.stride + kx * x.dilation - x.before;
            if (in.inside(iy, ix)) visit(n, oy, ox, iy, ix, ky, kx);
          }
}

/// The sum over all taps of input * filter * out_backprop depends on each of the three linearly: its derivatives are
/// the convolution and both gradients. `filter` is an Image [height, width, in, out].
struct ConvReference {
  Image output, in_backprop, filter_backprop;
  ConvReference(Image input, Image filter, Image out_backprop, const Slide& y, const Slide& x)
      : output(input.batch, y.out, x.out, filter.channels),
        in_backprop(input.batch, input.height, input.width, input.channels),
        filter_backprop(filter.batch, filter.height, filter.width, filter.channels) {
    visit_taps(input, y, x, [&](int64_t n, int64_t oy, int64_t ox, int64_t iy, int64_t ix, int64_t ky, int64_t kx) {
      for (int64_t c = 0; c < input.channels; ++c)
        for (int64_t o = 0; o < filter.channels; ++o) {
          output(n, oy, ox, o) += input(n, iy, ix, c) * filter(ky, kx, c, o);
          in_backprop(n, iy, ix, c) += out_backprop(n, oy, ox, o) * filter(ky, kx, c, o);
          filter_backprop(ky, kx, c, o) += out_backprop(n, oy, ox, o) * input(n, iy, ix, c);
        }
    });
  }
};

/// The same for a filter [height, width, channels, multiplier] with outputs [.., channels * multiplier].
struct DepthwiseReference {
  Image output, in_backprop, filter_backprop;
  DepthwiseReference(Image input, Image filter, Image out_backprop, const Slide& y, const Slide& x)
      : output(input.batch, y.out, x.out, input.channels * filter.channels),
        in_backprop(input.batch, input.height, input.width, input.channels),
        filter_backprop(filter.batch, filter.height, filter.width, filter.channels) {
    visit_taps(input, y, x, [&](int64_t n, int64_t oy, int64_t ox, int64_t iy, int64_t ix, int64_t ky, int64_t kx) {
      for (int64_t c = 0; c < input.channels; ++c)
        for (int64_t q = 0; q < filter.channels; ++q) {
          const int64_t o = c * filter.channels + q;
          output(n, oy, ox, o) += input(n, iy, ix, c) * filter(ky, kx, c, q);
          in_backprop(n, iy, ix, c) += out_backprop(n, oy, ox, o) * filter(ky, kx, c, q);
          filter_backprop(ky, kx, c, q) += out_backprop(n, oy, ox, o) * input(n, iy, ix, c);
        }
    });
  }
};

}  // namespace testing
}  // namespace tinytf
