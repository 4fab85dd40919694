#include "op/attr.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::tensor;

TINYTF_TEST(attr_map_keeps_order_and_replaces) {
  AttrMap attrs;
  attrs.set("a", int64_t{1});
  attrs.set("b", std::string("text"));
  attrs.set("a", int64_t{2});
  EXPECT_EQ(attrs.size(), size_t{2});
  EXPECT_EQ(*attrs.get<int64_t>("a"), 2);
  EXPECT(attrs.get<bool>("a") == nullptr);
  EXPECT(attrs.find("c") == nullptr);
  EXPECT_EQ(attrs.begin()->first, "a");
  attrs.erase("a");
  EXPECT_EQ(attrs.size(), size_t{1});
}

TINYTF_TEST(attrs_compare_and_show_themselves) {
  EXPECT(attr_equal(AttrValue(int64_t{3}), AttrValue(int64_t{3})));
  EXPECT(!attr_equal(AttrValue(int64_t{3}), AttrValue(3.0f)));
  EXPECT(attr_equal(AttrValue(Tensor::scalar(2.0f)), AttrValue(Tensor::scalar(2.0f))));
  EXPECT(!attr_equal(AttrValue(Tensor::scalar(2.0f)), AttrValue(Tensor::scalar(1.0f))));
  EXPECT_EQ(attr_to_string(AttrValue(true)), "true");
  EXPECT_EQ(attr_to_string(AttrValue(std::string("SAME"))), "\"SAME\"");
  EXPECT_EQ(attr_to_string(AttrValue(DType::kFloat)), "DT_FLOAT");
  EXPECT_EQ(attr_to_string(AttrValue(std::vector<int64_t>{1, 2})), "[1, 2]");
  EXPECT_EQ(attr_to_string(AttrValue(std::vector<DType>{DType::kHalf})), "[DT_HALF]");
  EXPECT_EQ(attr_to_string(AttrValue(std::vector<std::string>{"a", "b"})), "[\"a\", \"b\"]");
  EXPECT_EQ(attr_to_string(AttrValue(std::vector<bool>{true, false})), "[true, false]");
  EXPECT_EQ(attr_to_string(AttrValue(PartialShape({2, kUnknownDim}))), "[2,?]");
  EXPECT_EQ(attr_to_string(AttrValue(FuncRef{"f", {}})), "f");
  EXPECT_EQ(attr_to_string(AttrValue(0.5f)), "0.5");
  EXPECT_EQ(attr_to_string(AttrValue()), "<none>");
}

TINYTF_TEST(attrs_of_different_kinds_are_never_equal) {
  const std::vector<AttrValue> values = {AttrValue(),
                                         AttrValue(std::string("1")),
                                         AttrValue(int64_t{1}),
                                         AttrValue(1.0f),
                                         AttrValue(true),
                                         AttrValue(DType::kFloat),
                                         AttrValue(PartialShape({1})),
                                         AttrValue(Tensor::scalar(int64_t{1})),
                                         AttrValue(FuncRef{"f", {}}),
                                         AttrValue(std::vector<int64_t>{1}),
                                         AttrValue(std::vector<float>{1}),
                                         AttrValue(std::vector<DType>{DType::kFloat})};
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t k = 0; k < values.size(); ++k) EXPECT_EQ(attr_equal(values[i], values[k]), i == k);
  }
}

TINYTF_TEST(attr_tensors_compare_by_type_shape_and_bytes) {
  const auto equal = [](Tensor a, Tensor b) { return attr_equal(AttrValue(std::move(a)), AttrValue(std::move(b))); };
  EXPECT(equal(tensor<float>({2}, {1, 2}), tensor<float>({2}, {1, 2})));
  EXPECT(!equal(tensor<float>({2}, {1, 2}), tensor<float>({1, 2}, {1, 2})));
  EXPECT(!equal(tensor<float>({1}, {0}), tensor<int32_t>({1}, {0})));
  EXPECT(!equal(tensor<float>({1}, {0.0f}), tensor<float>({1}, {-0.0f})));  // they differ as divisors
  EXPECT(equal(tensor<float>({0}, {}), tensor<float>({0}, {})));
  EXPECT(equal(tensor<std::string>({1}, {"a"}), tensor<std::string>({1}, {"a"})));
  EXPECT(!equal(tensor<std::string>({1}, {"a"}), tensor<std::string>({1}, {"b"})));
  const std::vector<Tensor> one = {Tensor::scalar(1.0f)}, two = {Tensor::scalar(1.0f), Tensor::scalar(1.0f)};
  EXPECT(attr_equal(AttrValue(one), AttrValue(std::vector<Tensor>{Tensor::scalar(1.0f)})));
  EXPECT(!attr_equal(AttrValue(one), AttrValue(two)));
}

TINYTF_TEST(attr_functions_compare_with_their_attrs) {
  EXPECT((FuncRef{"f", {{"T", "1"}}}) == (FuncRef{"f", {{"T", "1"}}}));
  EXPECT(!((FuncRef{"f", {{"T", "1"}}}) == (FuncRef{"f", {{"T", "2"}}})));
  EXPECT(!((FuncRef{"f", {}}) == (FuncRef{"g", {}})));
}

TINYTF_TEST(attr_map_erases_what_is_there_only) {
  AttrMap attrs;
  attrs.set("a", int64_t{1});
  attrs.erase("b");
  EXPECT_EQ(attrs.size(), size_t{1});
  attrs.erase("a");
  EXPECT(attrs.begin() == attrs.end());
  attrs.set("a", true);
  EXPECT_EQ(*attrs.get<bool>("a"), true);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
