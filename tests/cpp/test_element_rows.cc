#include "ops/data_flow/shared/element_rows.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using ops::ElementRows;
using Floats = std::vector<float>;

bool put(ElementRows& rows, int64_t i, float value, int64_t count) {
  auto done = rows.put(Allocator::process(), i, Tensor::scalar(value), count);
  TINYTF_CHECK(done.ok());
  return done.value();
}

TINYTF_TEST(element_rows_keep_what_is_put) {
  ElementRows rows;
  EXPECT(rows.find(0) == nullptr);
  EXPECT(put(rows, 1, 2, 3) && put(rows, 0, 1, 3));
  EXPECT(rows.find(1) != nullptr && rows.find(1)->has_value);
  EXPECT(rows.find(2) == nullptr && rows.find(1 << 30) == nullptr && rows.find(-1) == nullptr);
  EXPECT(!rows.stacked(3).valid());
  EXPECT(put(rows, 2, 3, 3));
  EXPECT_EQ(values<float>(rows.stacked(3)), (Floats{1, 2, 3}));
  EXPECT_EQ(values<float>(rows.row(2)), (Floats{3}));
}

TINYTF_TEST(element_rows_refuse_what_does_not_fit) {
  ElementRows rows;
  const auto refuses = [&](const Tensor& value) {
    auto done = rows.put(Allocator::process(), 1, value, 3);
    return done.ok() && !done.value();
  };
  EXPECT(put(rows, 0, 1, 3));
  EXPECT(refuses(tensor<float>({1}, {1})));
  ElementRows others;
  EXPECT(!others.put(Allocator::process(), 0, tensor<float>({33}, Floats(33)), 3).value());
  ElementRows none;
  EXPECT(!none.put(Allocator::process(), 0, tensor<float>({0}, {}), 3).value());
  ElementRows texts;
  EXPECT(!texts.put(Allocator::process(), 0, Tensor::scalar(std::string("a")), 3).value());
}

TINYTF_TEST(element_rows_take_no_memory_for_gaps) {
  ElementRows rows;
  constexpr int64_t kMany = int64_t{1} << 31;
  EXPECT(!put(rows, kMany - 1, 1, kMany));
  for (int64_t i = 0; i < 1000; ++i) EXPECT(put(rows, i, static_cast<float>(i), kMany));
  EXPECT(!put(rows, 1 << 20, 1, kMany));
  EXPECT(rows.size() <= 2048);
  EXPECT_EQ(rows.stacked(1000).data<float>()[999], 999);
}

TINYTF_TEST(element_rows_grow_with_arrays_that_grow) {
  ElementRows rows;
  for (int64_t i = 0; i < 1000; ++i) EXPECT(put(rows, i, static_cast<float>(i), i + 1));
  EXPECT(rows.size() <= 2000);
  EXPECT_EQ(values<float>(rows.row(77)), (Floats{77}));
}

TINYTF_TEST(element_rows_that_grow_one_by_one_are_copied_a_few_times) {
  ElementRows rows;
  const char* memory = nullptr;
  int copies = 0;
  for (int64_t i = 0; i < 100000; ++i) {
    EXPECT(put(rows, i, static_cast<float>(i), i + 1));
    if (rows.bytes_of(0) != memory) ++copies;
    memory = rows.bytes_of(0);
  }
  EXPECT(copies <= 20);
  EXPECT(rows.size() <= 200000);
  EXPECT_EQ(rows.stacked(100000).data<float>()[99999], 99999);
}

TINYTF_TEST(element_rows_of_a_known_number_take_memory_once) {
  ElementRows rows;
  EXPECT(put(rows, 0, 1, 1000) && put(rows, 999, 2, 1000));
  EXPECT_EQ(rows.size(), 1000);
}

TINYTF_TEST(element_rows_let_memory_go_with_the_last_value) {
  ElementRows rows;
  const Tensor value = tensor<float>({2, 1}, {1, 2});
  rows.adopt(value);
  EXPECT(!value.writable_in_place());
  EXPECT(!rows.is_own() && !put(rows, 2, 1, 3));
  rows.clear(0);
  rows.clear(0);
  EXPECT(!value.writable_in_place());
  EXPECT_EQ(values<float>(rows.row(1)), (Floats{2}));
  rows.clear(1);
  EXPECT(value.writable_in_place());
  EXPECT(rows.find(1) != nullptr && !rows.find(1)->has_value);
}

TINYTF_TEST(element_rows_have_elements_without_values) {
  ElementRows rows;
  rows.note_written(2, DType::kFloat, Shape());
  EXPECT(rows.find(1) != nullptr && !rows.find(1)->has_value);
  EXPECT(!rows.stacked(2).valid());
  EXPECT(put(rows, 1, 5, 2) && put(rows, 0, 4, 2));
  EXPECT_EQ(values<float>(rows.stacked(2)), (Floats{4, 5}));
  rows.forget(0);
  EXPECT(rows.find(0) == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
