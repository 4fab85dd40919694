#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/isa/convert_float.h"
#include "kernels/isa/gemm_block.h"

// The matrix whose rows are the patches under a sliding window, made panel by panel and never stored as a whole.
namespace tinytf::kernels::TINYTF_ISA {

template <class T>
inline constexpr bool kNarrow = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
/// The type that values of T are computed in.
template <class T>
using Computed = std::conditional_t<kNarrow<T>, float, T>;

/// One spatial axis: tap t of point q reads source q * step + first + t * delta, if that lies in [0, extent).
struct PatchAxis {
  int64_t points = 1;
  int64_t step = 1;
  int64_t extent = 1;
  int64_t taps = 1;
  int64_t first = 0;
  int64_t delta = 1;

  int64_t source(int64_t point, int64_t tap) const { return point * step + first + tap * delta; }
  bool holds(int64_t at) const { return at >= 0 && at < extent; }
};

/// Rows are points (image, depth, height, width), columns (tap, channel), both row-major.
template <class T>
class Patches {
 public:
  using Value = Computed<T>;

  Patches(const T* data, int64_t channels, const PatchAxis (&axes)[3]) : data_(data), channels_(channels) {
    for (int i = 0; i < 3; ++i) axes_[i] = axes[i];
    // Neighbouring taps on neighbouring points: their channels are one run of memory.
    run_taps_ = axes[2].delta == 1 ? std::max<int64_t>(1, axes[2].taps) : 1;
    run_ = std::max<int64_t>(1, run_taps_ * channels);
    runs_per_row_ = axes[2].taps / run_taps_;
    image_ = axes[0].extent * axes[1].extent * axes[2].extent * channels;
  }

  int64_t points() const { return axes_[0].points * axes_[1].points * axes_[2].points; }
  int64_t columns() const { return axes_[0].taps * axes_[1].taps * axes_[2].taps * channels_; }

  /// As multiply() wants A: rows i …, columns p … p + length.
  PanelA<Value> panel(int64_t i, int rows, int64_t p, int64_t length, Value* room) const {
    const int64_t row = panel_row<Value>(length);
    Point at = point(i);
    for (int r = 0; r < rows; ++r) {
      fill_row(at, p, length, room + r * row);
      if (r + 1 < rows) at = next(at);
    }
    return {room, row, 1};
  }

 protected:
  struct Point {
    const T* image;
    int64_t at[3];
  };

  Point point(int64_t i) const {
    Point point;
    point.at[2] = i % axes_[2].points, i /= axes_[2].points;
    point.at[1] = i % axes_[1].points, i /= axes_[1].points;
    point.at[0] = i % axes_[0].points, i /= axes_[0].points;
    point.image = data_ + i * image_;
    return point;
  }
  Point next(Point point) const {
    if (++point.at[2] < axes_[2].points) return point;
    point.at[2] = 0;
    if (++point.at[1] < axes_[1].points) return point;
    point.at[1] = 0;
    if (++point.at[0] < axes_[0].points) return point;
    point.at[0] = 0;
    point.image += image_;
    return point;
  }

  /// Sources of point (0, 0, 0) under the first tap of a run.
  struct Tap {
    int64_t source[3];
  };
  Tap tap_of(int64_t run) const {
    int64_t z = 0, y = run, x = 0;  // most often there is one run per row and one plane: no divisions then
    if (runs_per_row_ > 1) x = y % runs_per_row_, y /= runs_per_row_;
    if (axes_[0].taps > 1) z = y / axes_[1].taps, y %= axes_[1].taps;
    return {{axes_[0].source(0, z), axes_[1].source(0, y), axes_[2].source(0, x)}};
  }

  /// Where the values of a tap start in the row of an image, or null where the row is padding.
  const T* row_at(const Point& point, const Tap& tap) const {
    const int64_t z = point.at[0] * axes_[0].step + tap.source[0], y = point.at[1] * axes_[1].step + tap.source[1];
    if (!axes_[0].holds(z) || !axes_[1].holds(y)) return nullptr;
    return point.image + (z * axes_[1].extent + y) * axes_[2].extent * channels_;
  }

