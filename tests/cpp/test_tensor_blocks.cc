#include "ops/data_flow/shared/tensor_blocks.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

Tensor number(int32_t value) { return Tensor::scalar<int32_t>(value); }

/// "3:7 1024:8": the elements that are set.
std::string text(const TensorBlocks& blocks) {
  std::string text;
  EXPECT_OK(blocks.for_each([&](int64_t i, const Tensor& element) {
    text += str_cat(text.empty() ? "" : " ", i, ":", element.int_at(0));
    return Status();
  }));
  return text;
}

TINYTF_TEST(blocks_have_what_was_set) {
  TensorBlocks blocks;
  EXPECT(!blocks.at(5).valid());
  blocks.set(3, number(7));
  blocks.set(1024, number(8));
  blocks.set(5000, number(9));
  EXPECT_EQ(text(blocks), "3:7 1024:8 5000:9");
  EXPECT(!blocks.at(2).valid());
  EXPECT(!blocks.at(4).valid());
  EXPECT(!blocks.at(3000).valid());
  blocks.set(3, number(6));
  EXPECT_EQ(text(blocks), "3:6 1024:8 5000:9");
}

TINYTF_TEST(blocks_give_up_what_is_taken) {
  TensorBlocks blocks;
  blocks.set(1024, number(8));
  EXPECT(!blocks.take(7).valid());
  const Tensor taken = blocks.take(1024);
  EXPECT_EQ(taken.int_at(0), 8);
  EXPECT(taken.writable_in_place());
  EXPECT(!blocks.take(1024).valid());
  EXPECT_EQ(text(blocks), "");
}

TINYTF_TEST(blocks_are_cut) {
  TensorBlocks blocks;
  for (int64_t i : {0, 1023, 1024, 1025, 4000}) blocks.set(i, number(static_cast<int32_t>(i)));
  blocks.truncate(5000);
  EXPECT_EQ(text(blocks), "0:0 1023:1023 1024:1024 1025:1025 4000:4000");
  blocks.truncate(1025);
  EXPECT_EQ(text(blocks), "0:0 1023:1023 1024:1024");
  blocks.truncate(1024);
  EXPECT_EQ(text(blocks), "0:0 1023:1023");
  blocks.truncate(0);
  EXPECT_EQ(text(blocks), "");
  EXPECT(!blocks.at(0).valid());
}

TINYTF_TEST(copies_of_blocks_change_apart) {
  TensorBlocks one;
  one.set(0, number(1));
  one.set(2000, number(2));
  TensorBlocks other = one;
  other.set(1, number(3));
  EXPECT_EQ(other.take(2000).int_at(0), 2);
  TensorBlocks third = one;
  third.truncate(1);
  one.set(0, number(4));
  EXPECT_EQ(text(one), "0:4 2000:2");
  EXPECT_EQ(text(other), "0:1 1:3");
  EXPECT_EQ(text(third), "0:1");
}

TINYTF_TEST(blocks_end_a_walk_with_an_error) {
  TensorBlocks blocks;
  for (int i = 0; i < 3; ++i) blocks.set(i, number(i));
  int seen = 0;
  const Status status =
      blocks.for_each([&](int64_t, const Tensor&) { return ++seen == 2 ? not_found("it") : Status(); });
  EXPECT_EQ(status.message(), "it");
  EXPECT_EQ(seen, 2);
}

TINYTF_TEST(blocks_that_are_far_off_take_little_memory) {
  TensorBlocks blocks;
  blocks.set(INT32_MAX - 1, number(1));  // contiguous elements would take 200 GB
  EXPECT_EQ(blocks.at(INT32_MAX - 1).int_at(0), 1);
  EXPECT(!blocks.at(INT32_MAX / 2).valid());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
