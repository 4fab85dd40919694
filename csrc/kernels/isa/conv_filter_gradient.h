#pragma once

#include "kernels/isa/conv_axis.h"
#include "kernels/isa/gemm_real.h"

// Gradient of a convolution's filter: for every tap, products of the input points that it reads with the errors of the
// output points that it reaches, read directly from the images.
namespace tinytf::kernels::TINYTF_ISA {

template <class T>
class FilterGradient {
 public:
  FilterGradient(const ConvShape& shape, const T* input, const T* errors)
      : batch_(shape.batch),
        channels_(shape.in_channels),
        columns_(shape.out_channels),
        input_(input),
        errors_(errors) {
    for (int i = 0; i < 3; ++i) axes_[i] = forward_axis(shape.window, i);
    // With few channels, the taps of a row are processed together where they read the same points.
    joined_ = channels_ < kTileRows && axes_[2].delta == 1;
    row_ = axes_[2].extent * channels_;
    plane_ = axes_[1].extent * row_;
    image_ = axes_[0].extent * plane_;
    out_points_ = axes_[0].points * axes_[1].points * axes_[2].points;
    units_ = axes_[0].taps * axes_[1].taps * (joined_ ? 1 : axes_[2].taps);
    rows_ = axes_[0].taps * axes_[1].taps * axes_[2].taps * channels_;
  }

  void run(T* target, Parallel& parallel) const {
    if (rows_ * columns_ == 0) return;
    // Chunks of images, whose number depends only on the shape and whose sums are added in order.
    constexpr int64_t kMostSums = int64_t{1} << 20;
    const int64_t wanted = std::min({int64_t{16}, batch_ * out_points_ / 1024, kMostSums / (rows_ * columns_)});
    const int64_t chunk = std::max<int64_t>(1, ceil_div(batch_, std::max<int64_t>(1, wanted)));
    const int64_t chunks = std::max<int64_t>(1, ceil_div(batch_, chunk));
    const int64_t size = rows_ * columns_;
    Scratch scratch(chunks > 1 ? chunks * size * sizeof(T) : 0);
    T* const sums = chunks > 1 ? scratch.as<T>() : target;
    const double cost = static_cast<double>(size) * chunk * out_points_ / units_ / kProductsPerNs * (sizeof(T) / 4.0);
    parallel.run(chunks * units_, 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i / units_ * chunk;
        add_unit(i % units_, first, std::min(first + chunk, batch_), sums + i / units_ * size, parallel);
      }
    });
    if (chunks == 1) return;
    parallel.run(rows_, 1, static_cast<double>(chunks) * columns_ / 8, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * columns_; i < end * columns_; ++i) {
        T sum = sums[i];
        for (int64_t c = 1; c < chunks; ++c) sum += sums[c * size + i];
        target[i] = sum;
      }
    });
  }

 private:
  /// Computes the sums of one tap, or of one row of taps, over the images first … last.
  void add_unit(int64_t unit, int64_t first, int64_t last, T* sums, Parallel& parallel) const {
    const int64_t taps_x = axes_[2].taps, tap_x = joined_ ? 0 : unit % taps_x;
    const int64_t above = joined_ ? unit : unit / taps_x, tap_y = above % axes_[1].taps, tap_z = above / axes_[1].taps;
    T* const c = sums + ((tap_z * axes_[1].taps + tap_y) * taps_x + tap_x) * channels_ * columns_;
    std::fill_n(c, (joined_ ? taps_x : 1) * channels_ * columns_, T());
    const Span z = axes_[0].span_of(tap_z), y = axes_[1].span_of(tap_y);
    if (z.points() == 0 || y.points() == 0) return;
    if (!joined_) {
      add_points(z, y, axes_[2].span_of(tap_x), first, last, c, parallel);
      return;
    }
    Span x;
    for (int64_t q = 0; q < axes_[2].points; q = x.end) {
      x = axes_[2].span_from(q, axes_[2].points);
      add_points(z, y, x, first, last, c + x.first_tap * channels_ * columns_, parallel);
    }
  }

  /// Adds the products over the points of the spans to C, whose rows are the taps of x and their channels.
  void add_points(const Span& z, const Span& y, const Span& x, int64_t first, int64_t last, T* c,
                  Parallel& parallel) const {
    const int64_t rows = x.taps * channels_;
    if (rows == 0 || x.points() == 0) return;
    const T* const from = input_ + axes_[0].source(z.begin, z.first_tap) * plane_ +
                          axes_[1].source(y.begin, y.first_tap) * row_ +
                          axes_[2].source(x.begin, x.first_tap) * channels_;
    const int64_t at = (z.begin * axes_[1].points + y.begin) * axes_[2].points + x.begin;
    int64_t step_a = axes_[2].step * channels_, step_b = columns_;
    Steps steps{x.points(), y.points(), axes_[1].step * row_, axes_[2].points * columns_};
    if (x.points() == 1) {
      step_a = steps.a_outer, step_b = steps.b_outer;
      steps = {y.points()};
    }
    // Number of images whose points stay in L2 while the tiles of C pass over them.
    const int64_t bytes = (z.points() * y.points() * x.points() * (channels_ + columns_)) * sizeof(T);
    const int64_t some = std::max(kBlockBytes / bytes, ceil_div(512, z.points() * y.points() * x.points()));
    const int64_t high = even_piece(rows, kTileRows, 1), panels = ceil_div(columns_, kTileColumns<T>);
    for (int64_t block = first; block < last; block += some) {
      const int64_t block_end = std::min(block + some, last);
      const auto add_tile = [&](int64_t i, int64_t j) {
        int lanes;
        const TileFn<T> run = tile_for<T>(static_cast<int>(std::min(high, rows - i)),
                                          static_cast<int>(std::min<int64_t>(kTileColumns<T>, columns_ - j)), &lanes);
        for (int64_t image = block; image < block_end; ++image) {
          for (int64_t p = 0; p < z.points(); ++p) {
            const T* a = from + image * image_ + p * axes_[0].step * plane_ + i;
            const T* b = errors_ + (image * out_points_ + at + p * axes_[1].points * axes_[2].points) * columns_ + j;
            run(steps, {a, 1, step_a}, {b, step_b}, c + i * columns_ + j, columns_, lanes, {true});
          }
        }
      };
      const double products = static_cast<double>((block_end - block) * z.points() * y.points() * x.points()) *
                              static_cast<double>(high * kTileColumns<T>);
      const double cost = products / kProductsPerNs * (sizeof(T) / 4.0);
      parallel.run_in_order(ceil_div(rows, high) * panels, cost, [&](int64_t begin, int64_t end) {
        for (int64_t tile = begin; tile < end; ++tile) add_tile(tile / panels * high, tile % panels * kTileColumns<T>);
      });
    }
  }

  const int64_t batch_, channels_, columns_;
  const T* const input_;
  const T* const errors_;
  ConvAxis axes_[3];
  bool joined_;
  int64_t row_, plane_, image_;  // Strides in the input.
  int64_t out_points_;
  int64_t units_;
  int64_t rows_;
};

}  // namespace tinytf::kernels::TINYTF_ISA
