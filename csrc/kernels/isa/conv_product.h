#pragma once

#include "kernels/isa/conv_axis.h"
#include "kernels/isa/gemm_real.h"

// Products of windows with a filter, read directly from the images: a tile of the result is some points at a constant
// stride in memory by some columns, and its steps are the runs of channels that its window reads. Padding is neither
// read nor multiplied.
namespace tinytf::kernels::TINYTF_ISA {

/// out[image, point, j] = sum over taps and channels of source[image, source of (point, tap), channel] *
/// filter[tap, channel, j]. Images and filter are dense; points of the output lie `distance` apart along each axis.
template <class T>
struct WindowProduct {
  int64_t batch;
  int64_t channels;
  int64_t columns;
  ConvAxis axes[3];
  const T* source;
  const T* filter;
  T* out;
  int64_t out_image;
  int64_t distance[3];
  const T* bias = nullptr;
  bool relu = false;
};

/// A box of points that read the same taps: images × points of three axes.
struct ConvBox {
  int64_t first_image, images;
  Span spans[3];
};

template <class T>
class WindowMultiplier {
 public:
  explicit WindowMultiplier(const WindowProduct<T>& product) : p_(product) {
    source_[2] = p_.channels;
    source_[1] = p_.axes[2].extent * source_[2];
    source_[0] = p_.axes[1].extent * source_[1];
    source_image_ = p_.axes[0].extent * source_[0];
    filter_row_ = p_.channels * p_.axes[2].taps;
    depth_ = filter_row_ * p_.axes[1].taps * p_.axes[0].taps;
    panels_ = ceil_div(p_.columns, kColumns);
  }

