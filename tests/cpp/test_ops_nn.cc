#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;

void expect_near(const Result<std::vector<Tensor>>& got, int output, const Shape& shape,
                 const std::vector<double>& want, double tolerance = 1e-5) {
  EXPECT_OK(got.status());
  if (!got.ok()) return;
  const Tensor& result = got.value()[output];
  EXPECT_EQ(result.shape().to_string(), shape.to_string());
  const std::vector<float> elements = values<float>(result);
  EXPECT_EQ(elements.size(), want.size());
  for (size_t i = 0; i < std::min(elements.size(), want.size()); ++i) {
    EXPECT_NEAR(static_cast<double>(elements[i]), want[i], tolerance);
  }
}

std::string message(const Result<std::vector<Tensor>>& got) { return got.status().message(); }

TINYTF_TEST(activations_and_their_gradients) {
  const Tensor x = tensor<float>({4}, {-2, -0.5f, 0.5f, 8});
  const Tensor g = tensor<float>({4}, {1, 2, 3, 4});
  expect_near(OpRunner("Relu").input(x).run(), 0, {4}, {0, 0, 0.5, 8});
  expect_near(OpRunner("ReluGrad").input(g).input(x).run(), 0, {4}, {0, 0, 3, 4});
  expect_near(OpRunner("Relu6").input(x).run(), 0, {4}, {0, 0, 0.5, 6});
  expect_near(OpRunner("Relu6Grad").input(g).input(x).run(), 0, {4}, {0, 0, 3, 0});
  expect_near(OpRunner("LeakyRelu").input(x).attr("alpha", 0.5f).run(), 0, {4}, {-1, -0.25, 0.5, 8});
  expect_near(OpRunner("LeakyReluGrad").input(g).input(x).attr("alpha", 0.5f).run(), 0, {4}, {0.5, 1, 3, 4});
  expect_near(OpRunner("Elu").input(x).run(), 0, {4}, {std::expm1(-2.0), std::expm1(-0.5), 0.5, 8});
  expect_near(OpRunner("EluGrad").input(g).input(x).run(), 0, {4}, {-1, 1, 3, 4});
  const double scale = 1.0507009873554805, alpha = scale * 1.6732632423543772;
  expect_near(OpRunner("Selu").input(x).run(), 0, {4},
              {alpha * std::expm1(-2.0), alpha * std::expm1(-0.5), scale * 0.5, scale * 8});
  expect_near(OpRunner("Softplus").input(x).run(), 0, {4},
              {std::log1p(std::exp(-2.0)), std::log1p(std::exp(-0.5)), std::log1p(std::exp(0.5)), 8.00033540637});
  expect_near(OpRunner("SoftplusGrad").input(g).input(x).run(), 0, {4},
              {1 / (1 + std::exp(2.0)), 2 / (1 + std::exp(0.5)), 3 / (1 + std::exp(-0.5)), 4 / (1 + std::exp(-8.0))});
  expect_near(OpRunner("Softsign").input(x).run(), 0, {4}, {-2 / 3.0, -1 / 3.0, 1 / 3.0, 8 / 9.0});
  expect_near(OpRunner("SoftsignGrad").input(g).input(x).run(), 0, {4}, {1 / 9.0, 8 / 9.0, 4 / 3.0, 4 / 81.0});
  Slot output;
  EXPECT_EQ(
      OpRunner("ReluGrad").input(g).input(tensor<float>({1}, {1})).compute(&output).message(),
      "Inputs to operation node of type ReluGrad must have the same size and shape.  Input 0: [4] != input 1: [1]");
}

