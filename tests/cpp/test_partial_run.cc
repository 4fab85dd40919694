#include "runtime/session/partial_run.h"

#include <thread>

#include "op/async_kernel.h"
#include "op/kernel_registry.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"
#include "tests/cpp/waiting_room.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fetches = std::vector<int>;

/// a = -x, b = a + y, both fetched; indices as in the signature.
struct Fixture : testing::GraphFixture {
  Fixture() {
    x = placeholder("x");
    y = placeholder("y");
    a = add("Neg", "a", {{x, 0}});
    b = add("Add", "b", {{a, 0}, {y, 0}});
    session = make_ref<Session>(graph(), SessionOptions());
  }
  RefPtr<PartialRun> start() {
    auto plan = session->plan({{{x, 0}, {y, 0}}, {{a, 0}, {b, 0}}, {}});
    EXPECT_OK(plan.status());
    return make_ref<PartialRun>(session, plan.take(), std::vector<std::string>{"x:0", "y:0"},
                                std::vector<std::string>{"a:0", "b:0"});
  }
  Status go_on(PartialRun& run, std::vector<std::pair<int, Tensor>> feeds, const Fetches& wanted,
               const RunSettings& settings = {}) {
    values.clear();
    return run.go_on(std::move(feeds), wanted, values, settings);
  }
  float value(size_t i = 0) const { return values[i].data<float>()[0]; }

  Node *x, *y, *a, *b;
  RefPtr<Session> session;
  std::vector<Tensor> values;
};

constexpr int kX = 0, kY = 1, kA = 0, kB = 1;

TINYTF_TEST(partial_run_takes_feeds_bit_by_bit) {
  Fixture f;
  const auto run = f.start();
  EXPECT_EQ(run->feed_type(kX), DType::kFloat);
  EXPECT_OK(f.go_on(*run, {{kX, floats({2})}}, {kA}));
  EXPECT_EQ(f.value(), -2.0f);
  EXPECT(!run->over());
  EXPECT_OK(f.go_on(*run, {{kY, floats({5})}}, {}));
  EXPECT(!run->over());
  EXPECT_OK(f.go_on(*run, {}, {kB}));
  EXPECT_EQ(f.value(), 3.0f);
  EXPECT(run->over());
  EXPECT_EQ(f.go_on(*run, {}, {kB}).message(), "Must run 'setup' before performing partial runs!");
}

TINYTF_TEST(partial_run_refuses_and_does_nothing) {
  Fixture f;
  const auto run = f.start();
  EXPECT_EQ(f.go_on(*run, {{kY, floats({5})}}, {kA}).message(),
            "Fetch a:0 can't be computed from the feeds that have been fed so far.");
  EXPECT_EQ(f.go_on(*run, {{kY, Tensor::scalar(int32_t{1})}}, {}).message(),
            "Expects arg[1] to be float but int32 is provided");
  EXPECT_OK(f.go_on(*run, {{kX, floats({2})}}, {kA}));
  EXPECT_EQ(f.go_on(*run, {{kX, floats({2})}}, {}).message(), "The feed x:0 has already been fed.");
  EXPECT_EQ(f.go_on(*run, {}, {kA}).message(), "The fetch a:0 has already been fetched.");
  EXPECT_EQ(f.go_on(*run, {{kY, floats({1})}}, {kB, kB}).message(), "The fetch b:0 has already been fetched.");
  EXPECT_OK(f.go_on(*run, {{kY, floats({1})}}, {kB}));
  EXPECT_EQ(f.value(), -1.0f);
}

TINYTF_TEST(partial_run_hands_out_feeds_once_they_have_come) {
  Fixture f;
  Node* c = f.constant("c", floats({7}));
  auto plan = f.session->plan({{{f.x, 0}}, {{f.x, 0}, {c, 0}}, {}});
  const auto run = make_ref<PartialRun>(f.session, plan.take(), std::vector<std::string>{"x:0"},
                                        std::vector<std::string>{"x:0", "c:0"});
  EXPECT_EQ(f.go_on(*run, {}, {0}).message(), "Fetch x:0 can't be computed from the feeds that have been fed so far.");
  EXPECT_OK(f.go_on(*run, {}, {1}));
  EXPECT_EQ(f.value(), 7.0f);
  EXPECT_OK(f.go_on(*run, {{kX, floats({2})}}, {0}));
  EXPECT_EQ(f.value(), 2.0f);
  EXPECT(run->over());
}

