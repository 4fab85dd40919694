#include "kernels/pool.h"

#include <limits>
#include <type_traits>

#include "kernels/isa/convert_float.h"
#include "kernels/isa/gemm_tile.h"
#include "kernels/isa/window_loop.h"

// Channels are the vector axis: a chunk of them is held in registers while the taps of a window pass.
namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int kChunk = 32;

template <class T>
constexpr bool kIsNarrow = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
using Wide = std::conditional_t<kIsNarrow<T>, float, T>;

/// a + b; integers wrap.
template <class V>
V sum_of(V a, V b) {
  if constexpr (std::is_integral_v<V>) {
    using Bits = std::make_unsigned_t<V>;
    return static_cast<V>(static_cast<Bits>(a) + static_cast<Bits>(b));
  } else {
    return a + b;
  }
}

/// The lowest finite value of T, in the type of the computation.
template <class T>
Wide<T> lowest() {
  if constexpr (std::is_same_v<T, Half>)
    return -65504.f;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return -3.3895313892515355e38f;
  else
    return std::numeric_limits<T>::lowest();
}

/// Returns a chunk of channels in place, or converted in `room`.
template <class T>
const Wide<T>* read(const T* from, [[maybe_unused]] int count, [[maybe_unused]] Wide<T>* room) {
  if constexpr (kIsNarrow<T>) {
    to_float(from, count, room);
    return room;
  } else {
    return from;
  }
}

template <class T>
void write(const Wide<T>* from, int count, T* to) {
  if constexpr (kIsNarrow<T>)
    from_float(from, count, to);
  else
    std::copy_n(from, count, to);
}

/// Calls body(first channel, count). count is the constant kChunk, except for a rest of fewer channels.
template <class Body>
void for_each_chunk(int64_t channels, const Body& body) {
  int64_t c = 0;
  for (; c + kChunk <= channels; c += kChunk) body(c, std::integral_constant<int, kChunk>());
  if (c < channels) body(c, static_cast<int>(channels - c));
}

double row_cost(const PoolShape& s) {
  return static_cast<double>(s.window.out[2]) * s.window.taps() * s.channels / 8 + 20 * s.window.out[2];
}

/// Calls body(image, output point, taps, output coordinates) for every output point.
template <class Body>
void for_each_window(const PoolShape& s, Parallel& parallel, const Body& body) {
  const int64_t rows = s.window.out[0] * s.window.out[1];
  parallel.run(s.batch * rows, 1, row_cost(s), [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t image = begin / rows, first = begin % rows, last = std::min(rows, first + end - begin);
      for_each_out(s.window, first, last, [&](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
        body(image, point, taps, at);
      });
      begin += last - first;
    }
  });
}

template <class T>
void max(const PoolShape& s, const void* input, void* output, Parallel& parallel) {
  const int64_t in_image = s.window.in_points() * s.channels, out_image = s.window.out_points() * s.channels;
  for_each_window(s, parallel, [&](int64_t image, int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
    const T* in = static_cast<const T*>(input) + image * in_image;
    T* out = static_cast<T*>(output) + image * out_image + point * s.channels;
    for_each_chunk(s.channels, [&](int64_t c, auto count) {
      Wide<T> best[kChunk], room[kChunk];
      std::fill_n(best, kChunk, lowest<T>());
      for_each_tap(s.window, taps, at, [&](int64_t, int64_t source) {
        const Wide<T>* x = read(in + source * s.channels + c, count, room);
        for (int i = 0; i < count; ++i) best[i] = best[i] < x[i] ? x[i] : best[i];
      });
      write(best, count, out + c);
    });
  });
}

/// Finds the first largest values of a window and the taps that they come from; -1 without taps.
template <class T, class Count>
void find_largest(const Window& w, const TapRange (&taps)[3], const int64_t (&at)[3], const T* in, int64_t channels,
                  Count count, Wide<T>* best, int32_t* from) {
  Wide<T> room[kChunk];
  bool first = true;
  std::fill_n(best, kChunk, lowest<T>());
  std::fill_n(from, kChunk, -1);
  for_each_tap(w, taps, at, [&](int64_t tap, int64_t source) {
    const Wide<T>* x = read(in + source * channels, count, room);
    const int32_t mark = static_cast<int32_t>(tap);
    if (first) {
      for (int i = 0; i < count; ++i) best[i] = x[i], from[i] = mark;
      first = false;
      return;
    }
    for (int i = 0; i < count; ++i) {
      const bool better = best[i] < x[i];
      best[i] = better ? x[i] : best[i];
      from[i] = better ? mark : from[i];
    }
  });
}