TINYTF_TEST(bias_add_in_both_formats) {
  const Tensor x = tensor<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  expect_near(OpRunner("BiasAdd").input(x).input(tensor<float>({3}, {10, 20, 30})).run(), 0, {1, 2, 3},
              {11, 22, 33, 14, 25, 36});
  expect_near(
      OpRunner("BiasAdd").input(x).input(tensor<float>({2}, {10, 20})).attr("data_format", std::string("NCHW")).run(),
      0, {1, 2, 3}, {11, 12, 13, 24, 25, 26});
  expect_near(OpRunner("BiasAddGrad").input(x).run(), 0, {3}, {5, 7, 9});
  expect_near(OpRunner("BiasAddGrad").input(x).attr("data_format", std::string("NCHW")).run(), 0, {2}, {6, 15});
  Slot output;
  EXPECT_EQ(OpRunner("BiasAdd").input(x).input(tensor<float>({2}, {1, 2})).compute(&output).message(),
            "Must provide as many biases as the last dimension of the input tensor: [2] vs. [1,2,3]");
  EXPECT_EQ(message(OpRunner("BiasAdd").input(x).input(tensor<float>({2}, {1, 2})).run()),
            "Dimensions must be equal, but are 3 and 2");
}

TINYTF_TEST(softmax_and_cross_entropies) {
  const double e = std::exp(1.0), sum = 1 + e + e * e;
  const Tensor x = tensor<float>({2, 3}, {0, 1, 2, 5, 5, 5});
  const double third = 1 / 3.0;
  expect_near(OpRunner("Softmax").input(x).run(), 0, {2, 3}, {1 / sum, e / sum, e * e / sum, third, third, third});
  expect_near(OpRunner("LogSoftmax").input(x).run(), 0, {2, 3},
              {-std::log(sum), 1 - std::log(sum), 2 - std::log(sum), -std::log(3), -std::log(3), -std::log(3)});
  auto dense =
      OpRunner("SoftmaxCrossEntropyWithLogits").input(x).input(tensor<float>({2, 3}, {0, 0, 1, 0.5f, 0.5f, 0})).run();
  expect_near(dense, 0, {2}, {std::log(sum) - 2, std::log(3.0)});
  expect_near(dense, 1, {2, 3}, {1 / sum, e / sum, e * e / sum - 1, third - 0.5, third - 0.5, third});
  auto broadcast = OpRunner("SoftmaxCrossEntropyWithLogits").input(x).input(tensor<float>({1, 3}, {0, 0, 1})).run();
  expect_near(broadcast, 0, {2}, {std::log(sum) - 2, std::log(3.0)});
  auto column = OpRunner("SoftmaxCrossEntropyWithLogits").input(x).input(tensor<float>({2, 1}, {1, 2})).run();
  expect_near(column, 0, {2}, {3 * std::log(sum) - 3, 6 * std::log(3.0)});
  auto sparse = OpRunner("SparseSoftmaxCrossEntropyWithLogits").input(x).input(tensor<int64_t>({2}, {2, 0})).run();
  expect_near(sparse, 0, {2}, {std::log(sum) - 2, std::log(3.0)});
  expect_near(sparse, 1, {2, 3}, {1 / sum, e / sum, e * e / sum - 1, third - 1, third, third});
  EXPECT_EQ(message(OpRunner("SparseSoftmaxCrossEntropyWithLogits").input(x).input(tensor<int32_t>({2}, {1, 3})).run()),
            "Received a label value of 3 which is outside the valid range of [0, 3).  Label values: 1 3");
  Slot outputs[2];
  EXPECT_EQ(OpRunner("SparseSoftmaxCrossEntropyWithLogits")
                .input(x)
                .input(tensor<int32_t>({1}, {1}))
                .compute(outputs)
                .message(),
            "logits and labels must have the same first dimension, got logits shape [2,3] and labels shape [1]");
}

TINYTF_TEST(cross_entropy_reuses_dying_logits) {
  OpRunner op("SoftmaxCrossEntropyWithLogits");
  op.input(tensor<float>({1, 2}, {0, 0})).input(tensor<float>({1, 2}, {1, 0})).last_use(3);
  auto got = op.run();
  expect_near(got, 0, {1}, {std::log(2.0)});
  expect_near(got, 1, {1, 2}, {-0.5, 0.5});
}

