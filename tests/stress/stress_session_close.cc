#include "tests/stress/gate.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Four branches of Identity nodes, summed: 4 · x.
struct Branches {
  Branches() {
    const Endpoint x = placeholder(*graph, "x");
    std::vector<Endpoint> branches;
    for (const char* name : {"a", "b", "c", "d"}) branches.push_back({add(*graph, "Identity", name, {x}), 0});
    signature.feeds = {x};
    signature.fetches = {{add(*graph, "AddN", "sum", branches, {}, {4}), 0}};
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;
};

Status run_plan(Session& session, Plan& plan) {
  std::vector<Tensor> feeds = {filled(Shape({16}), 2)}, fetches;
  const Status status = session.run(plan, feeds, fetches);
  EXPECT(!status.ok() || all_are(fetches[0], 8));
  return status;
}

/// Steps wait at a gate while two threads close the session; each must end as cancelled.
void close_while_steps_wait(bool threaded) {
  constexpr int kSteps = 5;
  Branches branches;
  for (int round = 0; round < rounds(15); ++round) {
    Gate gate;
    const auto session = threaded_session(branches.graph);
    const RefPtr<Plan> plan = plan_with_gate(*branches.graph, branches.signature, gate);
    if (threaded) force_threads(*plan);
    on_threads(kSteps + 2, [&](int t) {
      if (t < kSteps) {
        EXPECT_EQ(run_plan(*session, *plan).code(), Code::kCancelled);
        return;
      }
      gate.wait_for_arrivals(kSteps);
      EXPECT_OK(session->close());
      EXPECT(session->closed());
      EXPECT_EQ(session->plan(branches.signature).status().message(), std::string("Session has been closed."));
      EXPECT_EQ(run_plan(*session, *plan).message(), std::string("Session has been closed."));
    });
  }
}

TINYTF_TEST(close_cancels_waiting_steps) { close_while_steps_wait(false); }
TINYTF_TEST(close_cancels_waiting_threaded_steps) { close_while_steps_wait(true); }

TINYTF_TEST(close_meets_the_opening_of_the_gate) {
  constexpr int kSteps = 4;
  Branches branches;
  for (int round = 0; round < rounds(15); ++round) {
    Gate gate;
    const auto session = threaded_session(branches.graph);
    const RefPtr<Plan> plan = plan_with_gate(*branches.graph, branches.signature, gate);
    force_threads(*plan);
    on_threads(kSteps + 2, [&](int t) {
      if (t < kSteps) {
        const Status status = run_plan(*session, *plan);
        EXPECT(status.ok() || status.code() == Code::kCancelled);
        return;
      }
      gate.wait_for_arrivals(kSteps);
      if (t == kSteps) return gate.open();
      EXPECT_OK(session->close());
    });
  }
}

TINYTF_TEST(close_meets_planning_and_short_steps) {
  Branches branches;
  const Endpoint counter = {
      add(*branches.graph, "VariableV2", "counter", {}, {{"shape", PartialShape::scalar()}, {"dtype", DType::kFloat}}),
      0};
  const Endpoint zero = constant(*branches.graph, "zero", Tensor::scalar(0.f));
  RunSignature assign = branches.signature;
  assign.targets = {add(*branches.graph, "Assign", "assign", {counter, zero})};
  for (int round = 0; round < rounds(15); ++round) {
    const auto session = threaded_session(branches.graph);
    Latch some_steps(8);
    on_threads(5, [&](int t) {
      if (t == 0) {
        some_steps.wait();
        EXPECT_OK(session->close());
        return;
      }
      const RunSignature& signature = t % 2 == 0 ? branches.signature : assign;
      for (;;) {
        const auto plan = session->plan(signature);
        const Status status = plan.ok() ? run_plan(*session, *plan.value()) : plan.status();
        if (!status.ok()) {
          EXPECT_EQ(status.code(), Code::kCancelled);
          return;
        }
        some_steps.count_down();
      }
    });
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
