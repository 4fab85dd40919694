#include "op/kept_value.h"

#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

/// Memory that its owner may change.
class ForeignBuffer final : public Buffer {
 public:
  explicit ForeignBuffer(std::vector<int32_t>& memory)
      : Buffer(memory.data(), memory.size() * sizeof(int32_t), /*writable=*/false) {}
};

TINYTF_TEST(values_that_fill_their_own_memory_may_be_kept) {
  const Tensor value = testing::tensor<int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT(may_be_kept(value));
  EXPECT(!may_be_kept(value.rows(0, 1).take()));
  EXPECT(may_be_kept(testing::tensor<std::string>({1}, {"text"})));
}

TINYTF_TEST(values_in_foreign_memory_may_not_be_kept) {
  std::vector<int32_t> memory(3, 1);
  EXPECT(!may_be_kept(Tensor(DType::kInt32, {3}, make_ref<ForeignBuffer>(memory))));
}

TINYTF_TEST(rows_that_are_kept_have_memory_of_their_own) {
  const Tensor batch = testing::tensor<int32_t>({2, 2}, {1, 2, 3, 4});
  const KeptRows rows(batch);
  const Tensor row = rows.row(Allocator::process(), 1).take();
  EXPECT_EQ(testing::values<int32_t>(row), (std::vector<int32_t>{3, 4}));
  EXPECT(may_be_kept(row));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
