#include "tensor/written_form.h"

#include "io/tensor_proto.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::tensor;

std::string as_formed(const Tensor& value) {
  std::string out;
  WireWriter to(&out);
  EXPECT_OK(write_as_formed(to, value));
  return out;
}

TINYTF_TEST(written_form_goes_with_copies_and_not_with_the_memory) {
  const Tensor value = tensor<int32_t>({3}, {7, 7, 7});
  EXPECT(written_form(value) == nullptr);
  EXPECT(written_form(Tensor()) == nullptr);
  const Tensor formed = in_form(value, {false, 1});
  const Tensor copy = formed;
  EXPECT_EQ(written_form(copy)->elements, 1);
  EXPECT(!written_form(copy)->as_memory);
  EXPECT(copy.raw() == value.raw());
  EXPECT(written_form(value) == nullptr);
  EXPECT(written_form(formed.clone(Allocator::process()).value()) == nullptr);
}

TINYTF_TEST(written_form_leaves_memory_to_its_only_owner) {
  Tensor formed = in_form(tensor<float>({2}, {1, 1}), {false, 1});
  EXPECT(formed.writable_in_place());
  const Tensor copy = formed;
  EXPECT(!formed.writable_in_place());
}

TINYTF_TEST(written_form_decides_about_messages) {
  const Tensor value = tensor<int32_t>({3}, {7, 7, 7});
  for (const WrittenForm form : {WrittenForm{true, 0}, {false, 3}, {false, 1}, {false, 0}}) {
    const std::string bytes = as_formed(in_form(value, form));
    auto found = read_tensor_elements(bytes);
    EXPECT_OK(found.status());
    EXPECT_EQ(found.value().as_memory, form.as_memory);
    EXPECT_EQ(found.value().elements.num_elements(), form.as_memory ? 3 : form.elements);
    EXPECT(found.value().shape == Shape({3}));
    EXPECT_EQ(found.value().in_usual_form(), form.as_memory);
  }
  EXPECT_EQ(as_formed(value), as_formed(in_form(value, {true, 0})));
}

TINYTF_TEST(written_form_of_strings) {
  Tensor text = Tensor::allocate(Allocator::process(), DType::kString, Shape({2})).take();
  text.data<std::string>()[0] = "a";
  text.data<std::string>()[1] = std::string(200, 'b');
  auto memory = read_tensor_elements(as_formed(in_form(text, {true, 0})));
  EXPECT_OK(memory.status());
  EXPECT(memory.value().as_memory && !memory.value().in_usual_form());
  EXPECT_EQ(memory.value().elements.data<std::string>()[1], std::string(200, 'b'));
  auto usual = read_tensor_elements(as_formed(text));
  EXPECT(usual.ok() && usual.value().in_usual_form());
}

TINYTF_TEST(written_form_of_more_elements_than_there_are_is_an_error) {
  std::string out;
  WireWriter to(&out);
  EXPECT(!write_as_formed(to, in_form(tensor<float>({1}, {1}), {false, 2})).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
