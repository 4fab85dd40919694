#include "data/element.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::tensor;

const ElementSpec kPair{{DType::kFloat, DType::kInt64}, {PartialShape({2, kUnknownDim}), PartialShape()}};

TINYTF_TEST(specs_are_compatible) {
  EXPECT_OK(check_compatible(kPair, kPair));
  EXPECT_OK(check_compatible(kPair, {kPair.types, {PartialShape({kUnknownDim, 5}), PartialShape::scalar()}}));
  EXPECT_OK(check_compatible({}, {}));
}

TINYTF_TEST(specs_that_are_not_compatible) {
  EXPECT_EQ(check_compatible(kPair, {{DType::kFloat}, {PartialShape()}}).message(),
            "Number of components does not match: expected 2 types but got 1.");
  EXPECT_EQ(check_compatible(kPair, {{DType::kFloat, DType::kInt32}, kPair.shapes}).message(),
            "Data type mismatch at component 1: expected int64 but got int32.");
  EXPECT_EQ(check_compatible(kPair, {kPair.types, {PartialShape({3, 1}), PartialShape()}}).message(),
            "Incompatible shapes at component 0: expected [2,?] but got [3,1].");
  EXPECT_EQ(check_compatible(kPair, {kPair.types, {PartialShape({2, 1})}}).code(), Code::kInvalidArgument);
}

TINYTF_TEST(elements_match_their_spec) {
  const Tensor row = tensor<float>({2, 1}, {1, 2});
  EXPECT_OK(check_element(kPair, {row, Tensor::scalar(int64_t{1})}));
  EXPECT_EQ(check_element(kPair, {row}).code(), Code::kInvalidArgument);
  EXPECT_EQ(check_element(kPair, {row, row}).code(), Code::kInvalidArgument);
  EXPECT_EQ(check_element(kPair, {tensor<float>({2}, {1, 2}), Tensor::scalar(int64_t{1})}).message(),
            "Incompatible shapes at component 0: expected [2,?] but got [2].");
}

TINYTF_TEST(bytes_of_an_element) {
  EXPECT_EQ(bytes_of(Element()), int64_t{0});
  EXPECT_EQ(bytes_of(Element{tensor<float>({2, 1}, {1, 2}), Tensor::scalar(int64_t{1})}), int64_t{16});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
