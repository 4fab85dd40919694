#include <algorithm>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;

constexpr int64_t kGraphSeed = 87654321;  // the default seed of a graph

Tensor shape_of(std::initializer_list<int32_t> dims) {
  return tensor<int32_t>({static_cast<int64_t>(dims.size())}, std::vector<int32_t>(dims));
}

/// Sets the seeds of a node with this op seed.
OpRunner& seeded(OpRunner& op, int64_t seed) { return op.attr("seed", kGraphSeed).attr("seed2", seed); }
OpRunner& seeded(OpRunner&& op, int64_t seed) { return seeded(static_cast<OpRunner&>(op), seed); }

void expect_near(const Result<std::vector<Tensor>>& got, const std::vector<double>& want, double tolerance) {
  EXPECT_OK(got.status());
  if (!got.ok()) return;
  const std::vector<float> floats = values<float>(got.value()[0]);
  EXPECT_EQ(floats.size(), want.size());
  for (size_t i = 0; i < std::min(floats.size(), want.size()); ++i) {
    EXPECT_NEAR(static_cast<double>(floats[i]), want[i], tolerance);
  }
}

TINYTF_TEST(random_ops_give_the_known_values) {
  expect_near(seeded(OpRunner("RandomStandardNormal"), 1).input(shape_of({6})).attr("dtype", DType::kFloat).run(),
              {-0.81131822, 1.48459876, 0.06532937, -2.4427042, 0.0992484, 0.59122431}, 3e-7);
  expect_near(seeded(OpRunner("TruncatedNormal"), 2).input(shape_of({2, 2})).attr("dtype", DType::kFloat).run(),
              {-0.85811085, -0.19662298, 0.13895047, -1.22127676}, 3e-7);
  expect_near(seeded(OpRunner("RandomUniform"), 1).input(shape_of({8})).attr("dtype", DType::kFloat).run(),
              {0.2390374, 0.92039955, 0.05051243, 0.49574447, 0.8355223, 0.02647042, 0.08811307, 0.4566604}, 6e-8);
  auto doubles = seeded(OpRunner("RandomUniform"), 1).input(shape_of({2})).attr("dtype", DType::kDouble).run();
  EXPECT_OK(doubles.status());
  EXPECT(values<double>(doubles.value()[0]) == (std::vector<double>{0.9122999234504989, 0.4040997484619626}));
}

TINYTF_TEST(random_kernels_go_on_where_the_last_execution_ended) {
  OpRunner uniform("RandomUniform");
  seeded(uniform, 1);
  uniform.input(shape_of({1})).attr("dtype", DType::kFloat);
  expect_near(uniform.run(), {0.2390374}, 6e-8);
  expect_near(uniform.run(), {0.22267115}, 6e-8);
}

TINYTF_TEST(random_integers_and_shuffles_give_the_known_values) {
  OpRunner ints("RandomUniformInt");
  seeded(ints, 1);
  ints.input(shape_of({8})).input(tensor<int32_t>({}, {0})).input(tensor<int32_t>({}, {100}));
  auto got = ints.run();
  EXPECT_OK(got.status());
  EXPECT(values<int32_t>(got.value()[0]) == (std::vector<int32_t>{27, 59, 93, 22, 77, 94, 86, 33}));

  OpRunner shuffle("RandomShuffle");
  seeded(shuffle, 1);
  shuffle.input(tensor<int32_t>({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  got = shuffle.run();
  EXPECT_OK(got.status());
  EXPECT(values<int32_t>(got.value()[0]) == (std::vector<int32_t>{7, 9, 3, 6, 5, 1, 8, 4, 0, 2}));

  OpRunner strings("RandomShuffle");
  seeded(strings, 1);
  std::vector<std::string> words;
  for (int i = 0; i < 10; ++i) words.push_back(std::to_string(i));
  strings.input(tensor<std::string>({10, 1}, words));
  got = strings.run();
  EXPECT_OK(got.status());
  EXPECT(values<std::string>(got.value()[0]) ==
         (std::vector<std::string>{"7", "9", "3", "6", "5", "1", "8", "4", "0", "2"}));
}

TINYTF_TEST(random_integers_need_a_range) {
  OpRunner ints("RandomUniformInt");
  seeded(ints, 1);
  ints.input(shape_of({2})).input(tensor<int64_t>({}, {5})).input(tensor<int64_t>({}, {5}));
  EXPECT_EQ(ints.run().status().message(), "Need minval < maxval, got 5 >= 5");
  OpRunner none("RandomUniformInt");
  seeded(none, 1);
  none.input(shape_of({0})).input(tensor<int64_t>({}, {5})).input(tensor<int64_t>({}, {5}));
  EXPECT_OK(none.run().status());
}

TINYTF_TEST(stateless_random_values_follow_from_the_seed) {
  OpRunner uniform("StatelessRandomUniform");
  uniform.input(shape_of({4})).input(tensor<int64_t>({2}, {1, 2}));
  for (int i = 0; i < 2; ++i) expect_near(uniform.run(), {0.84406042, 0.19204533, 0.99622321, 0.16038740}, 6e-8);
  OpRunner bad("StatelessRandomUniform");
  bad.input(shape_of({4})).input(tensor<int64_t>({3}, {1, 2, 3}));
  EXPECT_EQ(bad.run().status().message(), "Dimension must be 2 but is 3");
}

TINYTF_TEST(unseeded_random_kernels_differ) {
  std::vector<float> draws[2];
  for (auto& draw : draws) {
    auto got = OpRunner("RandomUniform").input(shape_of({16})).attr("dtype", DType::kFloat).run();
    EXPECT_OK(got.status());
    draw = values<float>(got.value()[0]);
  }
  EXPECT(draws[0] != draws[1]);
}

TINYTF_TEST(multinomial_draws_the_only_possible_class) {
  const float no = -1e30f;
  OpRunner draw("Multinomial");
  seeded(draw, 3);
  draw.input(tensor<float>({2, 3}, {no, 0, no, no, no, 0})).input(tensor<int32_t>({}, {4}));
  auto got = draw.run();
  EXPECT_OK(got.status());
  EXPECT(values<int64_t>(got.value()[0]) == (std::vector<int64_t>{1, 1, 1, 1, 2, 2, 2, 2}));
}

TINYTF_TEST(random_gamma_has_the_mean_of_its_parameter) {
  OpRunner gamma("RandomGamma");
  seeded(gamma, 5);
  gamma.input(shape_of({4000})).input(tensor<double>({2}, {0.5, 3}));
  auto got = gamma.run();
  EXPECT_OK(got.status());
  EXPECT_EQ(got.value()[0].shape().to_string(), "[4000,2]");
  double sums[2] = {0, 0};
  const std::vector<double> draws = values<double>(got.value()[0]);
  for (size_t i = 0; i < draws.size(); ++i) sums[i % 2] += draws[i];
  EXPECT_NEAR(sums[0] / 4000, 0.5, 0.05);
  EXPECT_NEAR(sums[1] / 4000, 3, 0.12);
}

TINYTF_TEST(random_shapes_are_inferred) {
  OpRunner uniform("RandomUniform");
  seeded(uniform, 1);
  uniform.input(shape_of({2, 3})).attr("dtype", DType::kFloat);
  EXPECT_EQ(uniform.infer().value()[0].to_string(), "[2,3]");
  EXPECT_EQ(OpRunner("RandomUniform")
                .input(tensor<int32_t>({1, 1}, {2}))
                .attr("dtype", DType::kFloat)
                .run()
                .status()
                .message(),
            "Shape must be rank 1 but is rank 2");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