  void run(Parallel& parallel) {
    const ConvAxis* axes = p_.axes;
    const int64_t points = axes[0].points * axes[1].points * axes[2].points;
    if (p_.batch * points * p_.columns == 0) return;
    Scratch scratch(packs() ? panels_ * depth_ * kColumns * sizeof(T) : 0);
    packed_ = scratch.as<T>();
    if (packs()) pack_filter(parallel);

    // Blocks of columns whose panels stay in L2; for each, groups of images and strips of their rows.
    const int64_t panel_bytes = std::max<int64_t>(1, depth_ * kColumns * sizeof(T));
    const int64_t block = std::max<int64_t>(1, kBlockBytes / panel_bytes), blocks = ceil_div(panels_, block);
    const int64_t groups = ceil_div(p_.batch, kImages);
    const double work = static_cast<double>(p_.batch) * points * p_.columns * std::max<int64_t>(1, depth_);
    const double ns = work / kProductsPerNs * (sizeof(T) / 4.0);
    // Enough strips to occupy all threads, and to end loops within kMomentNs when their step is over.
    const double moments = std::min(ns / kMomentNs / static_cast<double>(blocks), 1e9);
    const int64_t wanted = std::max<int64_t>(4 * parallel.threads(), static_cast<int64_t>(moments));
    const int64_t strips = std::clamp<int64_t>(wanted / (groups * axes[0].points), 1, axes[1].points);
    const int64_t rows = ceil_div(axes[1].points, strips);
    const int64_t units = groups * axes[0].points * strips;
    const double cost = ns / static_cast<double>(units * blocks);
    parallel.run(units * blocks, 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t unit = i % units, strip = unit % strips, z = unit / strips % axes[0].points;
        const int64_t image = unit / strips / axes[0].points * kImages, first = i / units * block;
        multiply_rows(image, std::min(kImages, p_.batch - image), z, std::min(strip * rows, axes[1].points),
                      std::min((strip + 1) * rows, axes[1].points), first, std::min(first + block, panels_), parallel);
      }
    });
  }

 private:
  static constexpr int64_t kColumns = kTileColumns<T>;
  static constexpr double kMomentNs = 10e6;
  static constexpr int64_t kImages = 8;  // Processed together, so that borders of single points make tiles too.

  /// The filter is packed into panels unless one panel holds it.
  bool packs() const { return panels_ > 1; }

  void pack_filter(Parallel& parallel) {
    parallel.run(panels_, 1, static_cast<double>(depth_) * kColumns / 4, [&](int64_t begin, int64_t end) {
      for (int64_t q = begin; q < end; ++q) {
        const int columns = static_cast<int>(std::min(kColumns, p_.columns - q * kColumns));
        pack_along<kColumns>(p_.filter + q * kColumns, p_.columns, columns, depth_, packed_ + q * kColumns * depth_);
      }
    });
  }
  PanelB<T> panel(int64_t q, int64_t step) const {
    if (!packs()) return {p_.filter + step * p_.columns, p_.columns};
    return {packed_ + (q * depth_ + step) * kColumns, kColumns};
  }

  /// Computes rows y0 … y1 of some images at depth z, for the columns of the panels q0 … q1.
  void multiply_rows(int64_t image, int64_t images, int64_t z, int64_t y0, int64_t y1, int64_t q0, int64_t q1,
                     Parallel& parallel) const {
    ConvBox box{image, images, {p_.axes[0].span_from(z, z + 1), {}, {}}};
    for (int64_t y = y0; y < y1; y = box.spans[1].end) {
      box.spans[1] = p_.axes[1].span_from(y, y1);
      for (int64_t x = 0; x < p_.axes[2].points; x = box.spans[2].end) {
        box.spans[2] = p_.axes[2].span_from(x, p_.axes[2].points);
        multiply_box(box, q0, q1, parallel);
      }
    }
  }

  /// Splits a box into tiles along the dimension that fills them best.
  void multiply_box(const ConvBox& box, int64_t q0, int64_t q1, Parallel& parallel) const {
    const Span &y = box.spans[1], &x = box.spans[2];
    const int64_t from =
        source_of(box, 0) * source_[0] + source_of(box, 1) * source_[1] + source_of(box, 2) * source_[2];
    const int64_t to = box.spans[0].begin * p_.distance[0] + y.begin * p_.distance[1] + x.begin * p_.distance[2];
    struct Dimension {
      int64_t count, source, out;
    } dims[3] = {{x.points(), p_.axes[2].step * source_[2], p_.distance[2]},
                 {y.points(), p_.axes[1].step * source_[1], p_.distance[1]},
                 {box.images, source_image_, p_.out_image}};
    int along = 0;
    for (int i = 1; i < 3; ++i) {
      if (std::min<int64_t>(dims[along].count, 6) < std::min<int64_t>(dims[i].count, 6)) along = i;
    }
    const Dimension line = dims[along], inner = dims[along == 0 ? 1 : 0], outer = dims[along == 2 ? 1 : 2];
    const int64_t rows = even_piece(line.count, kTileRows, 1);
    Scratch room(needs_copy(line.source, rows) ? rows * panel_row<T>(depth_) * sizeof(T) : 0);
    const int64_t tiles = ceil_div(line.count, rows);
    const double cost = static_cast<double>(rows * depth_) * (q1 - q0) * kColumns / kProductsPerNs * (sizeof(T) / 4.0);
    parallel.run_in_order(outer.count * inner.count * tiles, cost, [&](int64_t begin, int64_t end) {
      int64_t tile = begin % tiles, i = begin / tiles % inner.count, o = begin / tiles / inner.count;
      for (int64_t t = begin; t < end; ++t) {
        const int64_t r = tile * rows;
        const int64_t in = box.first_image * source_image_ + from + o * outer.source + i * inner.source;
        const int64_t out = box.first_image * p_.out_image + to + o * outer.out + i * inner.out;
        multiply_tile(box, std::min(rows, line.count - r), p_.source + in + r * line.source, line.source,
                      p_.out + out + r * line.out, line.out, q0, q1, room.as<T>());
        if (++tile < tiles) continue;
        tile = 0;
        if (++i < inner.count) continue;
        i = 0;
        ++o;
      }
    });
  }
  /// The source of a box's first point under its first tap; 0 if no tap reaches the box.
  int64_t source_of(const ConvBox& box, int axis) const {
    const Span& span = box.spans[axis];
    return span.taps == 0 ? 0 : p_.axes[axis].source(span.begin, span.first_tap);
  }
  /// Rows at such a stride would evict each other from L1.
  static bool needs_copy(int64_t distance, int64_t rows) { return rows > 4 && distance * sizeof(T) % 2048 == 0; }

  void multiply_tile(const ConvBox& box, int64_t rows, const T* source, int64_t source_row, T* out, int64_t out_row,
                     int64_t q0, int64_t q1, T* room) const {
    const Span &z = box.spans[0], &y = box.spans[1], &x = box.spans[2];
    // Neighboring taps that read neighboring points make one run of memory.
    const bool merged = p_.axes[2].delta == 1;
    const int64_t inner = merged ? x.taps * p_.channels : p_.channels;
    // If nothing is summed, one call without steps writes zeros, bias and relu.
    const bool none = z.taps * y.taps * x.taps * p_.channels == 0;
    const int64_t rows_a_call = merged || none ? 1 : y.taps;
    const int64_t calls = none ? 1 : z.taps * rows_a_call;
    const Steps steps = none     ? Steps{0, 0}
                        : merged ? Steps{inner, y.taps, p_.axes[1].delta * source_[1], filter_row_ * packed_step()}
                                 : Steps{inner, x.taps, p_.axes[2].delta * source_[2], inner * packed_step()};
    const bool copies = needs_copy(source_row, rows);
    for (int64_t call = 0; call < calls; ++call) {
      const int64_t dz = call / rows_a_call, dy = call % rows_a_call;
      const int64_t step =
          none ? 0
               : ((z.first_tap + dz) * p_.axes[1].taps + y.first_tap + dy) * filter_row_ + x.first_tap * p_.channels;
      PanelA<T> a{source + dz * p_.axes[0].delta * source_[0] + dy * p_.axes[1].delta * source_[1], source_row, 1};
      Steps taken = steps;
      if (copies) {
        a = copy_rows(a, rows, steps, room);
        taken.a_outer = inner;
      }
      for (int64_t q = q0; q < q1; ++q) {
        int lanes;
        const int64_t j = q * kColumns;
        const TileFn<T> run =
            tile_for<T>(static_cast<int>(rows), static_cast<int>(std::min(kColumns, p_.columns - j)), &lanes);
        const bool last = call + 1 == calls;
        run(taken, a, panel(q, step), out + j, out_row, lanes,
            {call > 0, last && p_.bias ? p_.bias + j : nullptr, last && p_.relu});
      }
    }
  }
  int64_t packed_step() const { return packs() ? kColumns : p_.columns; }

  static PanelA<T> copy_rows(const PanelA<T>& a, int64_t rows, const Steps& steps, T* room) {
    const int64_t row = panel_row<T>(steps.inner * steps.outer);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t o = 0; o < steps.outer; ++o) {
        copy_values(a.data + r * a.row + o * steps.a_outer, steps.inner, room + r * row + o * steps.inner);
      }
    }
    return {room, row, 1};
  }

  const WindowProduct<T> p_;
  int64_t source_[3];  // Strides in the source.
  int64_t source_image_;
  int64_t filter_row_;  // Steps of one row of taps.
  int64_t depth_;
  int64_t panels_;
  T* packed_ = nullptr;
};

}  // namespace tinytf::kernels::TINYTF_ISA
