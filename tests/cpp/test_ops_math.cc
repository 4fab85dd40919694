#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <ctime>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;

template <class T>
void expect_values(const Result<std::vector<Tensor>>& got, const Shape& shape, const std::vector<T>& expected) {
  EXPECT_OK(got.status());
  if (!got.ok()) return;
  const Tensor& result = got.value()[0];
  EXPECT_EQ(result.shape().to_string(), shape.to_string());
  EXPECT(values<T>(result) == expected);
}

std::string message(const Result<std::vector<Tensor>>& got) { return got.status().message(); }

TINYTF_TEST(math_add_broadcasts) {
  const Tensor matrix = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor row = tensor<float>({3}, {10, 20, 30});
  const Tensor column = tensor<float>({2, 1}, {100, 200});
  const Tensor one = tensor<float>({}, {0.5f});
  expect_values<float>(OpRunner("Add").input(matrix).input(matrix).run(), {2, 3}, {2, 4, 6, 8, 10, 12});
  expect_values<float>(OpRunner("AddV2").input(matrix).input(row).run(), {2, 3}, {11, 22, 33, 14, 25, 36});
  expect_values<float>(OpRunner("Sub").input(column).input(matrix).run(), {2, 3}, {99, 98, 97, 196, 195, 194});
  expect_values<float>(OpRunner("Sub").input(column).input(row).run(), {2, 3}, {90, 80, 70, 190, 180, 170});
  expect_values<float>(OpRunner("Mul").input(one).input(row).run(), {3}, {5, 10, 15});
  expect_values<float>(OpRunner("RealDiv").input(row).input(one).run(), {3}, {20, 40, 60});
  expect_values<float>(OpRunner("Add").input(tensor<float>({0, 3}, {})).input(row).run(), {0, 3}, {});
  expect_values<std::string>(
      OpRunner("Add").input(tensor<std::string>({2, 1}, {"a", "b"})).input(tensor<std::string>({2}, {"x", "y"})).run(),
      {2, 2}, {"ax", "ay", "bx", "by"});
  EXPECT_EQ(message(OpRunner("Add").input(tensor<float>({2}, {1, 2})).input(row).run()),
            "Dimensions must be equal, but are 2 and 3");
}

TINYTF_TEST(math_add_reuses_a_dying_operand) {
  OpRunner first("Add");
  first.input(tensor<float>({2}, {1, 2})).input(tensor<float>({}, {3})).last_use(3);
  expect_values<float>(first.run(), {2}, {4, 5});
  Tensor kept = tensor<float>({2}, {1, 2});
  const void* memory = kept.raw();
  OpRunner second("Sub");
  second.input(kept).input(tensor<float>({2}, {10, 20})).last_use(3);
  auto result = second.run();
  expect_values<float>(result, {2}, {-9, -18});
  EXPECT(values<float>(kept) == (std::vector<float>{1, 2}));
  EXPECT(result.value()[0].raw() != memory);
}

TINYTF_TEST(math_run_time_errors_are_those_of_tensorflow) {
  Slot output;
  EXPECT_EQ(
      OpRunner("Add").input(tensor<float>({2}, {1, 2})).input(tensor<float>({3}, {1, 2, 3})).compute(&output).message(),
      "Incompatible shapes: [2] vs. [3]");
  const Tensor a = tensor<float>({2, 3}, std::vector<float>(6, 1));
  const Tensor b = tensor<float>({4, 5}, std::vector<float>(20, 1));
  EXPECT_EQ(OpRunner("MatMul").input(a).input(b).compute(&output).message(),
            "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]");
  EXPECT_EQ(message(OpRunner("MatMul").input(a).input(b).run()), "Dimensions must be equal, but are 3 and 4");
  EXPECT_EQ(OpRunner("Sum").input(a).input(tensor<int32_t>({}, {2})).compute(&output).message(),
            "Invalid reduction dimension (2 for input with 2 dimension(s)");
  EXPECT_EQ(message(OpRunner("Sum").input(a).input(tensor<int32_t>({}, {2})).run()),
            "Invalid reduction dimension 2 for input with 2 dimensions.");
  EXPECT_EQ(message(OpRunner("FloorDiv").input(tensor<int32_t>({}, {2})).input(tensor<int32_t>({}, {0})).run()),
            "Integer division by zero");
  EXPECT_EQ(message(OpRunner("Range")
                        .input(tensor<int32_t>({}, {5}))
                        .input(tensor<int32_t>({}, {3}))
                        .input(tensor<int32_t>({}, {1}))
                        .run()),
            "Requires start <= limit when delta > 0: 5/3");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
