#include "ops/data/shared/padded_rows.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using data::Element;
using ops::ComponentPadding;
using testing::tensor;
using testing::values;

Result<Tensor> padded(const std::vector<Element>& elements, PartialShape shape, Tensor value) {
  return ops::padded_rows(Allocator::process(), elements, 0, {std::move(shape), std::move(value)});
}

TINYTF_TEST(rows_are_padded_to_the_largest) {
  const auto rows = padded({{tensor<int32_t>({1, 2}, {1, 2})}, {tensor<int32_t>({2, 1}, {3, 4})}},
                           PartialShape({kUnknownDim, kUnknownDim}), Tensor::scalar(int32_t{9}));
  EXPECT_EQ(rows.value().shape().to_string(), Shape({2, 2, 2}).to_string());
  EXPECT(values<int32_t>(rows.value()) == (std::vector<int32_t>{1, 2, 9, 9, 3, 9, 4, 9}));
}

TINYTF_TEST(rows_are_padded_to_a_known_shape) {
  const auto rows =
      padded({{tensor<float>({1}, {1})}, {tensor<float>({0}, {})}}, PartialShape({3}), Tensor::scalar(8.f));
  EXPECT(values<float>(rows.value()) == (std::vector<float>{1, 8, 8, 8, 8, 8}));
  const auto scalars =
      padded({{Tensor::scalar(1.f)}, {Tensor::scalar(2.f)}}, PartialShape::scalar(), Tensor::scalar(8.f));
  EXPECT(values<float>(scalars.value()) == (std::vector<float>{1, 2}));
}

TINYTF_TEST(rows_of_texts_are_padded) {
  const std::vector<Element> elements = {{tensor<std::string>({1}, {"a"})}, {tensor<std::string>({2}, {"b", "c"})}};
  const auto rows = padded(elements, PartialShape({kUnknownDim}), Tensor::scalar(std::string("-")));
  EXPECT(values<std::string>(rows.value()) == (std::vector<std::string>{"a", "-", "b", "c"}));
}

TINYTF_TEST(a_long_row_is_padded_at_each_place) {
  const auto rows = padded({{tensor<int16_t>({0}, {})}}, PartialShape({1001}), Tensor::scalar(int16_t{-7}));
  EXPECT(values<int16_t>(rows.value()) == std::vector<int16_t>(1001, -7));
}

TINYTF_TEST(rows_without_elements_are_padded_to_nothing) {
  const auto rows = padded({{tensor<float>({0, 2}, {})}}, PartialShape({kUnknownDim, 5}), Tensor::scalar(8.f));
  EXPECT_EQ(rows.value().shape().to_string(), Shape({1, 0, 5}).to_string());
}

TINYTF_TEST(rows_that_cannot_be_padded) {
  const Tensor pair = tensor<float>({2}, {1, 2});
  EXPECT_EQ(padded({{pair}}, PartialShape({1}), Tensor::scalar(0.f)).status().code(), Code::kDataLoss);
  EXPECT_EQ(padded({{pair}}, PartialShape::scalar(), Tensor::scalar(0.f)).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(padded({{pair}}, PartialShape({2}), Tensor::scalar(1.0)).status().code(), Code::kInvalidArgument);
  const auto huge = padded({{tensor<float>({0, 0}, {})}}, PartialShape({INT64_MAX, INT64_MAX}), Tensor::scalar(0.f));
  EXPECT(!huge.ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
