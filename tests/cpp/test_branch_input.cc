#include "ops/data/shared/branch_input.h"

#include <thread>

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::number_of;

class Consumer final : public Waker {
 public:
  void wake() override { woken.set(); }
  testing::Event woken;
};

/// A branch that pulls the input of a script.
struct Branch {
  explicit Branch(ops::BranchInput& input) : input(input), turn(input.begin_turn()) {}
  Result<Pulled> pull() { return input.pull(ctx, turn, element); }
  /// The next number; -1 at the end, -2 if it is pending.
  int64_t number() {
    const Pulled pulled = pull().take();
    return pulled == Pulled::kElement ? number_of(element) : pulled == Pulled::kEnd ? -1 : -2;
  }

  ops::BranchInput& input;
  const int64_t turn;
  Element element;
  DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const RefPtr<Consumer> consumer = make_ref<Consumer>();
  PullContext ctx{{step.services, *tasks}, *consumer};
};

RefPtr<ops::BranchInput> input_of(testing::Script& script) {
  const DataStep step;
  PipelineTasks tasks;
  IteratorContext ctx{step.services, tasks};
  return make_ref<ops::BranchInput>(testing::scripted(script)->make_iterator(ctx).take());
}

TINYTF_TEST(branches_get_elements_in_their_turns) {
  testing::Script script(3);
  const auto input = input_of(script);
  Branch first(*input);
  EXPECT_EQ(first.number(), 0);
  Branch second(*input);
  EXPECT_EQ(first.number(), -1);
  for (const int64_t expected : {1, 2, -1}) EXPECT_EQ(second.number(), expected);
}

/// The iterator checks that it has one user at a time.
TINYTF_TEST(a_branch_waits_for_the_one_before) {
  testing::Script script(3);
  script.block(0);
  const auto input = input_of(script);
  Branch first(*input);
  std::thread background([&] { EXPECT_EQ(first.number(), 0); });
  script.wait_until_blocked(1);
  Branch second(*input);
  EXPECT_EQ(second.number(), -2);
  script.let_go();
  second.consumer->woken.wait();
  EXPECT_EQ(second.number(), 1);
  background.join();
}

TINYTF_TEST(the_input_of_branches_is_saved_between_pulls) {
  testing::Script script(3);
  script.block(0);
  const auto input = input_of(script);
  Branch first(*input);
  std::thread background([&] { EXPECT_EQ(first.number(), 0); });
  script.wait_until_blocked(1);
  IteratorState state;
  StateWriter writer(state);
  {
    Branch over(*input);
    over.step.cancellation.cancel();
    EXPECT_EQ(input->use_alone(over.ctx, [](Iterator&) { return Status(); }).code(), Code::kCancelled);
  }
  script.let_go();
  Branch second(*input);
  EXPECT_OK(input->use_alone(second.ctx, [&](Iterator& iterator) {
    EXPECT_EQ(second.number(), -2);
    return iterator.save(second.ctx, writer);
  }));
  second.consumer->woken.wait();
  background.join();
  EXPECT_EQ(state.at("at").int_at(0), 1);
  EXPECT_EQ(second.number(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
