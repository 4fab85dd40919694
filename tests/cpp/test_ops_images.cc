#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "tests/cpp/harness.h"
#include "tests/cpp/image_reference.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ConvReference;
using testing::DepthwiseReference;
using testing::Image;
using testing::OpRunner;
using testing::Slide;
using testing::tensor;
using testing::values;

using Ints = std::vector<int64_t>;

/// The image as a tensor, with channels last or first.
Tensor to_tensor(Image image, bool channels_first = false) {
  std::vector<float> elements;
  if (!channels_first) {
    elements.assign(image.at.begin(), image.at.end());
    return tensor<float>({image.batch, image.height, image.width, image.channels}, elements);
  }
  for (int64_t n = 0; n < image.batch; ++n)
    for (int64_t c = 0; c < image.channels; ++c)
      for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < image.width; ++x) elements.push_back(static_cast<float>(image(n, y, x, c)));
  return tensor<float>({image.batch, image.channels, image.height, image.width}, elements);
}

void expect_same(const Result<std::vector<Tensor>>& got, const Tensor& want, double tolerance = 1e-4) {
  EXPECT_OK(got.status());
  if (!got.ok()) return;
  const Tensor& result = got.value()[0];
  EXPECT_EQ(result.shape().to_string(), want.shape().to_string());
  if (result.shape() != want.shape()) return;
  const auto a = values<float>(result), b = values<float>(want);
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(static_cast<double>(a[i] - b[i])));
  EXPECT_NEAR(worst, 0, tolerance);
}

Tensor sizes(const Tensor& of) {
  std::vector<int32_t> dims(of.shape().dims().begin(), of.shape().dims().end());
  return tensor<int32_t>({static_cast<int64_t>(dims.size())}, dims);
}

struct Case {
  const char* padding;
  Slide y, x;
  bool channels_first;
};

/// 7 x 6 images with a 3 x 2 filter, and the windows for each padding.
const Case kCases[] = {
    {"VALID", {3, 1, 1, 0, 5}, {2, 1, 1, 0, 5}, false},    {"VALID", {3, 2, 1, 0, 3}, {2, 3, 1, 0, 2}, true},
    {"SAME", {3, 1, 1, 1, 7}, {2, 1, 1, 0, 6}, false},     {"SAME", {3, 2, 1, 1, 4}, {2, 2, 1, 0, 3}, true},
    {"VALID", {3, 1, 2, 0, 3}, {2, 1, 3, 0, 3}, false},    {"SAME", {3, 1, 2, 2, 7}, {2, 1, 2, 1, 6}, true},
    {"EXPLICIT", {3, 2, 1, 2, 4}, {2, 1, 1, 0, 8}, false}, {"EXPLICIT", {3, 1, 1, 2, 8}, {2, 2, 1, 0, 4}, true},
};

/// Sets the attrs of `op` for the case.
OpRunner& conv_op(OpRunner&& op, const Case& how) {
  const auto per_dimension = [&](int64_t y, int64_t x) {
    return how.channels_first ? Ints{1, 1, y, x} : Ints{1, y, x, 1};
  };
  op.attr("strides", per_dimension(how.y.stride, how.x.stride));
  op.attr("dilations", per_dimension(how.y.dilation, how.x.dilation));
  op.attr("padding", std::string(how.padding));
  op.attr("data_format", std::string(how.channels_first ? "NCHW" : "NHWC"));
  if (std::string(how.padding) == "EXPLICIT") {  // rows 2 before and 1 after, columns 0 before and 3 after
    op.attr("explicit_paddings", how.channels_first ? Ints{0, 0, 0, 0, 2, 1, 0, 3} : Ints{0, 0, 2, 1, 0, 3, 0, 0});
  }
  return op;
}

TINYTF_TEST(conv2d_and_its_gradients_follow_their_definition) {
  for (const Case& how : kCases) {
    Image input(2, 7, 6, 3), filter(3, 2, 3, 4), gradient(2, how.y.out, how.x.out, 4);
    input.fill(1);
    filter.fill(2);
    gradient.fill(3);
    const ConvReference want(input, filter, gradient, how.y, how.x);
    const bool first = how.channels_first;
    const Tensor in = to_tensor(input, first), weights = to_tensor(filter), grad = to_tensor(gradient, first);
    expect_same(conv_op(OpRunner("Conv2D"), how).input(in).input(weights).run(), to_tensor(want.output, first));
    expect_same(conv_op(OpRunner("Conv2DBackpropInput"), how).input(sizes(in)).input(weights).input(grad).run(),
                to_tensor(want.in_backprop, first));
    expect_same(conv_op(OpRunner("Conv2DBackpropFilter"), how).input(in).input(sizes(weights)).input(grad).run(),
                to_tensor(want.filter_backprop));
  }
}