template <class T>
void max_argmax(const PoolShape& s, const void* input, void* output, int64_t* argmax, bool include_batch,
                Parallel& parallel) {
  const Window& w = s.window;
  const int64_t in_image = w.in_points() * s.channels, out_image = w.out_points() * s.channels;
  for_each_window(s, parallel, [&](int64_t image, int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
    const T* in = static_cast<const T*>(input) + image * in_image;
    const int64_t to = image * out_image + point * s.channels;
    for_each_chunk(s.channels, [&](int64_t c, auto count) {
      Wide<T> best[kChunk];
      int32_t from[kChunk];
      find_largest(w, taps, at, in + c, s.channels, count, best, from);
      if (output != nullptr) write(best, count, static_cast<T*>(output) + to + c);
      std::fill_n(argmax + to + c, static_cast<int>(count), int64_t{-1});
      for_each_tap(w, taps, at, [&](int64_t tap, int64_t source) {
        const int64_t index = source * s.channels + c + (include_batch ? image * in_image : 0);
        for (int i = 0; i < count; ++i) {
          if (from[i] == tap) argmax[to + c + i] = index + i;
        }
      });
    });
  });
}

/// Windows of one image may overlap, so a unit of work is a chunk of the channels of one image.
template <class Body>
void for_each_image_chunk(const PoolShape& s, Parallel& parallel, const Body& body) {
  const int64_t chunks = (s.channels + kChunk - 1) / kChunk, rows = s.window.out[0] * s.window.out[1];
  parallel.run(s.batch * chunks, 1, rows * row_cost(s) / std::max<int64_t>(1, chunks), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % chunks * kChunk;
      if (c + kChunk <= s.channels)
        body(i / chunks, c, std::integral_constant<int, kChunk>());
      else
        body(i / chunks, c, static_cast<int>(s.channels - c));
    }
  });
}

/// Calls body(point, taps, output coordinates) for the output points of one image, in order, for a chunk of its
/// channels.
template <class Body>
void for_each_point(const PoolShape& s, Parallel& parallel, const Body& body) {
  for_each_out_in_order(s.window, row_cost(s) * kChunk / std::max<int64_t>(kChunk, s.channels), parallel, body);
}

template <class T, class Count>
void clear_chunk(T* image, int64_t points, int64_t channels, Count count) {
  for (int64_t point = 0; point < points; ++point) std::fill_n(image + point * channels, static_cast<int>(count), T());
}

/// Whether no input point lies in two windows.
bool windows_are_apart(const Window& w) {
  for (int i = 0; i < Window::kAxes; ++i) {
    if ((w.size[i] - 1) * w.dilation[i] >= w.stride[i]) return false;
  }
  return true;
}

/// Whether windows that do not overlap leave no input point out.
bool windows_cover_input(const Window& w) {
  for (int i = 0; i < Window::kAxes; ++i) {
    if (w.size[i] != w.stride[i] || w.out[i] * w.stride[i] != w.in[i] || w.pad_before[i] != 0) return false;
  }
  return true;
}