  /// Columns p … p + length of one row.
  void fill_row(const Point& point, int64_t p, int64_t length, Value* to) const {
    int64_t run = p / run_, skip = p % run_;
    for (int64_t done = 0; done < length; skip = 0, ++run) {
      const int64_t piece = std::min(run_ - skip, length - done);
      fill_run(point, tap_of(run), skip, piece, to + done);
      done += piece;
    }
  }

  /// `piece` values of a run, `skip` values into it; zeros where it reads padding.
  void fill_run(const Point& point, const Tap& tap, int64_t skip, int64_t piece, Value* to) const {
    const int64_t x = point.at[2] * axes_[2].step + tap.source[2];
    const T* row = row_at(point, tap);
    if (row == nullptr || x + run_taps_ <= 0 || x >= axes_[2].extent) {
      std::fill(to, to + piece, Value());
      return;
    }
    const T* from = row + x * channels_;
    if (x >= 0 && x + run_taps_ <= axes_[2].extent) {
      read(from + skip, piece, to);
      return;
    }
    const int64_t end = skip + piece;
    const int64_t first = std::clamp(std::max<int64_t>(0, -x) * channels_, skip, end);
    const int64_t last = std::clamp(std::min(run_taps_, axes_[2].extent - x) * channels_, first, end);
    std::fill(to, to + (first - skip), Value());
    read(from + first, last - first, to + (first - skip));
    std::fill(to + (last - skip), to + piece, Value());
  }

  static void read(const T* from, int64_t n, Value* to) {
    if constexpr (kNarrow<T>) {
      to_float(from, n, to);
    } else {
      copy_values(from, n, to);
    }
  }

  const T* data_;
  int64_t channels_;
  PatchAxis axes_[3];
  int64_t run_taps_;
  int64_t run_;  // values that lie side by side for one point
  int64_t runs_per_row_;
  int64_t image_;
};

/// The transposed matrix: rows (tap, channel), columns points. What the gradient of a filter multiplies.
template <class T>
class TransposedPatches : private Patches<T> {
 public:
  using typename Patches<T>::Value;
  using Patches<T>::Patches;

  PanelA<Value> panel(int64_t i, int rows, int64_t p, int64_t length, Value* room) const {
    for (int done = 0; done < rows;) {
      const int64_t run = (i + done) / this->run_, skip = (i + done) % this->run_;
      const int piece = static_cast<int>(std::min<int64_t>(this->run_ - skip, rows - done));
      pack_run(this->tap_of(run), skip, piece, p, length, room + done);
      done += piece;
    }
    return {room, 1, kTileRows};
  }

 private:
  void pack_run(const typename Patches<T>::Tap& tap, int64_t skip, int piece, int64_t p, int64_t length,
                Value* to) const {
    const PatchAxis& axis = this->axes_[2];
    auto point = this->point(p);
    for (int64_t q = 0; q < length;) {
      // The rest of this row of points: those from `inside` to `outside` read no padding.
      const int64_t x0 = point.at[2], x1 = std::min(axis.points, x0 + length - q);
      const T* row = this->row_at(point, tap);
      const int64_t below = -tap.source[2], above = axis.extent - this->run_taps_ - tap.source[2];
      const int64_t inside = std::clamp(below > 0 ? ceil_div(below, axis.step) : 0, x0, x1);
      const int64_t outside = row == nullptr || above < 0 ? inside : std::clamp(above / axis.step + 1, inside, x1);
      for (; point.at[2] < x1; to += kTileRows) {
        if (point.at[2] == inside && inside < outside) {
          const T* from = row + (inside * axis.step + tap.source[2]) * this->channels_ + skip;
          copy_run(from, axis.step * this->channels_, outside - inside, piece, to);
          to += (outside - inside - 1) * kTileRows;
          point.at[2] = outside;
          continue;
        }
        this->fill_run(point, tap, skip, piece, to);
        ++point.at[2];
      }
      q += x1 - x0;
      --point.at[2];
      point = this->next(point);
    }
  }

  static void copy_run(const T* from, int64_t stride, int64_t count, int piece, Value* to) {
    if constexpr (kNarrow<T>) {
      for (int64_t q = 0; q < count; ++q) to_float(from + q * stride, piece, to + q * kTileRows);
    } else {
      pack_along<kTileRows>(from, stride, piece, count, to);
    }
  }
};

}  // namespace tinytf::kernels::TINYTF_ISA