TINYTF_TEST(partial_run_ends_with_an_error) {
  Fixture f;
  const auto run = f.start();
  EXPECT_OK(f.go_on(*run, {{kX, floats({1, 2})}}, {}));
  EXPECT_EQ(f.go_on(*run, {{kY, floats({1, 2, 3})}}, {kB}).message(),
            "Incompatible shapes: [2] vs. [3]\n\t [[{{node b}}]]");
  EXPECT(run->over());
}

TINYTF_TEST(partial_runs_of_one_plan_are_apart) {
  Fixture f;
  const auto first = f.start(), second = f.start();
  EXPECT_OK(f.go_on(*first, {{kX, floats({1})}}, {}));
  EXPECT_OK(f.go_on(*second, {{kX, floats({10})}}, {}));
  EXPECT_OK(f.go_on(*first, {{kY, floats({0})}}, {kB, kA}));
  EXPECT_EQ(f.value(0), -1.0f);
  EXPECT_EQ(f.value(1), -1.0f);
  EXPECT_OK(f.go_on(*second, {{kY, floats({0})}}, {kB}));
  EXPECT_EQ(f.value(), -10.0f);
  EXPECT(first->over() && !second->over());
}

TINYTF_TEST(partial_run_runs_each_node_once) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* zero = f.add("Assign", "zero", {{v, 0}, {f.constant("c", floats({0})), 0}});
  Node* add = f.add("AssignAdd", "add", {{v, 0}, {f.x, 0}});
  Node* later = f.add("Add", "later", {{add, 0}, {f.y, 0}});
  std::vector<Tensor> none, fetched;
  EXPECT_OK(f.session->run(*f.session->plan({{}, {}, {zero}}).value(), none, fetched));
  auto plan = f.session->plan({{{f.x, 0}, {f.y, 0}}, {{add, 0}, {later, 0}}, {}});
  const auto run = make_ref<PartialRun>(f.session, plan.take(), std::vector<std::string>{"x:0", "y:0"},
                                        std::vector<std::string>{"add:0", "later:0"});
  EXPECT_OK(f.go_on(*run, {{kX, floats({4})}}, {0}));
  EXPECT_EQ(f.value(), 4.0f);
  EXPECT_OK(f.go_on(*run, {{kY, floats({1})}}, {1}));
  EXPECT_EQ(f.value(), 5.0f);
}

TINYTF_TEST(partial_run_of_a_closed_session) {
  Fixture f;
  const auto run = f.start();
  EXPECT_OK(f.session->close());
  EXPECT_EQ(f.go_on(*run, {{kX, floats({1})}}, {}).message(), "Session has been closed.");
}

TINYTF_TEST(partial_run_keeps_no_memory_when_over) {
  Fixture f;
  Tensor mine = floats({1});
  {
    const auto run = f.start();
    EXPECT_OK(f.go_on(*run, {{kY, mine}}, {}));  // b still needs it
    EXPECT(!mine.buffer()->unique());
  }
  EXPECT(mine.buffer()->unique());  // released in the middle of the run
  const auto run = f.start();
  EXPECT_OK(f.go_on(*run, {{kX, mine}, {kY, mine}}, {kA, kB}));
  EXPECT(mine.buffer()->unique());
}

/// A fetch of x that waits in a room.
struct WaitingFixture : testing::GraphFixture {
  WaitingFixture() {
    Node* x = placeholder("x");
    Node* w = add("Identity", "w", {{x, 0}});
    Subgraph subgraph = prune({{x, 0}}, {{w, 0}}, {}).take();
    const auto kernel = [this](const SubgraphNode&) -> Result<std::shared_ptr<Kernel>> {
      return std::shared_ptr<Kernel>(std::make_shared<testing::WaitingKernel>(room));
    };
    session = make_ref<Session>(graph(), SessionOptions());
    run = make_ref<PartialRun>(session, testing::build_plan(subgraph, {{x, 0}}, kernel).take(),
                               std::vector<std::string>{"x:0"}, std::vector<std::string>{"w:0"});
  }
  Status go_on(const RunSettings& settings = {}) { return run->go_on({{0, floats({3})}}, {0}, values, settings); }

  testing::WaitingRoom room;
  RefPtr<Session> session;
  RefPtr<PartialRun> run;
  std::vector<Tensor> values;
};

TINYTF_TEST(partial_run_waits_for_another_thread) {
  WaitingFixture f;
  std::thread other([&] {
    f.room.wait_for_entries(1);
    EXPECT(f.room.let_out());
  });
  EXPECT_OK(f.go_on());
  other.join();
  EXPECT_EQ(f.values[0].data<float>()[0], 3.0f);
}

