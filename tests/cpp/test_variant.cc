#include "tensor/variant.h"

#include "tensor/tensor.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;

/// A number that supports addition.
class Number final : public VariantValue {
 public:
  Number(float value, int& alive) : value(value), alive_(alive) { ++alive_; }
  ~Number() override { --alive_; }
  std::string type_name() const override { return "Number"; }
  std::string debug_string() const override { return str_cat("Number<", value, ">"); }
  int64_t bytes() const override { return 4; }
  Result<Variant> zeros_like(Allocator&) const override { return Variant{make_ref<const Number>(0.0f, alive_)}; }
  Result<Variant> plus(const VariantValue& other, Allocator&) const override {
    const auto* number = dynamic_cast<const Number*>(&other);
    if (number == nullptr) return invalid_argument("no number");
    return Variant{make_ref<const Number>(value + number->value, alive_)};
  }

  const float value;

 private:
  int& alive_;
};

class Nothing final : public VariantValue {
 public:
  std::string type_name() const override { return "Nothing"; }
  std::string debug_string() const override { return "nothing"; }
  int64_t bytes() const override { return 0; }
};

Tensor variants(const std::vector<RefPtr<const VariantValue>>& values) {
  Tensor tensor =
      Tensor::allocate(Allocator::process(), DType::kVariant, Shape({static_cast<int64_t>(values.size())})).take();
  for (size_t i = 0; i < values.size(); ++i) tensor.data<Variant>()[i].value = values[i];
  return tensor;
}

float number_at(const Tensor& tensor, int64_t i) {
  const auto* number = tensor.data<Variant>()[i].get<Number>();
  return number == nullptr ? -1 : number->value;
}

TINYTF_TEST(variants_are_shared_and_go_with_the_last) {
  int alive = 0;
  Tensor first = variants({make_ref<const Number>(1.0f, alive), nullptr});
  EXPECT_EQ(first.summary(), "<variant [2]: Number<1> empty>");
  Tensor copy = first.clone(Allocator::process()).take();
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(number_at(copy, 0), 1.0f);
  EXPECT(copy.data<Variant>()[0].get<Nothing>() == nullptr);
  first = Tensor();
  EXPECT_EQ(alive, 1);
  copy = Tensor();
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(variants_are_elements_like_others_for_ops_of_all_types) {
  int alive = 0;
  {
    Tensor x = variants({make_ref<const Number>(1.0f, alive), make_ref<const Number>(2.0f, alive)});
    Tensor y = variants({make_ref<const Number>(3.0f, alive), nullptr});
    const auto packed = OpRunner("Pack").list({x, y}).run();
    EXPECT_OK(packed.status());
    EXPECT_EQ(number_at(packed.value()[0], 2), 3.0f);
    const auto rows = OpRunner("Unpack").attr("num", int64_t{2}).input(packed.value()[0]).run();
    EXPECT_OK(rows.status());
    EXPECT_EQ(number_at(rows.value()[0], 1), 2.0f);
    const auto taken = OpRunner("GatherV2")
                           .input(x)
                           .input(testing::tensor<int32_t>({3}, {1, 0, 1}))
                           .input(testing::tensor<int32_t>({}, {0}))
                           .run();
    EXPECT_OK(taken.status());
    EXPECT_EQ(number_at(taken.value()[0], 2), 2.0f);
  }
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(variants_are_added_where_they_can_be) {
  int alive = 0;
  {
    const Tensor x = variants({make_ref<const Number>(1.0f, alive), nullptr});
    const Tensor y = variants({make_ref<const Number>(2.0f, alive), make_ref<const Number>(3.0f, alive)});
    const auto sum = OpRunner("AddN").list({x, y, y}).run();
    EXPECT_OK(sum.status());
    EXPECT_EQ(number_at(sum.value()[0], 0), 5.0f);
    EXPECT_EQ(number_at(sum.value()[0], 1), 6.0f);
    const auto zeros = OpRunner("ZerosLike").input(y).run();
    EXPECT_OK(zeros.status());
    EXPECT_EQ(number_at(zeros.value()[0], 1), 0.0f);
    const Tensor other = variants({make_ref<const Nothing>(), nullptr});
    EXPECT_EQ(OpRunner("AddN").list({x, other}).run().status().message(), "no number");
    EXPECT_EQ(OpRunner("AddN").list({other, x}).run().status().code(), Code::kUnimplemented);
    EXPECT_EQ(OpRunner("ZerosLike").input(other).run().status().message(),
              "No unary variant unary_op function found for unary variant op enum: 1 Variant type_name: Nothing for "
              "device type: CPU");
    EXPECT_EQ(OpRunner("AddN").list({x, variants({nullptr})}).run().status().code(), Code::kInvalidArgument);
  }
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(variants_are_charged_to_who_allocates_them) {
  const RefPtr<Allocator> allocator = make_ref<Allocator>();
  {
    const auto many = Tensor::allocate(*allocator, DType::kVariant, Shape({1000}));
    EXPECT_OK(many.status());
    EXPECT(allocator->stats().live_bytes >= static_cast<int64_t>(1000 * sizeof(Variant)));
  }
  EXPECT_EQ(allocator->stats().live_bytes, 0);
  EXPECT(!Tensor::allocate(*allocator, DType::kVariant, Shape({int64_t{1} << 60})).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
