#include "runtime/plan/profile.h"

#include <limits>
#include <utility>
#include <vector>

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

TINYTF_TEST(profile_notes_times_of_the_first_steps_but_one) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}});
  std::vector<bool> early, measured;
  for (int i = 0; i < 5; ++i) {
    MeasuredStep step(plan->program(), plan->profile());
    early.push_back(step.is_early());
    measured.push_back(step.is_measured());
    if (i == 2) plan->profile().unit_ns[0] = 6'000'000;
    EXPECT(!plan->profile().is_long.load() || i > 2);
    step.end();
  }
  EXPECT(early == (std::vector<bool>{true, true, true, false, false}));
  EXPECT(measured == (std::vector<bool>{false, true, true, false, false}));
  EXPECT(plan->profile().is_long.load());
  EXPECT_EQ(plan->profile().steps.load(), 3);
  MeasuredStep(plan->program(), plan->profile()).note(0, MeasuredStep::Clock::now() - std::chrono::seconds(1000));
  EXPECT_EQ(plan->profile().unit_ns[0].load(), std::numeric_limits<int32_t>::max());
}

TINYTF_TEST(profile_measures_a_few_steps_and_decides) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Exp", "b", {{x, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Add", "sum", {{a, 0}, {b, 0}}), 0}});
  for (int step = 0; step < 6; ++step) EXPECT_OK(f.run(*plan, {floats({1})}));
  EXPECT_EQ(plan->profile().steps.load(), 3);
  EXPECT(!plan->profile().use_threads.load());  // too little work
  const auto pays = [&](int32_t a_ns, int32_t b_ns, int32_t sum_ns) {
    plan->profile().unit_ns[0] = a_ns;
    plan->profile().unit_ns[1] = b_ns;
    plan->profile().unit_ns[2] = sum_ns;
    return threads_would_pay(plan->program(), plan->profile());
  };
  EXPECT(pays(100'000, 100'000, 0));
  EXPECT(!pays(100'000, 1'000, 0));        // one node dominates
  EXPECT(!pays(1'000, 1'000, 100'000));    // the last node waits for all
  EXPECT(!pays(15'000, 15'000, 0));        // too short
  EXPECT(!pays(20'000, 20'000, 500'000));  // hardly any gain
}

TINYTF_TEST(profile_takes_the_way_that_takes_less_time) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}, {f.add("Exp", "b", {{x, 0}}), 0}});
  plan->profile().steps = 4;
  plan->profile().use_threads = true;
  const auto run = [&] { EXPECT_OK(f.run(*plan, {floats({1})})); };
  const auto means = [&] { return std::pair(plan->profile().alone_ns.load(), plan->profile().together_ns.load()); };
  for (int step = 0; step < 4; ++step) run();
  EXPECT(means().first > 0 && means().second > 0);  // both ways were tried
  for (const bool alone_is_quick : {true, false}) {
    plan->profile().alone_ns = alone_is_quick ? 1 : int64_t{1} << 40;
    plan->profile().together_ns = alone_is_quick ? int64_t{1} << 40 : 1;
    plan->profile().trials = 5;
    const auto before = means();
    for (int step = 0; step < 20; ++step) run();
    EXPECT_EQ(means().first == before.first, !alone_is_quick);
    EXPECT_EQ(means().second == before.second, alone_is_quick);
    for (int step = 0; step < 40; ++step) run();  // the other way is tried again
    EXPECT(means().first != before.first && means().second != before.second);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
