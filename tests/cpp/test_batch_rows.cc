#include "data/batch_rows.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::tensor;
using testing::values;

Allocator& memory() { return Allocator::process(); }

Element pair(float x, const std::string& text) {
  return {tensor<float>({2}, {x, x + 1}), tensor<std::string>({}, {text})};
}

TINYTF_TEST(rows_are_stacked) {
  BatchRows rows;
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(rows.add(memory(), pair(1, "a"), 3));
    EXPECT_OK(rows.add(memory(), pair(3, "b"), 3));
    EXPECT_EQ(rows.size(), 2);
    if (round > 0) EXPECT_OK(rows.add(memory(), pair(5, "c"), 3));
    Element batch;
    EXPECT_OK(rows.take(batch));
    const int64_t count = round > 0 ? 3 : 2;
    EXPECT_EQ(batch[0].shape(), Shape({count, 2}));
    EXPECT_EQ(batch[1].shape(), Shape({count}));
    EXPECT_EQ(values<float>(batch[0])[3], 4.f);
    EXPECT_EQ(values<std::string>(batch[1])[1], "b");
    EXPECT_EQ(rows.size(), 0);
  }
}

TINYTF_TEST(many_rows_of_a_large_batch) {
  BatchRows rows;
  constexpr int64_t kMany = 200000;
  for (int64_t i = 0; i < kMany; ++i) {
    EXPECT_OK(rows.add(memory(), {Tensor::scalar(i)}, INT64_MAX));
  }
  Element batch;
  EXPECT_OK(rows.take(batch));
  EXPECT_EQ(batch[0].shape(), Shape({kMany}));
  EXPECT_EQ(batch[0].int_at(kMany - 1), kMany - 1);
}

TINYTF_TEST(rows_that_do_not_fit) {
  BatchRows rows;
  EXPECT_OK(rows.add(memory(), pair(1, "a"), 4));
  const Element others[] = {
      {tensor<float>({3}, {1, 2, 3}), tensor<std::string>({}, {"a"})},
      {tensor<int64_t>({2}, {1, 2}), tensor<std::string>({}, {"a"})},
      {tensor<float>({2}, {1, 2})},
  };
  for (const Element& other : others) {
    EXPECT_EQ(rows.add(memory(), other, 4).code(), Code::kInvalidArgument);
    EXPECT_EQ(rows.size(), 1);
  }
  EXPECT_EQ(rows.add(memory(), others[0], 4).message(),
            "Cannot batch tensors with different shapes in component 0. First element had shape [2] and element 1 had "
            "shape [3].");
  rows.collect(memory(), others[0], 4);
  rows.collect(memory(), pair(1, "a"), 4);
  EXPECT_EQ(rows.collected(), 3);
  EXPECT_EQ(rows.error().code(), Code::kInvalidArgument);
  rows.clear();
  EXPECT_OK(rows.error());
  EXPECT_EQ(rows.collected(), 0);
}

TINYTF_TEST(rows_without_values_and_of_large_shapes) {
  for (const Shape& shape : {Shape({0}), Shape({0, INT64_MAX}), Shape(Dims(254, 1)), Shape({int64_t{1} << 40, 0})}) {
    const Element row = {Tensor::allocate(memory(), DType::kInt8, shape).take()};
    BatchRows rows;
    // As many as the shape allows.
    for (int i = 0; i < 3; ++i) {
      const Status status = rows.add(memory(), row, 3);
      EXPECT(status.ok() || status.code() == Code::kInvalidArgument || status.code() == Code::kResourceExhausted);
      if (!status.ok()) break;
    }
  }
}

TINYTF_TEST(batches_are_added_to_rows) {
  const auto numbers = [](std::vector<int64_t> of) -> Element {
    const auto count = static_cast<int64_t>(of.size());
    return {tensor<int64_t>({count}, of)};
  };
  BatchRows rows;
  EXPECT_OK(rows.add_batch(memory(), numbers({1, 2}), 5));
  EXPECT_OK(rows.add(memory(), {Tensor::scalar(int64_t{3})}, 5));
  EXPECT_EQ(rows.add_batch(memory(), numbers({4, 5, 6}), 5).code(), Code::kInvalidArgument);
  EXPECT_EQ(rows.add_batch(memory(), numbers({}), 5).code(), Code::kInvalidArgument);
  EXPECT_EQ(rows.add_batch(memory(), {Tensor::scalar(int64_t{3})}, 5).code(), Code::kInvalidArgument);
  EXPECT_EQ(rows.add_batch(memory(), {}, 5).code(), Code::kInvalidArgument);
  EXPECT_OK(rows.add_batch(memory(), numbers({4, 5}), 5));
  Element batch;
  EXPECT_OK(rows.take(batch));
  EXPECT_EQ(values<int64_t>(batch[0]), (std::vector<int64_t>{1, 2, 3, 4, 5}));
  // A whole batch is taken without a copy.
  const Element whole = numbers({1, 2, 3});
  EXPECT_OK(rows.add_batch(memory(), whole, 3));
  EXPECT_OK(rows.take(batch));
  EXPECT(batch[0].raw() == whole[0].raw());
}

TINYTF_TEST(rows_that_cannot_be_set) {
  const auto damaged = [](const Element& element) {
    BatchRows rows;
    return rows.set(memory(), element, 3).code();
  };
  const Tensor two = tensor<float>({2}, {1, 2}), one = tensor<float>({1}, {1}), none = tensor<float>({0}, {});
  EXPECT_EQ(damaged({two, two}), Code::kOk);
  EXPECT_EQ(damaged({two, one}), Code::kDataLoss);
  EXPECT_EQ(damaged({none}), Code::kDataLoss);
  EXPECT_EQ(damaged({Tensor::scalar(1.f)}), Code::kDataLoss);
  EXPECT_EQ(damaged({two, Tensor::scalar(1.f)}), Code::kDataLoss);
  EXPECT_EQ(damaged({tensor<float>({3}, {1, 2, 3})}), Code::kDataLoss);
}

TINYTF_TEST(rows_without_memory) {
  BatchRows rows;
  const auto small = make_ref<Allocator>();
  EXPECT_OK(rows.add(*small, {Tensor::scalar(int64_t{1})}, 3));
  Element batch;
  EXPECT_OK(rows.take(batch));
  const Tensor huge = Tensor::allocate(memory(), DType::kInt8, Shape({1 << 20})).take();
  // Room for all rows of a batch is asked for only after a full one.
  EXPECT_OK(rows.add(*small, {huge}, int64_t{1} << 40));
  EXPECT_EQ(rows.size(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
