#include "data/entry.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;

TINYTF_TEST(saved_entries_of_a_buffer) {
  std::deque<Entry> entries;
  entries.push_back({Status(), {Tensor::scalar(int64_t{5})}});
  entries.push_back({invalid_argument("broken"), {}});
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(save_entries(writer, entries));
  const std::deque<Entry> found = restore_entries(StateReader(state), *testing::spec_of_int()).take();
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(testing::number_of(found[0].element), 5);
  EXPECT_EQ(found[1].status.message(), std::string("broken"));

  const auto code_of = [](const IteratorState& damaged, int64_t most) {
    return restore_entries(StateReader(damaged), *testing::spec_of_int(), most).status().code();
  };
  EXPECT_EQ(code_of(state, 2), Code::kOk);
  EXPECT_EQ(code_of(state, 1), Code::kDataLoss);
  for (const char* key : {"ready", "status_1.code", "element_0/0"}) {
    IteratorState damaged = state;
    damaged.erase(key);
    EXPECT_EQ(code_of(damaged, 2), Code::kDataLoss);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