TINYTF_TEST(partial_run_waits_no_longer_than_it_may) {
  WaitingFixture f;
  RunSettings settings;
  settings.timeout_ms = 1;
  const Status status = f.go_on(settings);
  EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
  EXPECT_EQ(status.message(), "Timed out waiting for notification\n\t [[{{node w}}]]");
  EXPECT_EQ(f.room.cancelled(), 1);
  EXPECT(f.run->over());
}

/// Succeeds when it is cancelled.
class LateKernel final : public AsyncKernel {
 public:
  void compute_async(KernelContext& ctx, Done done) override {
    Cancellation::Token token = 0;
    EXPECT(ctx.step().cancellation->on_cancel(&token, [&ctx, done] {
      ctx.set_output(0, ctx.input(0));
      done(Status());
    }));
  }
};

/// x → Identity "late" → Neg; fetches one of the two.
struct LateFixture : testing::GraphFixture {
  explicit LateFixture(bool fetches_negative) {
    Node* x = placeholder("x");
    Node* late = add("Identity", "late", {{x, 0}});
    const Endpoint fetch = fetches_negative ? Endpoint{add("Neg", "negative", {{late, 0}}), 0} : Endpoint{late, 0};
    Subgraph subgraph = prune({{x, 0}}, {fetch}, {}).take();
    const auto kernel = [](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.info->op->name == "Identity") return std::shared_ptr<Kernel>(std::make_shared<LateKernel>());
      TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(*node.info));
      return std::shared_ptr<Kernel>(std::move(made));
    };
    run = make_ref<PartialRun>(make_ref<Session>(graph(), SessionOptions()),
                               testing::build_plan(subgraph, {{x, 0}}, kernel).take(), std::vector<std::string>{"x:0"},
                               std::vector<std::string>{"fetch:0"});
  }
  Status go_on(const RunSettings& settings) { return run->go_on({{0, floats({3})}}, {0}, values, settings); }

  RefPtr<PartialRun> run;
  std::vector<Tensor> values;
};

TINYTF_TEST(partial_run_keeps_what_came_as_the_time_ran_out) {
  RunSettings settings;
  settings.timeout_ms = 1;
  LateFixture all_done(false);
  EXPECT_OK(all_done.go_on(settings));
  EXPECT_EQ(all_done.values[0].data<float>()[0], 3.0f);
  LateFixture more_to_do(true);
  EXPECT_EQ(more_to_do.go_on(settings).message(), "Timed out waiting for notification");
  EXPECT(more_to_do.values.empty() && more_to_do.run->over());
}

TINYTF_TEST(partial_run_keeps_nothing_of_a_call_that_was_interrupted) {
  struct Stop final : Interrupt {
    bool interrupted() override { return true; }
  } stop;
  RunSettings settings;
  settings.interrupt = &stop;
  LateFixture f(false);
  EXPECT_EQ(f.go_on(settings).message(), "Run call was interrupted");
  EXPECT(f.values.empty() && f.run->over());
}

TINYTF_TEST(partial_run_refuses_calls_within_a_call) {
  /// A signal handler that uses the run it interrupts and then lets it continue.
  struct Handler final : Interrupt {
    explicit Handler(WaitingFixture& f) : f(f) {}
    bool interrupted() override {
      if (within.ok()) {
        within = f.go_on();
        over = f.run->over();
        EXPECT(f.room.let_out());
      }
      return false;
    }
    WaitingFixture& f;
    Status within;
    bool over = true;
  };
  WaitingFixture f;
  Handler handler(f);
  RunSettings settings;
  settings.interrupt = &handler;
  EXPECT_OK(f.go_on(settings));
  EXPECT_EQ(handler.within.code(), Code::kFailedPrecondition);
  EXPECT(!handler.over);
  EXPECT_EQ(f.values.size(), size_t{1});
  EXPECT_EQ(f.values[0].data<float>()[0], 3.0f);
  EXPECT(f.run->over());
  EXPECT_EQ(f.go_on().code(), Code::kInvalidArgument);  // the run can be used again
}

TINYTF_TEST(partial_run_ends_when_its_session_is_closed) {
  WaitingFixture f;
  std::thread other([&] {
    f.room.wait_for_entries(1);
    EXPECT_OK(f.session->close());
  });
  EXPECT_EQ(f.go_on().code(), Code::kCancelled);
  other.join();
  EXPECT_EQ(f.room.cancelled(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