/// max_grad() for small windows that do not overlap: every point is written once, and the values of a window stay in
/// registers.
constexpr int64_t kSmallWindow = 16;
template <class T>
void max_grad_apart(const PoolShape& s, const T* input, const T* errors, T* to, Parallel& parallel) {
  const Window& w = s.window;
  const int64_t in_image = w.in_points() * s.channels, out_image = w.out_points() * s.channels;
  if (!windows_cover_input(w)) {
    parallel.run(s.batch, 1, static_cast<double>(in_image) * sizeof(T) / 16,
                 [&](int64_t begin, int64_t end) { std::fill(to + begin * in_image, to + end * in_image, T()); });
  }
  for_each_window(s, parallel, [&](int64_t image, int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
    int64_t sources[kSmallWindow];
    int count = 0;
    for_each_tap(w, taps, at,
                 [&](int64_t, int64_t source) { sources[count++] = image * in_image + source * s.channels; });
    const T* error = errors + image * out_image + point * s.channels;
    const auto lanes_at = [&](int64_t c, const auto& read, const auto& write) {
      Vector<T> best = read(input + sources[0] + c);
      for (int i = 1; i < count; ++i) {
        const Vector<T> x = read(input + sources[i] + c);
        best = best < x ? x : best;
      }
      // The error goes to the first tap with the greatest value, or to the first tap of all if that value is NaN.
      Vector<T> left = read(error + c);
      for (int i = 0; i < count; ++i) {
        const Vector<T> x = read(input + sources[i] + c);
        const auto holds = (x == best) | (best != best);
        write(to + sources[i] + c, holds ? left : Vector<T>{});
        left = holds ? Vector<T>{} : left;
      }
    };
    if (count == 0) return;
    int64_t c = 0;
    for (; c + kLanes<T> <= s.channels; c += kLanes<T>) {
      lanes_at(c, [](const T* from) { return load(from); }, [](T* out, Vector<T> values) { store(out, values); });
    }
    if (c == s.channels) return;
    const Partial<T> partial(static_cast<int>(s.channels - c));
    lanes_at(
        c, [&](const T* from) { return partial.load(from); },
        [&](T* out, Vector<T> values) { partial.store(out, values); });
  });
}

template <class T>
void max_grad(const PoolShape& s, const void* input, const void* out_backprop, void* in_backprop, Parallel& parallel) {
  const Window& w = s.window;
  if constexpr (std::is_floating_point_v<T>) {
    if (w.taps() <= kSmallWindow && windows_are_apart(w)) {
      return max_grad_apart(s, static_cast<const T*>(input), static_cast<const T*>(out_backprop),
                            static_cast<T*>(in_backprop), parallel);
    }
  }
  const int64_t in_image = w.in_points() * s.channels, out_image = w.out_points() * s.channels;
  for_each_image_chunk(s, parallel, [&](int64_t image, int64_t c, auto count) {
    const T* in = static_cast<const T*>(input) + image * in_image + c;
    const T* errors = static_cast<const T*>(out_backprop) + image * out_image + c;
    T* to = static_cast<T*>(in_backprop) + image * in_image + c;
    clear_chunk(to, w.in_points(), s.channels, count);
    for_each_point(s, parallel, [=, &s, &w](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
      Wide<T> best[kChunk], room[kChunk], sums[kChunk];
      int32_t from[kChunk];
      const auto n = count;  // A copy that stores to `from` cannot change.
      find_largest(w, taps, at, in, s.channels, n, best, from);
      const Wide<T>* error = read(errors + point * s.channels, n, room);
      for_each_tap(w, taps, at, [&](int64_t tap, int64_t source) {
        T* sum = to + source * s.channels;
        const int32_t mark = static_cast<int32_t>(tap);
        const Wide<T>* old = read<T>(sum, n, sums);
        for (int i = 0; i < n; ++i) sums[i] = sum_of(old[i], from[i] == mark ? error[i] : Wide<T>());
        write(sums, n, sum);
      });
    });
  });
}

template <class T>
void max_grad_equal(const PoolShape& s, const void* input, const void* output, const void* out_backprop,
                    void* in_backprop, Parallel& parallel) {
  const Window& w = s.window;
  const int64_t in_image = w.in_points() * s.channels, out_image = w.out_points() * s.channels;
  for_each_image_chunk(s, parallel, [&](int64_t image, int64_t c, auto count) {
    const T* in = static_cast<const T*>(input) + image * in_image + c;
    const T* largest = static_cast<const T*>(output) + image * out_image + c;
    const T* errors = static_cast<const T*>(out_backprop) + image * out_image + c;
    T* to = static_cast<T*>(in_backprop) + image * in_image + c;
    clear_chunk(to, w.in_points(), s.channels, count);
    for_each_point(s, parallel, [=, &s, &w](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
      Wide<T> best_room[kChunk], error_room[kChunk], room[kChunk], sums[kChunk];
      const Wide<T>* best = read(largest + point * s.channels, count, best_room);
      const Wide<T>* error = read(errors + point * s.channels, count, error_room);
      for_each_tap(w, taps, at, [&](int64_t, int64_t source) {
        const Wide<T>* x = read(in + source * s.channels, count, room);
        T* sum = to + source * s.channels;
        const Wide<T>* old = read<T>(sum, count, sums);
        for (int i = 0; i < count; ++i) sums[i] = sum_of(old[i], x[i] == best[i] ? error[i] : Wide<T>());
        write(sums, count, sum);
      });
    });
  });
}