TINYTF_TEST(depthwise_conv2d_and_its_gradients_follow_their_definition) {
  for (const Case& how : kCases) {
    if (std::string(how.padding) == "EXPLICIT") continue;  // not an attr of this op
    Image input(2, 7, 6, 3), filter(3, 2, 3, 2), gradient(2, how.y.out, how.x.out, 6);
    input.fill(1);
    filter.fill(2);
    gradient.fill(3);
    const DepthwiseReference want(input, filter, gradient, how.y, how.x);
    const bool first = how.channels_first;
    const Tensor in = to_tensor(input, first), weights = to_tensor(filter), grad = to_tensor(gradient, first);
    expect_same(conv_op(OpRunner("DepthwiseConv2dNative"), how).input(in).input(weights).run(),
                to_tensor(want.output, first));
    expect_same(
        conv_op(OpRunner("DepthwiseConv2dNativeBackpropInput"), how).input(sizes(in)).input(weights).input(grad).run(),
        to_tensor(want.in_backprop, first));
    expect_same(
        conv_op(OpRunner("DepthwiseConv2dNativeBackpropFilter"), how).input(in).input(sizes(weights)).input(grad).run(),
        to_tensor(want.filter_backprop));
  }
}

TINYTF_TEST(conv3d_of_one_slice_is_conv2d) {
  const Case how = kCases[2];
  Image input(2, 7, 6, 3), filter(3, 2, 3, 4);
  const Tensor in = to_tensor(input.fill(1)), weights = to_tensor(filter.fill(2));
  auto flat = conv_op(OpRunner("Conv2D"), how).input(in).input(weights).run();
  EXPECT_OK(flat.status());
  OpRunner volume("Conv3D");
  volume.attr("strides", Ints{1, 1, 1, 1, 1}).attr("padding", std::string("SAME"));
  volume.input(in.reshaped({2, 1, 7, 6, 3})).input(weights.reshaped({1, 3, 2, 3, 4}));
  expect_same(volume.run(), flat.value()[0].reshaped({2, 1, 7, 6, 4}));
}

TINYTF_TEST(conv2d_says_what_is_wrong) {
  Image input(1, 4, 4, 3), filter(2, 2, 2, 5);
  const Case how = kCases[0];
  EXPECT_EQ(conv_op(OpRunner("Conv2D"), how).input(to_tensor(input)).input(to_tensor(filter)).run().status().message(),
            "Depth of input (3) is not a multiple of input depth of filter (2)");
  Image large(9, 2, 3, 5);
  EXPECT_EQ(conv_op(OpRunner("Conv2D"), how).input(to_tensor(input)).input(to_tensor(large)).run().status().message(),
            "Negative dimension size caused by subtracting 9 from 4");
  OpRunner batch_stride("Conv2D");
  batch_stride.attr("strides", Ints{2, 1, 1, 1}).attr("padding", std::string("SAME"));
  EXPECT_EQ(batch_stride.input(to_tensor(input)).input(to_tensor(input)).run().status().message(),
            "Current implementation does not yet support strides in the batch and depth dimensions.");
  OpRunner short_strides("Conv2D");
  short_strides.attr("strides", Ints{1, 1, 1}).attr("padding", std::string("SAME"));
  EXPECT_EQ(short_strides.input(to_tensor(input)).input(to_tensor(input)).run().status().message(),
            "Conv2D requires the stride attribute to contain 4 values, but got: 3");
  Image gradient(1, 4, 4, 5), weights(2, 2, 3, 5);
  Slot output;
  EXPECT_EQ(conv_op(OpRunner("Conv2DBackpropInput"), how)
                .input(sizes(to_tensor(input)))
                .input(to_tensor(weights))
                .input(to_tensor(gradient))
                .compute(&output)
                .message(),
            "Conv2DBackpropInput: Size of out_backprop doesn't match computed: actual = 4, computed = 3 spatial_dim: 1 "
            "input: 4 filter: 2 output: 4 stride: 1 dilation: 1");
}

