#include "io/tensor_content.h"

#include "io/tensor_proto.h"
#include "ops/io/shared/variant_codec.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string written(const Tensor& value) {
  std::string bytes;
  WireWriter to(&bytes);
  EXPECT_OK(write_tensor_content(to, value, ops::variant_codec()));
  return bytes;
}

Result<Tensor> read(std::string_view bytes) { return read_tensor_content(bytes, ops::variant_codec()); }

Tensor texts(const std::vector<std::string>& values) {
  Tensor tensor =
      Tensor::allocate(Allocator::process(), DType::kString, Shape({static_cast<int64_t>(values.size())})).take();
  std::copy(values.begin(), values.end(), tensor.data<std::string>());
  return tensor;
}

TINYTF_TEST(tensor_content_is_memory) {
  EXPECT(written(Tensor::scalar(int64_t{2})) == std::string("\x08\x09\x12\0\x22\x08\x02\0\0\0\0\0\0\0", 14));
  EXPECT(written(texts({"a", "bc"})) ==
         "\x08\x07\x12\x04\x12\x02\x08\x02\x22\x05\x01\x02"
         "abc");
  EXPECT_EQ(read(written(Tensor::scalar(1.5f))).take().data<float>()[0], 1.5f);
  const Tensor both = read(written(texts({"", "bc"}))).take();
  EXPECT_EQ(both.data<std::string>()[1], "bc");
  EXPECT_EQ(both.num_elements(), 2);
  EXPECT_EQ(read(written(texts({}))).take().num_elements(), 0);
}

TINYTF_TEST(tensor_content_of_variants) {
  const Tensor none = Tensor::allocate(Allocator::process(), DType::kVariant, Shape({2, 1})).take();
  const Tensor same = read(written(none)).take();
  EXPECT(same.dtype() == DType::kVariant && same.shape() == Shape({2, 1}));
  EXPECT(!same.data<Variant>()[0].value);
}

TINYTF_TEST(tensor_content_that_is_damaged) {
  for (const std::string& whole :
       {written(texts({"a", "bc"})), written(Tensor::scalar(2.0)),
        written(Tensor::allocate(Allocator::process(), DType::kVariant, Shape({2})).take())}) {
    for (size_t size = 0; size + 1 < whole.size(); ++size) EXPECT(!read(whole.substr(0, size)).ok());
  }
  std::string lacking;  // One element of a shape of 2**40.
  WireWriter to(&lacking);
  EXPECT_OK(write_tensor(to, Tensor::scalar(1.f).reshaped(Shape({1})), Shape({int64_t{1} << 40})));
  EXPECT_EQ(read(lacking).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(read("\x08\x14").status().code(), Code::kUnimplemented);  // A resource.
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
