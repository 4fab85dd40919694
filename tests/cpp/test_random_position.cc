#include "data/random_position.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;

const RandomStates kStates = {{"a:0", {1, 2, 3, 4, 5, 6}}, {"f:0/b:1", {7, 8, 9, 10, 11, UINT32_MAX}}};

TINYTF_TEST(stored_states_of_random_generators_come_back) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_random_states(writer, kStates));
  EXPECT(get_random_states(StateReader(state)).take() == kStates);
}

TINYTF_TEST(a_position_without_random_states_has_none) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_random_states(writer, {}));
  EXPECT(state.empty());
  EXPECT(get_random_states(StateReader(state)).take().empty());
}

TINYTF_TEST(damaged_states_of_random_generators_are_refused) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_random_states(writer, kStates));
  const auto code_with = [&](const char* key, Tensor value) {
    IteratorState damaged = state;
    damaged[key] = std::move(value);
    return get_random_states(StateReader(damaged)).status().code();
  };
  const auto tensor = [](DType dtype, const Shape& shape) {
    return Tensor::allocate(Allocator::process(), dtype, shape).take();
  };
  EXPECT_EQ(code_with("random_names", tensor(DType::kString, Shape({3}))), Code::kDataLoss);
  EXPECT_EQ(code_with("random_names", tensor(DType::kString, Shape())), Code::kDataLoss);
  EXPECT_EQ(code_with("random_names", tensor(DType::kInt64, Shape({2}))), Code::kDataLoss);
  EXPECT_EQ(code_with("random_states", tensor(DType::kInt64, Shape({2, 5}))), Code::kDataLoss);
  EXPECT_EQ(code_with("random_states", tensor(DType::kInt64, Shape({12}))), Code::kDataLoss);
  EXPECT_EQ(code_with("random_states", tensor(DType::kString, Shape({2, 6}))), Code::kDataLoss);
  state.erase("random_states");
  EXPECT_EQ(get_random_states(StateReader(state)).status().code(), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