TINYTF_TEST(conv2d_shapes_with_unknown_sizes) {
  Image any(1, 8, 8, 3), filter(3, 3, 3, 4);
  OpRunner op("Conv2D");
  op.attr("strides", Ints{1, 2, 2, 1}).attr("padding", std::string("SAME"));
  op.input(to_tensor(any)).input(to_tensor(filter));
  EXPECT_EQ(op.infer_from({PartialShape({-1, 9, -1, 3}), PartialShape({3, 3, 3, 4})}).value()[0].to_string(),
            "[?,5,?,4]");
  EXPECT_EQ(op.infer_from({PartialShape(), PartialShape({3, 3, 3, 4})}).value()[0].to_string(), "[?,?,?,4]");
}

/// Sets the attrs of `op` for the case.
OpRunner& pool_op(OpRunner&& op, const Case& how) {
  const auto per_dimension = [&](int64_t y, int64_t x) {
    return how.channels_first ? Ints{1, 1, y, x} : Ints{1, y, x, 1};
  };
  op.attr("ksize", per_dimension(how.y.size, how.x.size)).attr("strides", per_dimension(how.y.stride, how.x.stride));
  op.attr("padding", std::string(how.padding));
  op.attr("data_format", std::string(how.channels_first ? "NCHW" : "NHWC"));
  return op;
}

TINYTF_TEST(pooling_and_its_gradients_follow_their_definition) {
  for (const Case& how : kCases) {
    if (std::string(how.padding) == "EXPLICIT" || how.y.dilation > 1) continue;
    Image input(2, 7, 6, 3), gradient(2, how.y.out, how.x.out, 3);
    for (size_t i = 0; i < input.at.size(); ++i)
      input.at[i] = static_cast<double>((i * 37) % 251);  // no ties in a window
    gradient.fill(3);
    Image largest(2, how.y.out, how.x.out, 3), mean = largest, taps = largest;
    std::fill(largest.at.begin(), largest.at.end(), -1e30);
    Image max_grad(2, 7, 6, 3), mean_grad = max_grad;
    testing::visit_taps(input, how.y, how.x,
                        [&](int64_t n, int64_t oy, int64_t ox, int64_t iy, int64_t ix, int64_t, int64_t) {
                          for (int64_t c = 0; c < 3; ++c) {
                            largest(n, oy, ox, c) = std::max(largest(n, oy, ox, c), input(n, iy, ix, c));
                            mean(n, oy, ox, c) += input(n, iy, ix, c);
                            taps(n, oy, ox, c) += 1;
                          }
                        });
    testing::visit_taps(input, how.y, how.x,
                        [&](int64_t n, int64_t oy, int64_t ox, int64_t iy, int64_t ix, int64_t, int64_t) {
                          for (int64_t c = 0; c < 3; ++c) {
                            if (input(n, iy, ix, c) == largest(n, oy, ox, c))
                              max_grad(n, iy, ix, c) += gradient(n, oy, ox, c);
                            mean_grad(n, iy, ix, c) += gradient(n, oy, ox, c) / taps(n, oy, ox, c);
                          }
                        });
    for (size_t i = 0; i < mean.at.size(); ++i) mean.at[i] /= taps.at[i];
    const bool first = how.channels_first;
    const Tensor in = to_tensor(input, first), out = to_tensor(largest, first), grad = to_tensor(gradient, first);
    expect_same(pool_op(OpRunner("MaxPool"), how).input(in).run(), out);
    expect_same(pool_op(OpRunner("AvgPool"), how).input(in).run(), to_tensor(mean, first));
    expect_same(pool_op(OpRunner("MaxPoolGrad"), how).input(in).input(out).input(grad).run(),
                to_tensor(max_grad, first));
    // Gathering the input at the positions of the maxima gives the maxima.
    expect_same(pool_op(OpRunner("MaxPoolGradGrad"), how).input(in).input(out).input(in).run(), out);
    expect_same(pool_op(OpRunner("AvgPoolGrad"), how).input(sizes(in)).input(grad).run(), to_tensor(mean_grad, first));
  }
}

