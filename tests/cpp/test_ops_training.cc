#include <cmath>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;

Tensor scalar(float value) { return tensor<float>({}, {value}); }

/// Reference variables, updated by an optimizer op.
struct Variables {
  explicit Variables(std::initializer_list<std::vector<float>> initial) {
    size_t i = 0;
    for (const std::vector<float>& value : initial) {
      refs[i++].tensor = tensor<float>({static_cast<int64_t>(value.size())}, value);
    }
    count = i;
  }
  /// Adds the variables as the first inputs of the op.
  OpRunner& op(OpRunner&& runner) { return op(static_cast<OpRunner&>(runner)); }
  OpRunner& op(OpRunner& runner) {
    for (size_t i = 0; i < count; ++i) runner.ref(refs[i], DType::kFloat);
    return runner;
  }
  void expect(size_t i, const std::vector<double>& want, double tolerance = 1e-6) {
    const std::vector<float> got = values<float>(refs[i].tensor);
    EXPECT_EQ(got.size(), want.size());
    for (size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(static_cast<double>(got[k]), want[k], tolerance);
  }
  RefVariable refs[4];
  size_t count;
};

TINYTF_TEST(gradient_descent_steps_in_place) {
  Variables v({{1, 2}});
  const void* memory = v.refs[0].tensor.raw();
  auto result = v.op(OpRunner("ApplyGradientDescent")).input(scalar(0.5f)).input(tensor<float>({2}, {2, -4})).run();
  EXPECT_OK(result.status());
  v.expect(0, {0, 4});
  EXPECT(v.refs[0].tensor.raw() == memory);
  EXPECT(result.value()[0].raw() == memory);
}

TINYTF_TEST(momentum_steps) {
  for (bool nesterov : {false, true}) {
    Variables v({{1}, {2}});
    EXPECT_OK(v.op(OpRunner("ApplyMomentum"))
                  .input(scalar(0.1f))
                  .input(tensor<float>({1}, {3}))
                  .input(scalar(0.9f))
                  .attr("use_nesterov", nesterov)
                  .run()
                  .status());
    const double accum = 2 * 0.9 + 3;
    v.expect(1, {accum});
    v.expect(0, {nesterov ? 1 - 0.1 * (3 + 0.9 * accum) : 1 - 0.1 * accum});
  }
}

TINYTF_TEST(adam_steps) {
  Variables v({{1, -1}, {0.5f, 0}, {0.25f, 0}});
  EXPECT_OK(v.op(OpRunner("ApplyAdam"))
                .input(scalar(0.9f))
                .input(scalar(0.999f))
                .input(scalar(0.01f))
                .input(scalar(0.9f))
                .input(scalar(0.999f))
                .input(scalar(1e-8f))
                .input(tensor<float>({2}, {2, -3}))
                .run()
                .status());
  const double rate = 0.01 * std::sqrt(1 - 0.999) / (1 - 0.9);
  double var[] = {1, -1}, m[] = {0.5, 0}, s[] = {0.25, 0};
  const double grad[] = {2, -3};
  for (int i = 0; i < 2; ++i) {
    m[i] += (1 - 0.9) * (grad[i] - m[i]);
    s[i] += (1 - 0.999) * (grad[i] * grad[i] - s[i]);
    var[i] -= rate * m[i] / (std::sqrt(s[i]) + 1e-8);
  }
  v.expect(1, {m[0], m[1]});
  v.expect(2, {s[0], s[1]});
  v.expect(0, {var[0], var[1]}, 5e-6);
}

TINYTF_TEST(adagrad_rms_prop_adadelta_and_ftrl_step) {
  const double g = 2;
  const Tensor grad = tensor<float>({1}, {2});
  {
    Variables v({{1}, {0.1f}});
    EXPECT_OK(v.op(OpRunner("ApplyAdagrad")).input(scalar(0.5f)).input(grad).run().status());
    v.expect(1, {0.1 + g * g});
    v.expect(0, {1 - 0.5 * g / std::sqrt(0.1 + g * g)});
  }
  {
    Variables v({{1}, {1}, {0.5f}});
    EXPECT_OK(v.op(OpRunner("ApplyRMSProp"))
                  .input(scalar(0.1f))
                  .input(scalar(0.9f))
                  .input(scalar(0.8f))
                  .input(scalar(1e-3f))
                  .input(grad)
                  .run()
                  .status());
    const double ms = 0.9 + 0.1 * g * g;
    const double mom = 0.8 * 0.5 + 0.1 * g / std::sqrt(ms + 1e-3);
    v.expect(1, {ms});
    v.expect(2, {mom});
    v.expect(0, {1 - mom});
  }
  {
    Variables v({{1}, {0.5f}, {0.25f}});
    EXPECT_OK(v.op(OpRunner("ApplyAdadelta"))
                  .input(scalar(2))
                  .input(scalar(0.9f))
                  .input(scalar(1e-3f))
                  .input(grad)
                  .run()
                  .status());
    const double accum = 0.9 * 0.5 + 0.1 * g * g;
    const double update = std::sqrt(0.25 + 1e-3) / std::sqrt(accum + 1e-3) * g;
    v.expect(1, {accum});
    v.expect(2, {0.9 * 0.25 + 0.1 * update * update});
    v.expect(0, {1 - 2 * update});
  }
  {
    Variables v({{1}, {0.1f}, {0.2f}});
    EXPECT_OK(v.op(OpRunner("ApplyFtrl"))
                  .input(grad)
                  .input(scalar(0.5f))
                  .input(scalar(0.1f))
                  .input(scalar(0.2f))
                  .input(scalar(-0.5f))
                  .run()
                  .status());
    const double accum = 0.1 + g * g;
    const double linear = 0.2 + g - (std::sqrt(accum) - std::sqrt(0.1)) / 0.5 * 1;
    v.expect(1, {accum});
    v.expect(2, {linear});
    const double quadratic = std::sqrt(accum) / 0.5 + 2 * 0.2;
    v.expect(0, {std::abs(linear) > 0.1 ? ((linear > 0 ? 0.1 : -0.1) - linear) / quadratic : 0});
  }
}

TINYTF_TEST(sparse_steps_change_the_named_rows) {
  RefVariable var, accum;
  var.tensor = tensor<float>({3, 2}, {1, 1, 1, 1, 1, 1});
  accum.tensor = tensor<float>({3, 2}, {0, 0, 0, 0, 0, 0});
  const auto step = [&](const Tensor& grad, const Tensor& indices) {
    return OpRunner("SparseApplyMomentum")
        .ref(var, DType::kFloat)
        .ref(accum, DType::kFloat)
        .input(scalar(0.5f))
        .input(grad)
        .input(indices)
        .input(scalar(0.9f))
        .run()
        .status();
  };
  EXPECT_OK(step(tensor<float>({2, 2}, {1, 2, 3, 4}), tensor<int32_t>({2}, {2, 0})));
  EXPECT(values<float>(var.tensor) == (std::vector<float>{-0.5f, -1, 1, 1, 0.5f, 0}));
  EXPECT(values<float>(accum.tensor) == (std::vector<float>{3, 4, 0, 0, 1, 2}));
  EXPECT_EQ(step(tensor<float>({1, 2}, {1, 2}), tensor<int64_t>({1}, {3})).message(),
            "Index 3 at offset 0 in indices is out of range");
}

TINYTF_TEST(optimizers_say_what_is_wrong) {
  Variables v({{1, 2}});
  EXPECT_EQ(v.op(OpRunner("ApplyGradientDescent"))
                .input(scalar(1))
                .input(tensor<float>({3}, {1, 2, 3}))
                .run()
                .status()
                .code(),
            Code::kInvalidArgument);
  Slot output;
  EXPECT_EQ(v.op(OpRunner("ApplyGradientDescent"))
                .input(scalar(1))
                .input(tensor<float>({3}, {1, 2, 3}))
                .compute(&output)
                .message(),
            "var and delta do not have the same shape[2] [3]");
  EXPECT_EQ(v.op(OpRunner("ApplyGradientDescent"))
                .input(tensor<float>({1}, {1}))
                .input(tensor<float>({2}, {1, 2}))
                .compute(&output)
                .message(),
            "alpha is not a scalar: [1]");
  RefVariable empty;
  const Status status = OpRunner("ApplyGradientDescent")
                            .ref(empty, DType::kFloat)
                            .input(scalar(1))
                            .input(tensor<float>({2}, {1, 2}))
                            .compute(&output);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
}

TINYTF_TEST(optimizer_shapes_are_merged) {
  Variables v({{1, 2}});
  OpRunner step("ApplyGradientDescent");
  v.op(step);
  step.input(scalar(1)).input(tensor<float>({2}, {1, 2}));
  EXPECT_EQ(step.infer_from({PartialShape(), PartialShape::scalar(), PartialShape({2})}).value()[0].to_string(), "[2]");
  EXPECT(!step.infer_from({PartialShape({3}), PartialShape::scalar(), PartialShape({2})}).ok());
  EXPECT(!step.infer_from({PartialShape({2}), PartialShape({1}), PartialShape({2})}).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
