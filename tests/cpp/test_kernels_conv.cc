#include <cstring>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

namespace tinytf::kernels {
namespace TINYTF_FILE {

/// Calls body(image, out point, tap, in point) for every tap of every window inside the input.
template <class Body>
void for_each_contact(int64_t batch, const Window& w, Body body) {
  for (int64_t image = 0; image < batch; ++image) {
    for (int64_t o = 0; o < w.out_points(); ++o) {
      const int64_t out[3] = {o / (w.out[1] * w.out[2]), o / w.out[2] % w.out[1], o % w.out[2]};
      for (int64_t t = 0; t < w.taps(); ++t) {
        const int64_t tap[3] = {t / (w.size[1] * w.size[2]), t / w.size[2] % w.size[1], t % w.size[2]};
        int64_t point = 0;
        bool inside = true;
        for (int i = 0; i < 3; ++i) {
          const int64_t at = out[i] * w.stride[i] + tap[i] * w.dilation[i] - w.pad_before[i];
          inside = inside && at >= 0 && at < w.in[i];
          point = point * w.in[i] + at;
        }
        if (inside) body(image, image * w.out_points() + o, t, image * w.in_points() + point);
      }
    }
  }
}

Window window(int64_t in, int64_t size, int64_t stride, int64_t dilation, int64_t before, int64_t behind) {
  Window w;
  for (int axis : {kHeight, kWidth}) {
    w.in[axis] = in + (axis == kWidth ? 3 : 0);
    w.size[axis] = axis == kWidth || size == 1 ? size : size - 1;
    w.stride[axis] = stride, w.dilation[axis] = dilation, w.pad_before[axis] = before;
    w.out[axis] = (w.in[axis] + before + behind - (w.size[axis] - 1) * dilation - 1) / stride + 1;
  }
  return w;
}

std::vector<Window> windows() {
  std::vector<Window> all = {window(9, 3, 1, 1, 1, 1),  window(8, 1, 1, 1, 0, 0),  window(9, 3, 2, 1, 0, 1),
                             window(11, 5, 3, 1, 2, 2), window(10, 3, 1, 2, 2, 2), window(13, 3, 2, 3, 3, 2),
                             window(7, 2, 3, 1, 0, 0),  window(5, 4, 1, 1, 3, 3),  window(9, 1, 2, 1, 0, 0),
                             window(9, 3, 4, 2, 1, 0),  window(3, 5, 2, 1, 4, 4),  window(10, 3, 1, 1, -1, 0)};
  Window deep = window(6, 3, 2, 1, 1, 1);
  deep.in[0] = 5, deep.size[0] = 2, deep.stride[0] = 2, deep.pad_before[0] = 1, deep.out[0] = 3;
  all.push_back(deep);
  return all;
}

template <class T>
void expect_close(const std::vector<T>& result, const std::vector<double>& reference, int64_t terms) {
  double worst = 0;
  for (size_t i = 0; i < result.size(); ++i) worst = std::max(worst, distance<T>(result[i], reference[i]));
  EXPECT(worst <= tolerance<T>(terms));
}

template <class T>
void check(const ConvShape& s, Parallel& parallel) {
  const Window& w = s.window;
  const int64_t c = s.in_channels, n = s.out_channels;
  const auto input = random_values<T>(s.batch * w.in_points() * c, 1), filter = random_values<T>(w.taps() * c * n, 2);
  const auto errors = random_values<T>(s.batch * w.out_points() * n, 3), bias = random_values<T>(n, 4);
  std::vector<double> out(errors.size()), fused, in_grad(input.size()), filter_grad(filter.size());
  for_each_contact(s.batch, w, [&](int64_t, int64_t o, int64_t t, int64_t i) {
    for (int64_t q = 0; q < c; ++q) {
      for (int64_t j = 0; j < n; ++j) {
        const double x = wide(input[i * c + q]), f = wide(filter[(t * c + q) * n + j]), e = wide(errors[o * n + j]);
        out[o * n + j] += x * f;
        in_grad[i * c + q] += e * f;
        filter_grad[(t * c + q) * n + j] += x * e;
      }
    }
  });
  fused = out;
  for (size_t i = 0; i < fused.size(); ++i) fused[i] = std::max(0.0, fused[i] + wide(bias[i % n]));

  constexpr int kType = static_cast<int>(dtype_of<T>);
  std::vector<T> result(out.size());
  table().conv.forward[kType](s, input.data(), filter.data(), result.data(), {}, parallel);
  expect_close(result, out, w.taps() * c);
  table().conv.forward[kType](s, input.data(), filter.data(), result.data(), {bias.data(), true}, parallel);
  expect_close(result, fused, w.taps() * c);
  std::vector<T> in_result(input.size());
  table().conv.backprop_input[kType](s, filter.data(), errors.data(), in_result.data(), parallel);
  expect_close(in_result, in_grad, w.taps() * n);
  std::vector<T> filter_result(filter.size());
  table().conv.backprop_filter[kType](s, input.data(), errors.data(), filter_result.data(), parallel);
  expect_close(filter_result, filter_grad, s.batch * w.out_points());
}

template <class T>
void check_depthwise(const DepthwiseShape& s, Parallel& parallel) {
  const Window& w = s.window;
  const int64_t c = s.channels, n = c * s.multiplier;
  const auto input = random_values<T>(s.batch * w.in_points() * c, 1), filter = random_values<T>(w.taps() * n, 2);
  const auto errors = random_values<T>(s.batch * w.out_points() * n, 3);
  std::vector<double> out(errors.size()), in_grad(input.size()), filter_grad(filter.size());
  for_each_contact(s.batch, w, [&](int64_t, int64_t o, int64_t t, int64_t i) {
    for (int64_t j = 0; j < n; ++j) {
      const double x = wide(input[i * c + j / s.multiplier]), f = wide(filter[t * n + j]), e = wide(errors[o * n + j]);
      out[o * n + j] += x * f;
      in_grad[i * c + j / s.multiplier] += e * f;
      filter_grad[t * n + j] += x * e;
    }
  });
  constexpr int kType = static_cast<int>(dtype_of<T>);
  std::vector<T> result(out.size()), in_result(input.size()), filter_result(filter.size());
  table().conv.depthwise[kType](s, input.data(), filter.data(), result.data(), parallel);
  expect_close(result, out, w.taps());
  table().conv.depthwise_backprop_input[kType](s, filter.data(), errors.data(), in_result.data(), parallel);
  expect_close(in_result, in_grad, w.taps() * s.multiplier);
  table().conv.depthwise_backprop_filter[kType](s, input.data(), errors.data(), filter_result.data(), parallel);
  expect_close(filter_result, filter_grad, s.batch * w.out_points());
}

template <class T>
void check_windows() {
  for_each_isa([] {
    UnevenParallel parallel;
    for (const Window& w : windows()) {
      check<T>({2, 3, 5, w}, parallel);
      check<T>({1, 16, 34, w}, parallel);
      check<T>({3, 1, 8, w}, parallel);
      check_depthwise<T>({2, 9, 1, w}, parallel);
      check_depthwise<T>({1, 5, 3, w}, parallel);
    }
  });
}

TINYTF_TEST(conv_float) { check_windows<float>(); }
TINYTF_TEST(conv_double) { check_windows<double>(); }
TINYTF_TEST(conv_half) { check_windows<Half>(); }
TINYTF_TEST(conv_bfloat16) { check_windows<BFloat16>(); }

// Points so far apart that they map to the same cache sets, whose rows are copied together.
TINYTF_TEST(conv_of_wide_points) {
  for_each_isa([] {
    UnevenParallel parallel;
    for (const Window& w : {window(9, 3, 1, 1, 1, 1), window(10, 3, 1, 2, 2, 2), window(9, 3, 2, 1, 0, 1)}) {
      check<float>({1, 512, 33, w}, parallel);
      check<float>({1, 33, 512, w}, parallel);
    }
  });
}

TINYTF_TEST(conv_of_nothing) {
  UnevenParallel parallel;
  for (const Window& w : {window(9, 3, 1, 1, 1, 1), window(3, 5, 1, 1, 1, 1)}) {
    check<float>({0, 3, 5, w}, parallel);
    check<float>({2, 0, 5, w}, parallel);
    check<float>({2, 3, 0, w}, parallel);
  }
}

// Chunked filter gradients, several blocks of every kind, and bitwise equal results for any split.
TINYTF_TEST(conv_does_not_depend_on_threads) {
  for_each_isa([] {
    const ConvShape s{3, 40, 70, window(30, 3, 1, 1, 1, 1)};
    const Window& w = s.window;
    UnevenParallel uneven(2);
    check<float>(s, uneven);
    const auto input = random_values<float>(s.batch * w.in_points() * 40, 1),
               filter = random_values<float>(w.taps() * 2800, 2);
    const auto errors = random_values<float>(s.batch * w.out_points() * 70, 3);
    std::vector<std::vector<float>> runs[3];
    SerialParallel one;
    UnevenParallel three(3), eight(8);
    for (Parallel* parallel :
         {static_cast<Parallel*>(&one), static_cast<Parallel*>(&three), static_cast<Parallel*>(&eight)}) {
      std::vector<float> out(errors.size()), in_grad(input.size()), filter_grad(filter.size());
      constexpr int kType = static_cast<int>(DType::kFloat);
      table().conv.forward[kType](s, input.data(), filter.data(), out.data(), {}, *parallel);
      table().conv.backprop_input[kType](s, filter.data(), errors.data(), in_grad.data(), *parallel);
      table().conv.backprop_filter[kType](s, input.data(), errors.data(), filter_grad.data(), *parallel);
      runs[0].push_back(out), runs[1].push_back(in_grad), runs[2].push_back(filter_grad);
    }
    for (const auto& results : runs) EXPECT(results[0] == results[1] && results[0] == results[2]);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::kernels
