#include "kernels/isa/compiler.h"
#include "kernels/isa/normalize_parts.h"
#include "kernels/isa/scratch.h"
#include "kernels/normalize.h"

// Batch normalization. Rows with few channels are viewed as wider rows, `tile` rows side by side, so that every inner
// loop is long enough for vectors. Sums go over blocks of rows whose size depends only on the shape: in float within a
// block, in double over the blocks.

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int64_t kSegment = 512;            // Elements that are converted to float at once.
constexpr int64_t kMinWide = 64;             // Elements of a wide row.
constexpr int64_t kBlockElements = 1 << 14;  // Approximate elements of a block.
constexpr int64_t kMinBlockRows = 16;        // Minimum number of wide rows in a block.
constexpr double kCost = 0.25;               // Nanoseconds per element and stream.

struct Layout {
  Layout(int64_t rows, int64_t channels) : rows(rows), channels(channels) {
    const int64_t tile = channels >= kMinWide ? 1 : (kMinWide + channels - 1) / channels;
    wide = tile * channels;
    block_rows = greatest(kMinBlockRows, kBlockElements / wide) * tile;
    blocks = (rows + block_rows - 1) / block_rows;
  }
  /// Elements of block b.
  int64_t block_size(int64_t b) const { return least(block_rows, rows - b * block_rows) * channels; }

  int64_t rows, channels;
  int64_t wide;        // Elements of a wide row.
  int64_t block_rows;  // Rows of x.
  int64_t blocks;
};

/// Repeats the values, one per channel, along a wide row.
void repeat(const float* values, const Layout& layout, float* wide) {
  for (int64_t begin = 0; begin < layout.wide; begin += layout.channels) {
    for (int64_t c = 0; c < layout.channels; ++c) wide[begin + c] = values[c];
  }
}

/// Calls body(offset, position, length) for the segments of elements [offset, offset + n), which start with a wide row;
/// `position` is where in its wide row a segment starts.
template <class Body>
void for_segments(const Layout& layout, int64_t offset, int64_t n, Body body) {
  for (int64_t row = 0; row < n; row += layout.wide) {
    const int64_t length = least(layout.wide, n - row);
    for (int64_t at = 0; at < length; at += kSegment) body(offset + row + at, at, least(kSegment, length - at));
  }
}

/// Computes sums[k][channel] for k < kSums: `add(offset, position, length, acc)` adds to the wide rows acc + k * wide.
template <int kSums, class Add>
void sum_rows(const Layout& layout, double streams, Add add, double* sums, Parallel& parallel) {
  const int64_t width = kSums * layout.wide;
  const Scratch partial(static_cast<size_t>(layout.blocks * width) * sizeof(float));
  float* const partials = partial.as<float>();
  const double cost = streams * kCost * static_cast<double>(layout.block_rows * layout.channels);
  parallel.run(layout.blocks, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      float* acc = partials + b * width;
      for (int64_t j = 0; j < width; ++j) acc[j] = 0;
      for_segments(layout, b * layout.block_rows * layout.channels, layout.block_size(b),
                   [&](int64_t offset, int64_t at, int64_t length) { add(offset, at, length, acc); });
    }
  });
  for (int64_t i = 0; i < kSums * layout.channels; ++i) sums[i] = 0;
  for (int64_t b = 0; b < layout.blocks; ++b) {
    for (int k = 0; k < kSums; ++k) {
      const float* acc = partials + b * width + k * layout.wide;
      double* out = sums + k * layout.channels;
      for (int64_t begin = 0; begin < layout.wide; begin += layout.channels) {
        for (int64_t c = 0; c < layout.channels; ++c) out[c] += static_cast<double>(acc[begin + c]);
      }
    }
  }
}

template <class T>
void statistics(const void* x_data, int64_t rows, int64_t channels, float* mean, float* variance, Parallel& parallel) {
  const T* x = static_cast<const T*>(x_data);
  const Layout layout(rows, channels);
  const Scratch memory(static_cast<size_t>(channels) * sizeof(double) +
                       static_cast<size_t>(layout.wide) * sizeof(float));
  double* sums = memory.as<double>();
  float* wide_mean = reinterpret_cast<float*>(sums + channels);
  const double n = static_cast<double>(rows);

  sum_rows<1>(
      layout, 1,
      [x](int64_t offset, int64_t at, int64_t length, float* acc) {
        float buffer[kSegment];
        const float* from = load(x + offset, length, buffer);
        float* to = acc + at;
        for (int64_t i = 0; i < length; ++i) to[i] += from[i];
      },
      sums, parallel);
  for (int64_t c = 0; c < channels; ++c) mean[c] = static_cast<float>(sums[c] / n);
  repeat(mean, layout, wide_mean);

  sum_rows<1>(
      layout, 1,
      [x, wide_mean](int64_t offset, int64_t at, int64_t length, float* acc) {
        float buffer[kSegment];
        const float* from = load(x + offset, length, buffer);
        const float* centre = wide_mean + at;
        float* to = acc + at;
        for (int64_t i = 0; i < length; ++i) {
          const float d = from[i] - centre[i];
          to[i] += d * d;
        }
      },
      sums, parallel);
  for (int64_t c = 0; c < channels; ++c) variance[c] = static_cast<float>(sums[c] / n);
}

