// Ops of the math family that combine several elements, and their shape functions.
#include <cmath>
#include <complex>
#include <limits>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;

template <class T>
void expect(OpRunner& op, const Shape& shape, const std::vector<T>& expected) {
  auto got = op.run();
  EXPECT_OK(got.status());
  if (!got.ok()) return;
  EXPECT_EQ(got.value()[0].shape().to_string(), shape.to_string());
  const std::vector<T> actual = values<T>(got.value()[0]);
  EXPECT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) EXPECT_EQ(actual[i], expected[i]);
}

std::string error(OpRunner& op) { return op.run().status().message(); }
std::string run_time_error(OpRunner& op) {
  Slot output;
  return op.compute(&output).message();
}
std::string shape(OpRunner& op, std::vector<PartialShape> inputs) {
  auto got = op.infer_from(std::move(inputs));
  return got.ok() ? got.value()[0].to_string() : got.status().message();
}

Tensor ints(const Shape& shape, const std::vector<int32_t>& values) { return tensor<int32_t>(shape, values); }
Tensor axis(int32_t value) { return ints({}, {value}); }
const PartialShape kUnknown;

TINYTF_TEST(math_reductions) {
  const Tensor x = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  expect<float>(OpRunner("Sum").input(x).input(axis(0)), {3}, {5, 7, 9});
  expect<float>(OpRunner("Sum").input(x).input(axis(-1)), {2}, {6, 15});
  expect<float>(OpRunner("Mean").input(x).input(ints({2}, {0, 1})), {}, {3.5f});
  expect<float>(OpRunner("Max").input(x).input(axis(1)).attr("keep_dims", true), {2, 1}, {3, 6});
  expect<float>(OpRunner("Min").input(x).input(ints({0}, {})), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect<float>(OpRunner("Prod").input(tensor<float>({0, 2}, {})).input(axis(0)), {2}, {1, 1});
  expect<int32_t>(OpRunner("Mean").input(ints({4}, {1, 2, 3, 5})).input(axis(0)), {}, {2});
  expect<float>(OpRunner("EuclideanNorm").input(tensor<float>({2}, {3, 4})).input(axis(0)), {}, {5});
  expect<bool>(OpRunner("All").input(tensor<bool>({2, 2}, {true, true, true, false})).input(axis(1)), {2},
               {true, false});
  expect<bool>(OpRunner("Any").input(tensor<bool>({0}, {})).input(axis(0)), {}, {false});
  expect<float>(OpRunner("Sum").input(x).input(ints({2}, {0, -2})), {3}, {5, 7, 9});  // a duplicate axis
  EXPECT_EQ(error(OpRunner("Sum").input(x).input(ints({1, 1}, {0}))), "Shape must be at most rank 1 but is rank 2");

  OpRunner sum("Sum");
  sum.input(x).input(axis(0));
  EXPECT_EQ(shape(sum, {{2, kUnknownDim}, {}}), "<unknown>");
  OpRunner kept("Sum");
  kept.input(x).input(axis(0)).attr("keep_dims", true);
  EXPECT_EQ(shape(kept, {{2, 3}, {}}), "[?,?]");
}

TINYTF_TEST(math_arg_max) {
  const Tensor x = tensor<float>({2, 3}, {1, 7, 3, 4, 4, 2});
  expect<int64_t>(OpRunner("ArgMax").input(x).input(axis(1)), {2}, {1, 0});
  expect<int32_t>(OpRunner("ArgMax").input(x).input(axis(-2)).attr("output_type", DType::kInt32), {3}, {1, 0, 0});
  expect<int64_t>(OpRunner("ArgMin").input(x).input(axis(0)), {3}, {0, 1, 1});
  EXPECT_EQ(error(OpRunner("ArgMax").input(x).input(axis(2))),
            "Dimension (2) must be in the range [-2, 2), where 2 is the number of dimensions in the input.");
  EXPECT_EQ(run_time_error(OpRunner("ArgMax").input(x).input(axis(2))),
            "Expected dimension in the range [-2, 2), but got 2");
  EXPECT_EQ(error(OpRunner("ArgMax").input(tensor<float>({2, 0}, {})).input(axis(1))),
            "Reduction axis 1 is empty in shape [2,0]");
  OpRunner arg("ArgMax");
  arg.input(x).input(axis(0));
  EXPECT_EQ(shape(arg, {{2, 3, 4}, {}}), "[?,?]");
  EXPECT_EQ(shape(arg, {{5}, {}}), "[]");
  EXPECT_EQ(shape(arg, {kUnknown, {}}), "<unknown>");
}

TINYTF_TEST(math_select) {
  const Tensor t = tensor<float>({2, 2}, {1, 2, 3, 4});
  const Tensor e = tensor<float>({2, 2}, {10, 20, 30, 40});
  const Tensor row = tensor<bool>({2}, {true, false});
  expect<float>(OpRunner("Select").input(tensor<bool>({2, 2}, {true, false, false, true})).input(t).input(e), {2, 2},
                {1, 20, 30, 4});
  expect<float>(OpRunner("Select").input(row).input(t).input(e), {2, 2}, {1, 2, 30, 40});
  expect<float>(OpRunner("Select").input(tensor<bool>({}, {false})).input(t).input(e), {2, 2}, {10, 20, 30, 40});
  expect<std::string>(OpRunner("Select")
                          .input(row)
                          .input(tensor<std::string>({2}, {"a", "b"}))
                          .input(tensor<std::string>({2}, {"c", "d"})),
                      {2}, {"a", "d"});
  OpRunner mismatch("Select");
  mismatch.input(tensor<bool>({3}, {true, true, true})).input(t).input(e);
  EXPECT_EQ(run_time_error(mismatch), "Number of batches of 'then' must match size of 'cond', but saw: 2 vs. 3");
  EXPECT_EQ(shape(mismatch, {{2}, {2, kUnknownDim}, {kUnknownDim, 3}}), "[2,3]");
  EXPECT_EQ(shape(mismatch, {{kUnknownDim, 2}, {3, kUnknownDim}, kUnknown}), "[3,2]");
  EXPECT_EQ(shape(mismatch, {{}, {2}, {3}}),
            "Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are "
            "[2] and [3].");
  expect<float>(OpRunner("SelectV2").input(row).input(t).input(tensor<float>({}, {0})), {2, 2}, {1, 0, 3, 0});
  expect<std::string>(OpRunner("SelectV2")
                          .input(tensor<bool>({2, 1}, {true, false}))
                          .input(tensor<std::string>({2}, {"a", "b"}))
                          .input(tensor<std::string>({}, {"-"})),
                      {2, 2}, {"a", "b", "-", "-"});
}

TINYTF_TEST(math_mat_mul) {
  const Tensor a = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = tensor<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  expect<float>(OpRunner("MatMul").input(a).input(b), {2, 2}, {4, 5, 10, 11});
  expect<float>(OpRunner("MatMul").input(a).input(a).attr("transpose_b", true), {2, 2}, {14, 32, 32, 77});
  expect<float>(OpRunner("MatMul").input(a).input(a).attr("transpose_a", true), {3, 3},
                {17, 22, 27, 22, 29, 36, 27, 36, 45});
  expect<float>(OpRunner("MatMul").input(tensor<float>({2, 0}, {})).input(tensor<float>({0, 1}, {})), {2, 1}, {0, 0});
  EXPECT_EQ(run_time_error(OpRunner("MatMul").input(tensor<float>({2}, {1, 2})).input(b)),
            "In[0] is not a matrix. Instead it has shape [2]");
  OpRunner product("MatMul");
  product.input(a).input(b).attr("transpose_a", true);
  EXPECT_EQ(shape(product, {{kUnknownDim, 3}, kUnknown}), "[3,?]");
  EXPECT_EQ(shape(product, {{4, 3}, {4, 7}}), "[3,7]");
  EXPECT_EQ(shape(product, {{4, 3, 1}, {4, 7}}), "Shape must be rank 2 but is rank 3");
}

TINYTF_TEST(math_batch_mat_mul) {
  const Tensor x = tensor<float>({2, 1, 1, 2}, {1, 2, 3, 4});
  const Tensor y = tensor<float>({3, 2, 1}, {1, 1, 1, 2, 2, 1});
  expect<float>(OpRunner("BatchMatMulV2").input(x).input(y), {2, 3, 1, 1}, {3, 5, 4, 7, 11, 10});
  expect<float>(OpRunner("BatchMatMul").input(y).input(y).attr("adj_x", true), {3, 1, 1}, {2, 5, 5});
  using C = std::complex<float>;
  expect<C>(OpRunner("BatchMatMulV2")
                .input(tensor<C>({1, 1}, {C(1, 2)}))
                .input(tensor<C>({1, 1}, {C(0, 1)}))
                .attr("adj_x", true),
            {1, 1}, {C(2, 1)});
  OpRunner product("BatchMatMulV2");
  product.input(x).input(y);
  EXPECT_EQ(shape(product, {{5, 1, 2, 3}, {kUnknownDim, 3, 4}}), "[5,?,2,4]");
  EXPECT_EQ(shape(product, {{5, 2, 3}, {5, 4, 4}}), "Dimensions must be equal, but are 3 and 4");
  EXPECT_EQ(run_time_error(OpRunner("BatchMatMulV2").input(x).input(x)),
            "In[0] mismatch In[1] shape: 2 vs. 1: [2,1,1,2] [2,1,1,2] 0 0");
}

TINYTF_TEST(math_range) {
  expect<int32_t>(OpRunner("Range").input(axis(3)).input(axis(18)).input(axis(6)), {3}, {3, 9, 15});
  expect<int32_t>(OpRunner("Range").input(axis(3)).input(axis(0)).input(axis(-2)), {2}, {3, 1});
  expect<int32_t>(OpRunner("Range").input(axis(INT32_MIN)).input(axis(INT32_MAX)).input(axis(INT32_MAX)), {3},
                  {INT32_MIN, -1, INT32_MAX - 1});
  const auto f = [](float value) { return tensor<float>({}, {value}); };
  expect<float>(OpRunner("Range").input(f(0)).input(f(1)).input(f(0.25f)), {4}, {0, 0.25f, 0.5f, 0.75f});
  EXPECT_EQ(error(OpRunner("Range").input(axis(1)).input(axis(2)).input(axis(0))), "Requires delta != 0");
  expect<float>(OpRunner("LinSpace").input(f(1)).input(f(3)).input(axis(5)), {5}, {1, 1.5f, 2, 2.5f, 3});
  expect<float>(OpRunner("LinSpace").input(f(1)).input(f(3)).input(axis(1)), {1}, {1});
}

TINYTF_TEST(math_segments) {
  const Tensor data = tensor<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect<float>(OpRunner("UnsortedSegmentSum").input(data).input(ints({4}, {2, 0, -1, 2})).input(axis(3)), {3, 2},
                {3, 4, 0, 0, 8, 10});
  expect<float>(OpRunner("UnsortedSegmentMax").input(data).input(ints({4}, {0, 0, 1, 1})).input(axis(2)), {2, 2},
                {3, 4, 7, 8});
  expect<float>(OpRunner("UnsortedSegmentSum").input(data).input(ints({4, 2}, {0, 1, 0, 1, 0, 1, 0, 1})).input(axis(2)),
                {2}, {16, 20});
  EXPECT_EQ(error(OpRunner("UnsortedSegmentSum").input(data).input(ints({4}, {0, 5, 0, 0})).input(axis(3))),
            "segment_ids[1] = 5 is out of range [0, 3)");
  expect<float>(OpRunner("SegmentSum").input(data).input(ints({4}, {0, 0, 2, 2})), {3, 2}, {4, 6, 0, 0, 12, 14});
  expect<float>(OpRunner("SegmentMean").input(data).input(ints({4}, {0, 0, 0, 1})), {2, 2}, {3, 4, 7, 8});
  EXPECT_EQ(error(OpRunner("SegmentSum").input(data).input(ints({4}, {0, 1, 0, 1}))), "segment ids are not increasing");
  expect<float>(OpRunner("SparseSegmentMean").input(data).input(ints({3}, {0, 3, 1})).input(ints({3}, {0, 0, 2})),
                {3, 2}, {4, 5, 0, 0, 3, 4});
  expect<float>(OpRunner("SparseSegmentSumWithNumSegments")
                    .input(data)
                    .input(ints({2}, {1, 1}))
                    .input(ints({2}, {0, 0}))
                    .input(axis(2)),
                {2, 2}, {6, 8, 0, 0});
  expect<float>(OpRunner("SparseSegmentMeanGrad")
                    .input(tensor<float>({2, 1}, {4, 6}))
                    .input(ints({3}, {0, 2, 2}))
                    .input(ints({3}, {0, 0, 1}))
                    .input(axis(3)),
                {3, 1}, {2, 0, 8});
}

TINYTF_TEST(math_cumulative) {
  const Tensor x = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  expect<float>(OpRunner("Cumsum").input(x).input(axis(1)), {2, 3}, {1, 3, 6, 4, 9, 15});
  expect<float>(OpRunner("Cumsum").input(x).input(axis(0)).attr("exclusive", true), {2, 3}, {0, 0, 0, 1, 2, 3});
  expect<float>(OpRunner("Cumsum").input(x).input(axis(-1)).attr("reverse", true), {2, 3}, {6, 5, 3, 15, 11, 6});
  expect<float>(OpRunner("Cumprod").input(x).input(axis(1)).attr("exclusive", true).attr("reverse", true), {2, 3},
                {6, 3, 1, 30, 6, 1});
  EXPECT_EQ(error(OpRunner("Cumsum").input(x).input(axis(2))),
            "ScanOp: Expected scan axis in the range [-2, 2), but got 2");
}

TINYTF_TEST(math_casts) {
  expect<int32_t>(OpRunner("Cast").input(tensor<float>({2}, {1.9f, -1.9f})).attr("DstT", DType::kInt32), {2}, {1, -1});
  expect<bool>(OpRunner("Cast").input(tensor<double>({2}, {0, 0.5})).attr("DstT", DType::kBool), {2}, {false, true});
  expect<std::string>(OpRunner("Cast").input(tensor<std::string>({1}, {"a"})).attr("DstT", DType::kString), {1}, {"a"});
  EXPECT_EQ(error(OpRunner("Cast").input(tensor<std::string>({1}, {"a"})).attr("DstT", DType::kFloat)),
            "Cast string to float is not supported");
}

TINYTF_TEST(math_counting) {
  expect<int32_t>(OpRunner("Bincount").input(ints({4}, {1, 1, 3, 9})).input(axis(4)).input(ints({0}, {})), {4},
                  {0, 2, 0, 1});
  expect<float>(
      OpRunner("Bincount").input(ints({3}, {1, 1, 0})).input(axis(2)).input(tensor<float>({3}, {0.5f, 0.25f, 2})), {2},
      {2, 0.75f});
  expect<int32_t>(OpRunner("HistogramFixedWidth")
                      .input(tensor<float>({6}, {-1, 0, 1.5f, 2, 5, 15}))
                      .input(tensor<float>({2}, {0, 5}))
                      .input(axis(5)),
                  {5}, {2, 1, 1, 0, 2});
  expect<int32_t>(OpRunner("Bucketize")
                      .input(tensor<float>({2, 2}, {-5, 10000, 150, 10}))
                      .attr("boundaries", std::vector<float>{0, 10, 100}),
                  {2, 2}, {0, 3, 3, 2});
}

TINYTF_TEST(math_sums_of_many) {
  const Tensor a = tensor<float>({2}, {1, 2});
  expect<float>(OpRunner("AddN").list({a, a, a}), {2}, {3, 6});
  expect<float>(OpRunner("AddN").list({a}), {2}, {1, 2});
  expect<float>(OpRunner("AccumulateNV2").list({a, a}).attr("shape", PartialShape{2}), {2}, {2, 4});
  EXPECT_EQ(run_time_error(OpRunner("AddN").list({a, tensor<float>({3}, {1, 2, 3})}).named("sum")),
            "Inputs to operation sum of type AddN must have the same size and shape.  Input 0: [2] != input 1: [3]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
