#include "tensor/digest.h"

#include <cstring>
#include <set>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::tensor;

TINYTF_TEST(digest_tells_every_byte_apart) {
  std::set<uint64_t> seen;
  size_t made = 0;
  for (int64_t n : {0, 1, 7, 8, 9, 31, 32, 33, 64, 100}) {
    Tensor bytes = tensor<uint8_t>({n}, std::vector<uint8_t>(n, 0));
    seen.insert(digest(bytes));
    ++made;
    for (int64_t i = 0; i < n; ++i) {
      bytes.data<uint8_t>()[i] = 1;
      seen.insert(digest(bytes));
      bytes.data<uint8_t>()[i] = 0;
      ++made;
    }
  }
  EXPECT_EQ(seen.size(), made);
}

TINYTF_TEST(digest_tells_types_shapes_and_bits_apart) {
  const Tensor zeros = tensor<float>({2, 3}, std::vector<float>(6, 0.0f));
  EXPECT_EQ(digest(zeros), digest(tensor<float>({2, 3}, std::vector<float>(6, 0.0f))));
  EXPECT(digest(zeros) != digest(zeros.reshaped({3, 2})));
  EXPECT(digest(zeros) != digest(zeros.bitcast(DType::kInt32, zeros.shape()).value()));
  EXPECT(digest(zeros) != digest(tensor<float>({2, 3}, {0, 0, 0, 0, 0, -0.0f})));
  const auto not_a_number = [](uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return tensor<float>({}, {value});
  };
  EXPECT_EQ(digest(not_a_number(0x7FC00000)), digest(not_a_number(0x7FC00000)));
  EXPECT(digest(not_a_number(0x7FC00000)) != digest(not_a_number(0x7FC00001)));
  EXPECT_EQ(digest(Tensor()), uint64_t{0});
}

TINYTF_TEST(digest_reads_strings_by_content_and_memory_of_any_alignment) {
  const std::string long_text(100, 'x');
  EXPECT_EQ(digest(tensor<std::string>({2}, {"a", long_text})), digest(tensor<std::string>({2}, {"a", long_text})));
  EXPECT(digest(tensor<std::string>({2}, {"ab", "c"})) != digest(tensor<std::string>({2}, {"a", "bc"})));
  EXPECT(digest(tensor<std::string>({1}, {""})) != digest(tensor<std::string>({1}, {std::string(1, '\0')})));
  const Tensor bytes = tensor<uint8_t>({41}, std::vector<uint8_t>(41, 3));
  EXPECT_EQ(digest(bytes.rows(0, 40).value()), digest(bytes.rows(1, 41).value()));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
