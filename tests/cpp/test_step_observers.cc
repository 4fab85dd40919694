#include "runtime/observe/step_observers.h"

#include "op/kernel.h"
#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

/// Counts nodes; fails for one of them.
class Counter final : public NodeObserver {
 public:
  explicit Counter(bool times = false, bool inputs = false, std::string bad = "")
      : times_(times), inputs_(inputs), bad_(std::move(bad)) {}
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations&) override {
    ++seen;
    timed = timed || start_ns != 0;
    return ctx.node().name == bad_ ? failed_precondition("objection") : Status();
  }
  bool wants_times() const override { return times_; }
  bool keeps_inputs() const override { return inputs_; }
  int seen = 0;
  bool timed = false;

 private:
  const bool times_;
  const bool inputs_;
  const std::string bad_;
};

/// x -> log -> after, on one thread.
struct Chain : Fixture {
  Chain() {
    Node* x = placeholder("x");
    whole = plan({{x, 0}}, {{add("Neg", "after", {{add("Log", "log", {{x, 0}}), 0}}), 0}});
  }
  std::string run_with(StepObservers& observers, float x) {
    services.observer = observers.observer();
    cancellation.emplace();
    const Status status = run(*whole, {floats({x})});
    services.observer = nullptr;
    return status.message();
  }
  RefPtr<Plan> whole;
};

TINYTF_TEST(step_observers_are_no_observer_if_nobody_looks) {
  Chain chain;
  StepObservers none(0);
  EXPECT(none.observer() == nullptr);
  EXPECT_OK(none.before(*chain.whole));
  EXPECT_EQ(chain.run_with(none, 0), "");
}

TINYTF_TEST(step_observers_do_not_come_between_a_single_one) {
  Counter counter;
  StepObservers one(0);
  one.add(&counter);
  EXPECT(one.observer() == &counter);
  StepObservers watch(1);
  EXPECT(dynamic_cast<NanWatch*>(watch.observer()) != nullptr);
}

TINYTF_TEST(step_observers_see_every_node_until_one_objects) {
  Chain chain;
  Counter first(false, false, "log"), second;
  StepObservers both(0);
  both.add(&first);
  both.add(&second);
  EXPECT(chain.run_with(both, 1).find("objection") != std::string::npos);
  EXPECT(first.seen == 1 && second.seen == 0);
  StepObservers turned(0);
  turned.add(&second);
  turned.add(&first);
  EXPECT(chain.run_with(turned, 1).find("objection") != std::string::npos);
  EXPECT(first.seen == 2 && second.seen == 1);
}

TINYTF_TEST(step_observers_want_what_one_of_them_wants) {
  Counter plain, timed(true, false), keeping(false, true);
  StepObservers observers(0);
  observers.add(&plain);
  EXPECT(!observers.wants_times() && !observers.keeps_inputs());
  observers.add(&timed);
  EXPECT(observers.wants_times() && !observers.keeps_inputs());
  observers.add(&keeping);
  EXPECT(observers.wants_times() && observers.keeps_inputs());
  Chain chain;
  EXPECT_EQ(chain.run_with(observers, 1), "");
  EXPECT(plain.seen == 2 && plain.timed);
  EXPECT(!StepObservers(2).wants_times() && StepObservers(2).keeps_inputs());
}

TINYTF_TEST(step_observers_show_the_node_that_the_watch_blames_to_others) {
  Chain chain;
  Counter counter;
  StepObservers observers(1);
  observers.add(&counter);
  EXPECT(observers.keeps_inputs());
  EXPECT(chain.run_with(observers, -1).find("the first NaN comes from {{node log}}") != std::string::npos);
  EXPECT_EQ(counter.seen, 1);
}

TINYTF_TEST(step_observers_watch_infinities_from_level_two_on) {
  Chain chain;
  StepObservers nans(1), all(2);
  EXPECT_EQ(chain.run_with(nans, 0), "");
  EXPECT(chain.run_with(all, 0).find("the first Inf comes from {{node log}}") != std::string::npos);
}

TINYTF_TEST(step_observers_know_what_was_folded) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* log = f.add("Log", "log", {{f.constant("c", floats({0})), 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Mul", "use", {{log, 0}, {x, 0}}), 0}});
  EXPECT_OK(StepObservers(0).before(*plan));
  EXPECT_OK(StepObservers(1).before(*plan));
  EXPECT(StepObservers(2).before(*plan).message().find("{{node log}}") != std::string::npos);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
