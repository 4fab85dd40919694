#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

namespace tinytf::kernels {
namespace TINYTF_FILE {

PoolShape shape(int64_t batch, int64_t channels, int64_t in, int64_t size, int64_t stride, int64_t before,
                int64_t behind) {
  PoolShape s{batch, channels, {}};
  Window& w = s.window;
  for (int axis : {kHeight, kWidth}) {
    w.in[axis] = in + axis, w.size[axis] = size, w.stride[axis] = stride, w.pad_before[axis] = before;
    w.out[axis] = (w.in[axis] + before + behind - size) / stride + 1;
  }
  return s;
}

std::vector<PoolShape> shapes() {
  std::vector<PoolShape> all = {shape(2, 5, 6, 2, 2, 0, 0), shape(1, 33, 7, 3, 2, 1, 1), shape(3, 64, 5, 3, 1, 1, 1),
                                shape(2, 1, 9, 4, 3, 0, 2), shape(1, 7, 4, 5, 1, 0, 0),  shape(2, 35, 8, 1, 2, 0, 0),
                                shape(0, 4, 6, 2, 2, 0, 0), shape(2, 0, 6, 2, 2, 0, 0)};
  PoolShape deep = shape(2, 3, 6, 2, 2, 0, 1);
  deep.window.in[0] = 5, deep.window.size[0] = 3, deep.window.stride[0] = 2, deep.window.pad_before[0] = 1;
  deep.window.out[0] = 3;
  all.push_back(deep);
  return all;
}

/// Calls body(output element, list of input elements of its window in row-major order).
template <class Body>
void for_each_element(const PoolShape& s, Body body) {
  const Window& w = s.window;
  for (int64_t image = 0; image < s.batch; ++image) {
    for (int64_t o = 0; o < w.out_points(); ++o) {
      const int64_t out[3] = {o / (w.out[1] * w.out[2]), o / w.out[2] % w.out[1], o % w.out[2]};
      std::vector<int64_t> points;
      for (int64_t t = 0; t < w.taps(); ++t) {
        const int64_t tap[3] = {t / (w.size[1] * w.size[2]), t / w.size[2] % w.size[1], t % w.size[2]};
        int64_t point = 0;
        bool inside = true;
        for (int i = 0; i < 3; ++i) {
          const int64_t at = out[i] * w.stride[i] + tap[i] - w.pad_before[i];
          inside = inside && at >= 0 && at < w.in[i];
          point = point * w.in[i] + at;
        }
        if (inside) points.push_back(point);
      }
      for (int64_t c = 0; c < s.channels; ++c) {
        std::vector<int64_t> elements;
        for (int64_t point : points) elements.push_back((image * w.in_points() + point) * s.channels + c);
        body((image * w.out_points() + o) * s.channels + c, elements);
      }
    }
  }
}

template <class T>
auto value(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return wide(x);
}

template <class T>
void check_max(const PoolShape& s, Parallel& parallel) {
  const int64_t in_size = s.batch * s.window.in_points() * s.channels;
  auto input = random_values<T>(in_size, 1);
  for (int64_t i = 0; i < in_size; i += 3) input[i] = input[i / 2];  // ties
  const auto errors = random_values<T>(s.batch * s.window.out_points() * s.channels, 2);
  std::vector<T> out(errors.size()), again(errors.size()), in_grad(in_size), want_grad(in_size);
  std::vector<int64_t> argmax(errors.size()), argmax_batch(errors.size());
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table().pool.max[kType](s, input.data(), out.data(), parallel);
  table().pool.max_argmax[kType](s, input.data(), again.data(), argmax.data(), false, parallel);
  table().pool.max_argmax[kType](s, input.data(), nullptr, argmax_batch.data(), true, parallel);
  table().pool.max_grad[kType](s, input.data(), errors.data(), in_grad.data(), parallel);
  bool right = true;
  const int64_t image = s.window.in_points() * s.channels;
  for_each_element(s, [&](int64_t o, const std::vector<int64_t>& elements) {
    int64_t best = elements[0];
    for (int64_t i : elements) best = value(input[best]) < value(input[i]) ? i : best;
    right = right && value(out[o]) == value(input[best]) && value(again[o]) == value(input[best]);
    right = right && argmax[o] == best % image && argmax_batch[o] == best;
    want_grad[best] = static_cast<T>(wide(want_grad[best]) + wide(errors[o]));
  });
  EXPECT(right);
  EXPECT(in_size == 0 || std::memcmp(in_grad.data(), want_grad.data(), in_size * sizeof(T)) == 0);
}

template <class T>
void check_max_grad_equal(const PoolShape& s, Parallel& parallel) {
  const int64_t in_size = s.batch * s.window.in_points() * s.channels;
  auto input = random_values<T>(in_size, 1);
  for (int64_t i = 0; i < in_size; i += 3) input[i] = input[i / 2];  // ties
  const auto errors = random_values<T>(s.batch * s.window.out_points() * s.channels, 2);
  std::vector<T> out(errors.size()), in_grad(in_size), want_grad(in_size);
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table().pool.max[kType](s, input.data(), out.data(), parallel);
  for (size_t i = 0; i < out.size(); i += 5) out[i] = errors[i];  // the given maxima count, not the computed ones
  table().pool.max_grad_equal[kType](s, input.data(), out.data(), errors.data(), in_grad.data(), parallel);
  for_each_element(s, [&](int64_t o, const std::vector<int64_t>& elements) {
    for (int64_t i : elements) {
      if (wide(input[i]) == wide(out[o])) want_grad[i] = static_cast<T>(wide(want_grad[i]) + wide(errors[o]));
    }
  });
  EXPECT(in_size == 0 || std::memcmp(in_grad.data(), want_grad.data(), in_size * sizeof(T)) == 0);
}

template <class T>
void check_average(const PoolShape& s, Parallel& parallel) {
  const int64_t in_size = s.batch * s.window.in_points() * s.channels;
  const auto input = random_values<T>(in_size, 1),
             errors = random_values<T>(s.batch * s.window.out_points() * s.channels, 2);
  std::vector<T> out(errors.size()), in_grad(in_size);
  std::vector<double> want_grad(in_size);
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table().pool.average[kType](s, input.data(), out.data(), parallel);
  table().pool.average_grad[kType](s, errors.data(), in_grad.data(), parallel);
  double worst = 0;
  for_each_element(s, [&](int64_t o, const std::vector<int64_t>& elements) {
    double sum = 0;
    for (int64_t i : elements) sum += wide(input[i]), want_grad[i] += wide(errors[o]) / elements.size();
    worst = std::max(worst, distance<T>(out[o], sum / elements.size()));
  });
  for (int64_t i = 0; i < in_size; ++i) worst = std::max(worst, distance<T>(in_grad[i], want_grad[i]));
  EXPECT(worst <= 4 * tolerance<T>(20));
}

template <class... T>
void check_all_max() {
  for_each_isa([] {
    UnevenParallel parallel;
    for (const PoolShape& s : shapes()) (check_max<T>(s, parallel), ...);
  });
}

TINYTF_TEST(pool_max) { check_all_max<float, double, Half, BFloat16>(); }
TINYTF_TEST(pool_max_of_integers) {
  check_all_max<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>();
}

TINYTF_TEST(pool_max_grad_equal) {
  for_each_isa([] {
    UnevenParallel parallel;
    for (const PoolShape& s : shapes()) {
      check_max_grad_equal<float>(s, parallel);
      check_max_grad_equal<Half>(s, parallel);
      check_max_grad_equal<BFloat16>(s, parallel);
    }
  });
}

TINYTF_TEST(pool_average) {
  for_each_isa([] {
    UnevenParallel parallel;
    for (const PoolShape& s : shapes()) {
      check_average<float>(s, parallel);
      check_average<double>(s, parallel);
      check_average<Half>(s, parallel);
      check_average<BFloat16>(s, parallel);
    }
  });
}

TINYTF_TEST(pool_max_passes_over_nan) {
  for_each_isa([] {
    const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
    const float lowest = std::numeric_limits<float>::lowest();
    PoolShape s{1, 1, {}};
    s.window.in[kWidth] = 8, s.window.size[kWidth] = s.window.stride[kWidth] = 2, s.window.out[kWidth] = 4;
    const float input[8] = {nan, 1, 2, nan, nan, nan, -infinity, -infinity};
    float out[4], grad[8];
    int64_t argmax[4];
    SerialParallel serial;
    constexpr int kType = static_cast<int>(DType::kFloat);
    table().pool.max[kType](s, input, out, serial);
    EXPECT(out[0] == 1 && out[1] == 2 && out[2] == lowest && out[3] == lowest);
    table().pool.max_argmax[kType](s, input, out, argmax, false, serial);
    EXPECT(std::isnan(out[0]) && out[1] == 2 && std::isnan(out[2]) && out[3] == -infinity);
    EXPECT(argmax[0] == 0 && argmax[1] == 2 && argmax[2] == 4 && argmax[3] == 6);
    const float errors[4] = {1, 2, 3, 4}, want[8] = {1, 0, 2, 0, 3, 0, 4, 0};
    table().pool.max_grad[kType](s, input, errors, grad, serial);
    EXPECT(std::memcmp(grad, want, sizeof want) == 0);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::kernels