template <class T>
void average(const PoolShape& s, const void* input, void* output, Parallel& parallel) {
  const int64_t in_image = s.window.in_points() * s.channels, out_image = s.window.out_points() * s.channels;
  for_each_window(s, parallel, [&](int64_t image, int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
    const T* in = static_cast<const T*>(input) + image * in_image;
    T* out = static_cast<T*>(output) + image * out_image + point * s.channels;
    const auto taps_inside =
        static_cast<Wide<T>>(std::max<int64_t>(0, taps[0].count()) * std::max<int64_t>(0, taps[1].count()) *
                             std::max<int64_t>(0, taps[2].count()));
    for_each_chunk(s.channels, [&](int64_t c, auto count) {
      Wide<T> sum[kChunk] = {}, room[kChunk];
      for_each_tap(s.window, taps, at, [&](int64_t, int64_t source) {
        const Wide<T>* x = read(in + source * s.channels + c, count, room);
        for (int i = 0; i < count; ++i) sum[i] += x[i];
      });
      for (int i = 0; i < count; ++i) sum[i] /= taps_inside;
      write(sum, count, out + c);
    });
  });
}

template <class T>
void average_grad(const PoolShape& s, const void* out_backprop, void* in_backprop, Parallel& parallel) {
  const Window& w = s.window;
  const int64_t in_image = w.in_points() * s.channels, out_image = w.out_points() * s.channels;
  for_each_image_chunk(s, parallel, [&](int64_t image, int64_t c, auto count) {
    const T* errors = static_cast<const T*>(out_backprop) + image * out_image + c;
    T* to = static_cast<T*>(in_backprop) + image * in_image + c;
    clear_chunk(to, w.in_points(), s.channels, count);
    for_each_point(s, parallel, [=, &s, &w](int64_t point, const TapRange(&taps)[3], const int64_t (&at)[3]) {
      Wide<T> room[kChunk], share[kChunk], sums[kChunk];
      const Wide<T>* error = read(errors + point * s.channels, count, room);
      const auto taps_inside = static_cast<Wide<T>>(taps[0].count() * taps[1].count() * taps[2].count());
      for (int i = 0; i < count; ++i) share[i] = error[i] / taps_inside;
      for_each_tap(w, taps, at, [&](int64_t, int64_t source) {
        T* sum = to + source * s.channels;
        const Wide<T>* old = read<T>(sum, count, sums);
        for (int i = 0; i < count; ++i) sums[i] = old[i] + share[i];
        write(sums, count, sum);
      });
    });
  });
}

template <class T>
void add_max(PoolTable& table) {
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table.max[kType] = max<T>;
  table.max_argmax[kType] = max_argmax<T>;
  table.max_grad[kType] = max_grad<T>;
}

template <class T>
void add_max_grad_equal(PoolTable& table) {
  table.max_grad_equal[static_cast<int>(dtype_of<T>)] = max_grad_equal<T>;
}

template <class T>
void add_average(PoolTable& table) {
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table.average[kType] = average<T>;
  table.average_grad[kType] = average_grad<T>;
}

template <class... T>
void add_all_max(PoolTable& table) {
  (add_max<T>(table), ...);
}

}  // namespace

void fill(PoolTable& table) {
  add_all_max<float, double, Half, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(
      table);
  add_max_grad_equal<Half>(table);
  add_max_grad_equal<BFloat16>(table);
  add_max_grad_equal<float>(table);
  add_average<float>(table);
  add_average<double>(table);
  add_average<Half>(table);
  add_average<BFloat16>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