TINYTF_TEST(max_pool_across_channels) {
  OpRunner op("MaxPool");
  op.attr("ksize", Ints{1, 1, 1, 2}).attr("strides", Ints{1, 1, 1, 2}).attr("padding", std::string("VALID"));
  op.input(tensor<float>({1, 1, 2, 4}, {1, 5, 3, 2, -1, -2, 0, 7}));
  expect_same(op.run(), tensor<float>({1, 1, 2, 2}, {5, 3, -1, 7}));
}

TINYTF_TEST(max_pool_with_argmax_and_back) {
  const auto attrs = [](OpRunner&& op) -> OpRunner& {
    op.attr("ksize", Ints{1, 2, 2, 1}).attr("strides", Ints{1, 2, 2, 1}).attr("padding", std::string("VALID"));
    return op;
  };
  const Tensor input = tensor<float>({2, 2, 4, 1}, {1, 9, 3, 2, 4, 5, 8, 7, 1, 2, 3, 4, 8, 7, 6, 5});
  auto forward = attrs(OpRunner("MaxPoolWithArgmax")).input(input).run();
  expect_same(forward, tensor<float>({2, 1, 2, 1}, {9, 8, 8, 6}));
  EXPECT(values<int64_t>(forward.value()[1]) == (Ints{1, 6, 4, 6}));
  expect_same(attrs(OpRunner("MaxPoolGradWithArgmax"))
                  .input(input)
                  .input(tensor<float>({2, 1, 2, 1}, {1, 2, 3, 4}))
                  .input(forward.value()[1])
                  .run(),
              tensor<float>({2, 2, 4, 1}, {0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0}));
}

template <class T>
void expect_all(const Result<std::vector<Tensor>>& got, double want) {
  EXPECT_OK(got.status());
  if (!got.ok()) return;
  for (const T value : values<T>(got.value()[0])) {
    if constexpr (std::is_arithmetic_v<T>) {
      EXPECT_EQ(static_cast<double>(value), want);
    } else {
      EXPECT_EQ(static_cast<double>(static_cast<float>(value)), want);
    }
  }
}

/// Max pooling of four ones to a single one.
template <class T>
void expect_max_pool() {
  const Tensor ones = tensor<T>({1, 2, 2, 1}, std::vector<T>(4, T(1)));
  const Tensor one = tensor<T>({1, 1, 1, 1}, {T(1)});
  const Case how{"VALID", {2, 1, 1, 0, 1}, {2, 1, 1, 0, 1}, false};
  expect_all<T>(pool_op(OpRunner("MaxPool"), how).input(ones).run(), 1);
  auto grad = pool_op(OpRunner("MaxPoolGrad"), how).input(ones).input(one).input(one).run();
  EXPECT_OK(grad.status());
  EXPECT(std::memcmp(grad.value()[0].raw(), one.raw(), sizeof(T)) == 0);
}

/// Every op with one window over four ones.
template <class T>
void expect_convolutions() {
  expect_max_pool<T>();
  const Tensor ones = tensor<T>({1, 2, 2, 1}, std::vector<T>(4, T(1)));
  const Tensor filter = ones.reshaped({2, 2, 1, 1});
  const Tensor one = tensor<T>({1, 1, 1, 1}, {T(1)});
  const Case how{"VALID", {2, 1, 1, 0, 1}, {2, 1, 1, 0, 1}, false};
  for (const std::string name : {"Conv2D", "DepthwiseConv2dNative"}) {
    expect_all<T>(conv_op(OpRunner(name), how).input(ones).input(filter).run(), 4);
    expect_all<T>(conv_op(OpRunner(name + "BackpropInput"), how).input(sizes(ones)).input(filter).input(one).run(), 1);
    expect_all<T>(conv_op(OpRunner(name + "BackpropFilter"), how).input(ones).input(sizes(filter)).input(one).run(), 1);
  }
  expect_all<T>(pool_op(OpRunner("AvgPool"), how).input(ones).run(), 1);
  expect_all<T>(pool_op(OpRunner("AvgPoolGrad"), how).input(sizes(ones)).input(one).run(), 0.25);
}

TINYTF_TEST(image_ops_take_every_declared_type) {
  expect_convolutions<Half>();
  expect_convolutions<BFloat16>();
  expect_convolutions<float>();
  expect_convolutions<double>();
  expect_max_pool<int8_t>();
  expect_max_pool<int16_t>();
  expect_max_pool<int32_t>();
  expect_max_pool<int64_t>();
  expect_max_pool<uint8_t>();
  expect_max_pool<uint16_t>();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
