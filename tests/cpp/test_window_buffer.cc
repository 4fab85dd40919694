#include "ops/data/shared/window_buffer.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::WindowBuffer;
using ops::WindowSteps;

class Nobody final : public Waker {
 public:
  void wake() override {}
};

/// An iterator of the numbers below `count`, and a buffer of its windows.
struct Windows {
  Windows(int64_t count, WindowSteps steps) : script(count), buffer(steps) {}

  Result<Pulled> fill(bool keeps_errors = true) {
    if (!input) input = testing::scripted(script)->make_iterator(ctx).take();
    return buffer.fill(ctx, *input, keeps_errors);
  }
  /// The numbers of the window; -1 for an error.
  std::vector<int64_t> window() const {
    std::vector<int64_t> numbers;
    for (const auto& item : buffer.window()) {
      numbers.push_back(item.error.ok() ? testing::number_of(item.element) : -1);
    }
    return numbers;
  }

  testing::DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const RefPtr<Nobody> nobody = make_ref<Nobody>();
  PullContext ctx{{step.services, *tasks}, *nobody};
  testing::Script script;
  std::unique_ptr<Iterator> input;
  WindowBuffer buffer;
};

using Numbers = std::vector<int64_t>;

TINYTF_TEST(spans_of_windows) {
  EXPECT_EQ((WindowSteps{1, 1, 9}.span()), 1);
  EXPECT_EQ((WindowSteps{3, 1, 2}.span()), 5);
  EXPECT_EQ((WindowSteps{INT64_MAX, 1, 1}.span()), INT64_MAX);
  EXPECT_EQ((WindowSteps{INT64_MAX, 1, 2}.span()), INT64_MAX);
  EXPECT_EQ((WindowSteps{3, 1, INT64_MAX}.span()), INT64_MAX);
}

TINYTF_TEST(windows_that_overlap) {
  Windows windows(5, {2, 1, 2});
  for (int64_t first = 0; first < 3; ++first) {
    EXPECT(windows.fill().take() == Pulled::kElement);
    EXPECT(windows.window() == (Numbers{first, first + 2}));
    windows.buffer.shift();
  }
  EXPECT(windows.fill().take() == Pulled::kEnd);
  EXPECT(windows.window() == (Numbers{3}));
  EXPECT(!windows.buffer.is_full());
}

TINYTF_TEST(windows_with_elements_in_between) {
  Windows windows(8, {2, 5, 1});
  windows.script.errors[3] = internal_error("between windows");
  EXPECT(windows.fill().take() == Pulled::kElement);
  windows.buffer.shift();
  EXPECT(windows.fill().take() == Pulled::kElement);
  EXPECT(windows.window() == (Numbers{5, 6}));
  windows.buffer.shift();
  EXPECT(windows.fill().take() == Pulled::kEnd);
  EXPECT_EQ(windows.buffer.size(), 0);
}

TINYTF_TEST(windows_with_errors) {
  Windows windows(4, {2, 2, 1});
  windows.script.errors[1] = internal_error("bad");
  EXPECT(windows.fill().take() == Pulled::kElement);
  EXPECT(windows.window() == (Numbers{0, -1}));

  Windows without(4, {2, 2, 1});
  without.script.errors[1] = internal_error("bad");
  EXPECT_EQ(without.fill(/*keeps_errors=*/false).status().message(), "bad");
  EXPECT(without.fill(/*keeps_errors=*/false).take() == Pulled::kElement);
  EXPECT(without.window() == (Numbers{0, 2}));
}

TINYTF_TEST(a_step_that_ends_while_a_window_is_filled) {
  Windows windows(4, {2, 2, 1});
  windows.script.errors[1] = Status(Code::kCancelled, "The step has ended");
  windows.step.cancellation.cancel();
  EXPECT_EQ(windows.fill().status().code(), Code::kCancelled);
  EXPECT_EQ(windows.buffer.size(), 0);
}

TINYTF_TEST(saved_window_buffers) {
  Windows windows(9, {3, 1, 1});
  windows.script.errors[1] = internal_error("bad");
  EXPECT(windows.fill().take() == Pulled::kElement);
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(windows.buffer.save(writer));
  Windows others(9, {3, 1, 1});
  EXPECT_OK(others.buffer.restore(StateReader(state), *testing::spec_of_int()));
  EXPECT(others.window() == (Numbers{0, -1, 2}));
  EXPECT_EQ(others.buffer.window()[1].error.message(), "bad");

  Windows smaller(9, {2, 1, 1});
  EXPECT_EQ(smaller.buffer.restore(StateReader(state), *testing::spec_of_int()).code(), Code::kDataLoss);
  for (const char* key : {"items", "to_skip", "item_1/error.code", "item_2/element/0"}) {
    IteratorState damaged = state;
    damaged.erase(key);
    EXPECT_EQ(others.buffer.restore(StateReader(damaged), *testing::spec_of_int()).code(), Code::kDataLoss);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
