#include "op/size_input.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The size that input 1 holds, or the text of the error.
std::string size_text(const Tensor* known) {
  struct Known final : ConstantSource {
    const Tensor* tensor = nullptr;
    const Tensor* value(int input) override { return input == 1 ? tensor : nullptr; }
    PartialShape value_as_shape(int) override { return {}; }
  } constants;
  constants.tensor = known;
  const NodeInfo node;
  ShapeContext c(node, {PartialShape(), PartialShape{2}}, {}, &constants);
  const auto size = shapes::size_input(c, 1);
  return size.ok() ? str_cat(size.value()) : size.status().message();
}

TINYTF_TEST(size_of_a_scalar_input) {
  EXPECT_EQ(size_text(nullptr), "-1");
  const Tensor three = testing::tensor<int32_t>({}, {3}), less = testing::tensor<int64_t>({}, {-3});
  const Tensor vector = testing::tensor<int32_t>({1}, {3});
  EXPECT_EQ(size_text(&three), "3");
  EXPECT_EQ(size_text(&less), "Dimension size, given by scalar input 1, must be non-negative but is -3");
  EXPECT_EQ(size_text(&vector), "Input must be scalar but has rank 1");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