TINYTF_TEST(l2_loss_and_top_k) {
  expect_near(OpRunner("L2Loss").input(tensor<float>({2, 2}, {1, 2, 3, 4})).run(), 0, {}, {15});
  const Tensor x = tensor<float>({2, 4}, {1, 3, 3, 2, -1, -4, 0, -2});
  auto top = OpRunner("TopKV2").input(x).input(tensor<int32_t>({}, {2})).run();
  expect_near(top, 0, {2, 2}, {3, 3, 0, -1});
  EXPECT(values<int32_t>(top.value()[1]) == (std::vector<int32_t>{1, 2, 2, 0}));
  EXPECT_EQ(message(OpRunner("TopKV2").input(x).input(tensor<int32_t>({}, {5})).run()),
            "input must have last dimension >= k = 5 but is 4");
  auto in_top = OpRunner("InTopKV2").input(x).input(tensor<int32_t>({2}, {2, 3})).input(tensor<int32_t>({}, {2})).run();
  EXPECT_OK(in_top.status());
  EXPECT(values<bool>(in_top.value()[0]) == (std::vector<bool>{true, false}));
}

OpRunner& batch_norm(OpRunner&& op, const Tensor& x, bool training, const std::string& format, int64_t channels) {
  std::vector<float> scale, offset, mean, variance;
  for (int64_t c = 0; c < channels; ++c) {
    scale.push_back(1 + 0.5f * static_cast<float>(c));
    offset.push_back(static_cast<float>(c));
    mean.push_back(0.25f * static_cast<float>(c));
    variance.push_back(2);
  }
  op.input(x).input(tensor<float>({channels}, scale)).input(tensor<float>({channels}, offset));
  if (training) {
    op.input(tensor<float>({0}, {})).input(tensor<float>({0}, {}));
  } else {
    op.input(tensor<float>({channels}, mean)).input(tensor<float>({channels}, variance));
  }
  op.attr("is_training", training).attr("epsilon", 0.001f).attr("data_format", format);
  return op;
}

TINYTF_TEST(batch_norm_follows_its_definition) {
  constexpr int64_t kBatch = 3, kPoints = 4, kChannels = 5;
  constexpr int64_t kRows = kBatch * kPoints;
  for (bool first : {false, true}) {
    for (bool training : {true, false}) {
      std::vector<float> x(kRows * kChannels), dy(x.size());
      const auto at = [first](int64_t n, int64_t p, int64_t c) {
        return static_cast<size_t>(first ? (n * kChannels + c) * kPoints + p : (n * kPoints + p) * kChannels + c);
      };
      for (size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>((i * 29) % 17) - 5;
        dy[i] = static_cast<float>((i * 31) % 13) - 6;
      }
      const Shape shape = first ? Shape({kBatch, kChannels, 2, 2}) : Shape({kBatch, 2, 2, kChannels});
      std::vector<double> y(x.size()), dx(x.size()), means, variances, unbiased, dscale, doffset;
      for (int64_t c = 0; c < kChannels; ++c) {
        double mean = 0.25 * static_cast<double>(c), variance = 2;
        if (training) {
          mean = variance = 0;
          for (int64_t i = 0; i < kRows; ++i) mean += x[at(i / kPoints, i % kPoints, c)] / double{kRows};
          for (int64_t i = 0; i < kRows; ++i) {
            variance += std::pow(x[at(i / kPoints, i % kPoints, c)] - mean, 2) / double{kRows};
          }
        }
        means.push_back(mean);
        variances.push_back(variance);
        unbiased.push_back(training ? variance * kRows / (kRows - 1) : variance);
        const double scale = 1 + 0.5 * static_cast<double>(c), inverse = 1 / std::sqrt(variance + 0.001);
        double sum = 0, sum_x = 0;
        for (int64_t i = 0; i < kRows; ++i) {
          const size_t k = at(i / kPoints, i % kPoints, c);
          y[k] = (x[k] - mean) * inverse * scale + static_cast<double>(c);
          sum += dy[k];
          sum_x += dy[k] * (x[k] - mean) * inverse;
        }
        dscale.push_back(sum_x);
        doffset.push_back(sum);
        for (int64_t i = 0; i < kRows; ++i) {
          const size_t k = at(i / kPoints, i % kPoints, c);
          const double through_batch = training ? sum / kRows + (x[k] - mean) * inverse * sum_x / kRows : 0;
          dx[k] = scale * inverse * (dy[k] - through_batch);
        }
      }
      const std::string format = first ? "NCHW" : "NHWC";
      auto forward =
          batch_norm(OpRunner("FusedBatchNormV3"), tensor<float>(shape, x), training, format, kChannels).run();
      expect_near(forward, 0, shape, y, 1e-4);
      expect_near(forward, 1, {kChannels}, means, 1e-4);
      expect_near(forward, 2, {kChannels}, unbiased, 1e-4);
      expect_near(forward, 3, {kChannels}, means, 1e-4);
      expect_near(forward, 4, {kChannels}, variances, 1e-4);

      OpRunner backward("FusedBatchNormGradV3");
      backward.input(tensor<float>(shape, dy)).input(tensor<float>(shape, x));
      backward.input(tensor<float>({kChannels}, {1, 1.5f, 2, 2.5f, 3}));
      for (int i : {3, 4, 5}) backward.input(forward.value()[i]);
      backward.attr("is_training", training).attr("epsilon", 0.001f).attr("data_format", format);
      auto gradients = backward.run();
      expect_near(gradients, 0, shape, dx, 1e-4);
      expect_near(gradients, 1, {kChannels}, dscale, 1e-4);
      expect_near(gradients, 2, {kChannels}, doffset, 1e-4);
    }
  }
}