template <class T>
void apply(const void* x_data, int64_t rows, int64_t channels, const float* mean, const float* factor,
           const float* offset, void* y_data, Parallel& parallel) {
  const T* x = static_cast<const T*>(x_data);
  T* y = static_cast<T*>(y_data);
  const Layout layout(rows, channels);
  const Scratch memory(static_cast<size_t>(3 * layout.wide) * sizeof(float));
  float* wide = memory.as<float>();
  repeat(mean, layout, wide);
  repeat(factor, layout, wide + layout.wide);
  repeat(offset, layout, wide + 2 * layout.wide);
  const double cost = 2 * kCost * static_cast<double>(layout.block_rows * channels);
  parallel.run(layout.blocks, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      for_segments(layout, b * layout.block_rows * channels, layout.block_size(b),
                   [&](int64_t start, int64_t at, int64_t length) {
                     float in[kSegment], out[kSegment];
                     const float* from = load(x + start, length, in);
                     float* to = target(y + start, out);
                     const float* m = wide + at;
                     const float* f = m + layout.wide;
                     const float* o = f + layout.wide;
                     TINYTF_IVDEP
                     for (int64_t i = 0; i < length; ++i) to[i] = (from[i] - m[i]) * f[i] + o[i];
                     store(to, length, y + start);
                   });
    }
  });
}

template <class T>
void grad_sums(const void* dy_data, const void* x_data, int64_t rows, int64_t channels, const float* mean,
               float* sum_dy, float* sum_dy_x, Parallel& parallel) {
  const T* dy = static_cast<const T*>(dy_data);
  const T* x = static_cast<const T*>(x_data);
  const Layout layout(rows, channels);
  const Scratch memory(static_cast<size_t>(2 * channels) * sizeof(double) +
                       static_cast<size_t>(layout.wide) * sizeof(float));
  double* sums = memory.as<double>();
  float* wide_mean = reinterpret_cast<float*>(sums + 2 * channels);
  repeat(mean, layout, wide_mean);
  const int64_t wide = layout.wide;
  sum_rows<2>(
      layout, 2,
      [=](int64_t offset, int64_t at, int64_t length, float* acc) {
        float dy_buffer[kSegment], x_buffer[kSegment];
        const float* g = load(dy + offset, length, dy_buffer);
        const float* from = load(x + offset, length, x_buffer);
        const float* centre = wide_mean + at;
        float* to_dy = acc + at;
        float* to_dy_x = acc + wide + at;
        TINYTF_IVDEP
        for (int64_t i = 0; i < length; ++i) {
          to_dy[i] += g[i];
          to_dy_x[i] += g[i] * (from[i] - centre[i]);
        }
      },
      sums, parallel);
  for (int64_t c = 0; c < channels; ++c) {
    sum_dy[c] = static_cast<float>(sums[c]);
    sum_dy_x[c] = static_cast<float>(sums[channels + c]);
  }
}

template <class T>
void grad_apply(const void* dy_data, const void* x_data, int64_t rows, int64_t channels, const float* mean,
                const float* dy_mean, const float* factor, const float* x_factor, void* dx_data, Parallel& parallel) {
  const T* dy = static_cast<const T*>(dy_data);
  const T* x = static_cast<const T*>(x_data);
  T* dx = static_cast<T*>(dx_data);
  const Layout layout(rows, channels);
  const int64_t wide = layout.wide;
  const Scratch memory(static_cast<size_t>(4 * wide) * sizeof(float));
  float* parameters = memory.as<float>();
  repeat(mean, layout, parameters);
  repeat(dy_mean, layout, parameters + wide);
  repeat(factor, layout, parameters + 2 * wide);
  repeat(x_factor, layout, parameters + 3 * wide);
  const double cost = 3 * kCost * static_cast<double>(layout.block_rows * channels);
  parallel.run(layout.blocks, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      for_segments(layout, b * layout.block_rows * channels, layout.block_size(b),
                   [&](int64_t start, int64_t at, int64_t length) {
                     float dy_buffer[kSegment], x_buffer[kSegment], out[kSegment];
                     const float* g = load(dy + start, length, dy_buffer);
                     const float* from = load(x + start, length, x_buffer);
                     float* to = target(dx + start, out);
                     const float* m = parameters + at;
                     const float* gm = m + wide;
                     const float* f = gm + wide;
                     const float* xf = f + wide;
                     TINYTF_IVDEP
                     for (int64_t i = 0; i < length; ++i) to[i] = (g[i] - gm[i]) * f[i] - (from[i] - m[i]) * xf[i];
                     store(to, length, dx + start);
                   });
    }
  });
}

template <class... T>
void add_types(NormalizeTable& table) {
  ((table.statistics[static_cast<int>(dtype_of<T>)] = statistics<T>), ...);
  ((table.apply[static_cast<int>(dtype_of<T>)] = apply<T>), ...);
  ((table.grad_sums[static_cast<int>(dtype_of<T>)] = grad_sums<T>), ...);
  ((table.grad_apply[static_cast<int>(dtype_of<T>)] = grad_apply<T>), ...);
}

}  // namespace

void fill_batch_normalization(NormalizeTable& table) { add_types<Half, BFloat16, float>(table); }

}  // namespace tinytf::kernels::TINYTF_ISA
