#include "ops/data/shared/shuffle_buffer.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::ShuffleBuffer;

void push_numbers(ShuffleBuffer& buffer, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    Element element = {Tensor::scalar(i)};
    EXPECT_OK(buffer.reserve(Allocator::process(), INT64_MAX));
    EXPECT_OK(buffer.push(Allocator::process(), element));
  }
}

int64_t popped(ShuffleBuffer& buffer, int64_t choice) {
  Element element;
  EXPECT_OK(buffer.pop(Allocator::process(), choice, element));
  return testing::number_of(element);
}

TINYTF_TEST(a_popped_element_of_a_shuffle_leaves_its_place_to_the_first) {
  ShuffleBuffer buffer;
  push_numbers(buffer, 0, 5);
  EXPECT_EQ(buffer.size(), 5);
  EXPECT_EQ(buffer.choices(), 5);
  EXPECT_EQ(popped(buffer, 3), 3);  // 1 2 0 4
  EXPECT_EQ(popped(buffer, 2), 0);  // 2 1 4
  EXPECT_EQ(popped(buffer, 0), 2);  // 1 4
  EXPECT_EQ(popped(buffer, 1), 4);
  EXPECT_EQ(popped(buffer, 0), 1);
  EXPECT_EQ(buffer.size(), 0);
}

TINYTF_TEST(elements_of_a_round_of_a_shuffle_come_before_those_of_later_ones) {
  ShuffleBuffer buffer;
  push_numbers(buffer, 0, 2);
  buffer.start_round();
  buffer.start_round();  // No element.
  push_numbers(buffer, 2, 5);
  EXPECT_EQ(buffer.rounds(), 3u);
  EXPECT_EQ(buffer.choices(), 2);
  (void)popped(buffer, 0);
  EXPECT_EQ(buffer.choices(), 1);
  (void)popped(buffer, 0);
  EXPECT_EQ(buffer.choices(), 3);
  EXPECT_EQ(buffer.rounds(), 1u);
}

TINYTF_TEST(empty_rounds_of_a_shuffle_take_limited_memory) {
  ShuffleBuffer buffer;
  push_numbers(buffer, 0, 1);
  for (int round = 0; round < 1000; ++round) buffer.start_round();
  EXPECT(buffer.rounds() < 100u);
  push_numbers(buffer, 1, 2);
  EXPECT_EQ(buffer.choices(), 1);
  EXPECT_EQ(popped(buffer, 0), 0);
  EXPECT_EQ(buffer.choices(), 1);
  EXPECT_EQ(popped(buffer, 0), 1);
}

TINYTF_TEST(saved_shuffle_buffers) {
  ShuffleBuffer buffer;
  push_numbers(buffer, 0, 3);
  buffer.start_round();
  push_numbers(buffer, 3, 5);
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(buffer.save(Allocator::process(), writer));
  ShuffleBuffer other;
  push_numbers(other, 7, 9);
  EXPECT_OK(other.restore(Allocator::process(), StateReader(state), *testing::spec_of_int(), 5));
  EXPECT_EQ(other.size(), 5);
  EXPECT_EQ(other.rounds(), 2u);
  EXPECT_EQ(other.choices(), 3);
  EXPECT_EQ(popped(other, 2), 2);

  const auto code_of = [](const IteratorState& damaged, int64_t most) {
    const StateReader reader(damaged);
    return ShuffleBuffer().restore(Allocator::process(), reader, *testing::spec_of_int(), most).code();
  };
  EXPECT_EQ(code_of(state, 4), Code::kDataLoss);
  for (const char* key : {"rounds", "round_1", "size", "rows/0"}) {
    IteratorState damaged = state;
    damaged.erase(key);
    EXPECT_EQ(code_of(damaged, 5), Code::kDataLoss);
  }
  state["rounds"] = Tensor::scalar(INT64_MAX);
  EXPECT_EQ(code_of(state, 5), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