TINYTF_TEST(batch_norm_of_many_rows_is_exact_enough) {
  constexpr int64_t kRows = 5000;
  for (int64_t channels : {int64_t{1}, int64_t{3}, int64_t{70}, int64_t{600}}) {
    std::vector<float> x(static_cast<size_t>(kRows * channels));
    for (size_t i = 0; i < x.size(); ++i) x[i] = 100 + static_cast<float>(i / static_cast<size_t>(channels) % 2);
    auto got =
        batch_norm(OpRunner("FusedBatchNormV3"), tensor<float>({kRows, 1, 1, channels}, x), true, "NHWC", channels)
            .run();
    EXPECT_OK(got.status());
    for (float mean : values<float>(got.value()[1])) EXPECT_NEAR(static_cast<double>(mean), 100.5, 1e-5);
    for (float variance : values<float>(got.value()[4])) EXPECT_NEAR(static_cast<double>(variance), 0.25, 1e-6);
  }
}

TINYTF_TEST(local_response_normalization_and_its_gradient) {
  const std::vector<float> x = {1, -2, 3, 0.5f, -1, 2};
  const std::vector<float> dy = {1, 2, -1, 3, 0.5f, -2};
  const auto attrs = [](OpRunner&& op) -> OpRunner& {
    op.attr("depth_radius", int64_t{1}).attr("bias", 2.0f).attr("alpha", 0.5f).attr("beta", 0.75f);
    return op;
  };
  const auto forward = [](const std::vector<double>& in) {
    std::vector<double> out;
    for (int d = 0; d < 6; ++d) {
      double sum = 0;
      for (int k = std::max(0, d - 1); k <= std::min(5, d + 1); ++k) sum += in[k] * in[k];
      out.push_back(in[d] * std::pow(2 + 0.5 * sum, -0.75));
    }
    return out;
  };
  const std::vector<double> exact(x.begin(), x.end());
  auto y = attrs(OpRunner("LRN")).input(tensor<float>({1, 1, 1, 6}, x)).run();
  expect_near(y, 0, {1, 1, 1, 6}, forward(exact));
  std::vector<double> dx;
  for (int d = 0; d < 6; ++d) {
    std::vector<double> more = exact, less = exact;
    more[d] += 1e-5;
    less[d] -= 1e-5;
    const auto a = forward(more), b = forward(less);
    double slope = 0;
    for (int k = 0; k < 6; ++k) slope += (a[k] - b[k]) / 2e-5 * dy[k];
    dx.push_back(slope);
  }
  expect_near(attrs(OpRunner("LRNGrad"))
                  .input(tensor<float>({1, 1, 1, 6}, dy))
                  .input(tensor<float>({1, 1, 1, 6}, x))
                  .input(y.value()[0])
                  .run(),
              0, {1, 1, 1, 6}, dx, 1e-5);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
