#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

Tensor new_stack(int32_t max_size) {
  auto made = OpRunner("StackV2").named("s").input(Tensor::scalar(max_size)).attr("elem_type", DType::kFloat).run();
  TINYTF_CHECK(made.ok());
  return made.value()[0];
}

Result<std::vector<Tensor>> push(const Tensor& stack, Tensor value) {
  return OpRunner("StackPushV2").input(stack).input(std::move(value)).run();
}

Result<Tensor> pop(const Tensor& stack) {
  TINYTF_ASSIGN_OR_RETURN(std::vector<Tensor> out,
                          OpRunner("StackPopV2").input(stack).attr("elem_type", DType::kFloat).run());
  return out[0];
}

TINYTF_TEST(stack_gives_back_in_reverse_and_hands_on_memory) {
  const Tensor stack = new_stack(2);
  Tensor value = tensor<float>({2}, {1, 2});
  const void* memory = value.raw();
  EXPECT_OK(push(stack, std::move(value)).status());
  EXPECT_OK(push(stack, tensor<float>({}, {3})).status());
  EXPECT_EQ(values<float>(pop(stack).value()), std::vector<float>{3});
  auto first = pop(stack);
  EXPECT(first.value().raw() == memory);
  EXPECT(first.value().writable_in_place());
  EXPECT(!pop(stack).ok());
}

TINYTF_TEST(stack_passes_on_what_is_pushed) {
  const Tensor value = tensor<float>({1}, {1});
  auto out = push(new_stack(-1), value);
  EXPECT_OK(out.status());
  EXPECT(out.value()[0].raw() == value.raw());
}

TINYTF_TEST(stack_is_full_at_its_size) {
  const Tensor stack = new_stack(1);
  EXPECT_OK(push(stack, tensor<float>({}, {3})).status());
  EXPECT(!push(stack, tensor<float>({}, {4})).ok());
  EXPECT_EQ(values<float>(pop(stack).value()), std::vector<float>{3});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
