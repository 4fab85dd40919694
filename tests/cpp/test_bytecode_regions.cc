#include "runtime/plan/bytecode_regions.h"

#include <thread>

#include "runtime/plan/dataflow_program.h"
#include "runtime/plan/plan_loops.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"
#include "tests/cpp/waiting_room.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::floats;
using testing::for_each_way;
using testing::scalar;

/// A Merge of x + x if p, and of -x if q; nodes around it.
struct RegionFixture : testing::ExecutorFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* q = placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar(), DType::kInt32);
  Node* before = add("Neg", "before", {{x, 0}});
  Node* by_p = add_switch(*this, "by_p", {before, 0}, {p, 0});
  Node* by_q = add_switch(*this, "by_q", {before, 0}, {q, 0});
  Node* twice = add("Add", "twice", {{by_p, 1}, {by_p, 1}});
  Node* merge = add_merge(*this, "merge", {{twice, 0}, {by_q, 1}});
  Node* after = add("Neg", "after", {{merge, 0}});
  const std::vector<Endpoint> feeds{{p, 0}, {q, 0}, {x, 0}};

  static Tensor flag(bool value) { return Tensor::scalar(value); }
  Status run_with(Plan& plan, bool is_p, bool is_q, int32_t value) {
    return run(plan, {flag(is_p), flag(is_q), scalar(value)});
  }
  int32_t result() const { return fetches[0].data<int32_t>()[0]; }
};

TINYTF_TEST(bytecode_regions_run_a_merge_of_two_predicates) {
  RegionFixture f;
  const RefPtr<Plan> plan = f.plan(f.feeds, {{f.after, 0}});
  EXPECT_EQ(std::string(plan_way(plan->program())), "mixed");
  EXPECT_EQ(plan->program().code->regions.size(), size_t{1});
  EXPECT_EQ(plan_regions(plan->program())[0].nodes, std::vector<std::string>{"merge"});
  EXPECT_EQ(why_tokens(plan->program()), "{{node merge}} merges values that are not the two branches of one predicate");
  EXPECT_EQ(plan_nodes(plan->program()).size(), size_t{4});
  for_each_way(*plan, [&] {
    EXPECT_OK(f.run_with(*plan, true, false, 5));
    EXPECT_EQ(f.result(), 10);
    EXPECT_OK(f.run_with(*plan, false, true, 7));
    EXPECT_EQ(f.result(), 7);
    EXPECT_EQ(f.run_with(*plan, false, false, 7).message(), "Retval[0] does not have value");
  });
}

TINYTF_TEST(bytecode_regions_are_not_made_if_they_would_be_the_whole_plan) {
  RegionFixture f;
  const RefPtr<Plan> plan = f.plan({{f.before, 0}, {f.p, 0}, {f.q, 0}, {f.twice, 0}}, {{f.merge, 0}});
  EXPECT_EQ(std::string(plan_way(plan->program())), "tokens");
}

TINYTF_TEST(bytecode_regions_wait_for_what_their_nodes_wait_for) {
  RegionFixture f;
  Node* pivot = f.add("Identity", "pivot", {{f.by_q, 1}});
  f->add_control_input(f.merge, pivot);                          // dead or not
  Node* also = f.add("Neg", "also", {{f.x, 0}}, {}, {f.merge});  // dead if the Merge is
  const RefPtr<Plan> plan = f.plan(f.feeds, {{also, 0}});
  EXPECT_EQ(std::string(plan_way(plan->program())), "mixed");
  for_each_way(*plan, [&] {
    EXPECT_OK(f.run_with(*plan, true, false, 5));
    EXPECT_EQ(f.result(), -5);
    EXPECT_EQ(f.run_with(*plan, false, false, 5).message(), "Retval[0] does not have value");
  });
}

TINYTF_TEST(bytecode_regions_run_loops_of_other_forms) {
  RegionFixture f;
  const testing::CountingLoop loop(f, "l", {f.before, 0}, {f.x, 0}, {f.constant("one", scalar(1)), 0});
  EXPECT_OK(f->update_input(loop.merge, 1, {loop.enter, 0}));
  EXPECT_OK(f->update_input(loop.merge, 0, {loop.next, 0}));
  const RefPtr<Plan> plan = f.plan({{f.x, 0}}, {{loop.exit, 0}});
  EXPECT_EQ(std::string(plan_way(plan->program())), "mixed");
  EXPECT_EQ(plan_loops(plan->program()).size(), size_t{1});
  for_each_way(*plan, [&] {
    EXPECT_OK(f.run(*plan, {scalar(3)}));
    EXPECT_EQ(f.result(), 3);
  });
}

/// A loop from -x to x by steps of one, which a region runs. A kernel of each iteration waits in a room.
struct WaitingLoop : RegionFixture {
  WaitingLoop() {
    EXPECT_OK(graph()->update_input(loop.merge, 1, {loop.enter, 0}));
    EXPECT_OK(graph()->update_input(loop.next, 0, {waits, 0}));
    EXPECT_OK(graph()->update_input(loop.merge, 0, {loop.next, 0}));
  }
  RefPtr<Plan> plan_of(const std::vector<Endpoint>& fetched) {
    const auto kernels = [this](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.info->name == "waits") return std::shared_ptr<Kernel>(new testing::WaitingKernel(room));
      return testing::registered_kernel(node);
    };
    return plan({{x, 0}}, fetched, kernels);
  }

  testing::WaitingRoom room;
  const testing::CountingLoop loop{*this, "l", {before, 0}, {x, 0}, {constant("one", scalar(1)), 0}};
  Node* waits = add("Identity", "waits", {{loop.sum, 0}});
};

TINYTF_TEST(bytecode_regions_hold_no_thread_while_their_kernels_wait) {
  for (const int threads : {1, 3}) {
    WaitingLoop f;
    f.threads.limit = threads;
    const RefPtr<Plan> plan = f.plan_of({{f.loop.exit, 0}, {f.before, 0}});
    EXPECT_EQ(std::string(plan_way(plan->program())), "mixed");
    EXPECT(plan->program().may_wait);
    std::thread porter([&] {
      for (int i = 1; i <= 40; ++i) {
        f.room.wait_for_entries(i);
        f.room.let_out();
      }
    });
    EXPECT_OK(f.run(*plan, {scalar(20)}));
    porter.join();
    EXPECT_EQ(f.result(), 20);
  }
}

TINYTF_TEST(bytecode_regions_that_wait_end_with_their_step) {
  WaitingLoop f;
  const RefPtr<Plan> plan = f.plan_of({{f.loop.exit, 0}});
  std::thread porter([&] {
    f.room.wait_for_entries(1);
    f.room.let_out();
    f.room.wait_for_entries(2);
    f.room.let_out(invalid_argument("no"));
  });
  EXPECT_EQ(f.run(*plan, {scalar(20)}).message(), "no\n\t [[{{node waits}}]]\n\t in iteration 1 of l");
  porter.join();
  f.cancellation.emplace();
  f.services =
      StepServices{KernelServices{&Allocator::process(), &f.serial, &f.resources, &f.resources, &*f.cancellation}};
  f.timeout_ms = 30;
  const Status late = f.run(*plan, {scalar(20)});
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT(late.message().find("{{node waits}}") != std::string::npos);
  EXPECT_EQ(f.room.cancelled(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
