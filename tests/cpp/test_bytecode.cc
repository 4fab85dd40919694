#include "runtime/plan/bytecode.h"

#include <thread>

#include "op/async_kernel.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"
#include "tests/cpp/waiting_room.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::scalar;
using Fixture = testing::ExecutorFixture;

int32_t int_of(const Tensor& tensor) { return tensor.data<int32_t>()[0]; }

/// "run:x guard:4 select": the instructions with node names and jump targets.
std::string text_of(const Program& program) {
  static constexpr const char* kNames[] = {"run", "guard", "test", "move", "select", "back", "region", "clear"};
  return str_join(program.code->instructions, " ", [&](const Instruction& instruction) {
    const std::string name = kNames[instruction.what];
    switch (instruction.what) {
      case Instruction::kRun: return str_cat(name, ":", program.nodes[instruction.a].info->name);
      case Instruction::kGuard:
      case Instruction::kTest:
      case Instruction::kBack: return str_cat(name, ":", instruction.b);
      default: return name;
    }
  });
}

struct Branch : Fixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar(), DType::kInt32);
  Node* branch = add_switch(*this, "branch", {x, 0}, {p, 0});
  Node* no = add("Neg", "no", {{branch, 0}});
  Node* yes = add("Square", "yes", {{branch, 1}});
  Node* merge = add_merge(*this, "merge", {{no, 0}, {yes, 0}});
};

TINYTF_TEST(bytecode_runs_one_branch) {
  Branch f;
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.x, 0}}, {{f.merge, 0}, {f.merge, 1}});
  EXPECT_EQ(text_of(plan->program()), "guard:2 run:no clear guard:5 run:yes clear select");
  EXPECT_OK(f.run(*plan, {Tensor::scalar(true), scalar(7)}));
  EXPECT_EQ(int_of(f.fetches[0]), 49);
  EXPECT_EQ(int_of(f.fetches[1]), 1);
  EXPECT_OK(f.run(*plan, {Tensor::scalar(false), scalar(7)}));
  EXPECT_EQ(int_of(f.fetches[0]), -7);
  EXPECT_EQ(int_of(f.fetches[1]), 0);
}

TINYTF_TEST(bytecode_has_no_value_of_the_other_branch) {
  Branch f;
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.x, 0}}, {{f.x, 0}, {f.yes, 0}, {f.branch, 1}});
  EXPECT(plan->program().code != nullptr);
  EXPECT_OK(f.run(*plan, {Tensor::scalar(true), scalar(7)}));
  EXPECT_EQ(int_of(f.fetches[1]), 49);
  EXPECT_EQ(int_of(f.fetches[2]), 7);
  EXPECT_EQ(f.run(*plan, {Tensor::scalar(false), scalar(7)}).message(), "Retval[1] does not have value");
}

TINYTF_TEST(bytecode_has_no_value_that_contradicts_itself) {
  Branch f;
  Node* again = add_switch(f, "again", {f.branch, 0}, {f.p, 0});
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.x, 0}}, {{f.x, 0}, {again, 1}});
  EXPECT(plan->program().code != nullptr);
  for (const bool taken : {true, false}) {
    EXPECT_EQ(f.run(*plan, {Tensor::scalar(taken), scalar(7)}).message(), "Retval[1] does not have value");
  }
}

TINYTF_TEST(bytecode_asks_for_scalars) {
  Branch f;
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.x, 0}}, {{f.merge, 0}});
  EXPECT_EQ(plan->program().code->selects[0].index_slot, -1);  // the branch index is unused
  const Tensor two = testing::tensor<bool>({2}, {true, false});
  const std::string says = "The second input must be a scalar, but it has shape [2]";
  EXPECT_EQ(f.run(*plan, {two, scalar(7)}).message().substr(0, says.size()), says);
}

struct LoopFixture : Fixture {
  Node* start = placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* limit = placeholder("limit", PartialShape::scalar(), DType::kInt32);
  Node* one = constant("one", scalar(1));
  CountingLoop loop{*this, "l", {start, 0}, {limit, 0}, {one, 0}};
};

TINYTF_TEST(bytecode_jumps_back) {
  LoopFixture f;
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}});
  EXPECT_EQ(text_of(plan->program()), "move run:l/less test:5 run:l/sum back:1 clear");
  for (const int32_t limit : {0, 1, 2, 1000}) {
    EXPECT_OK(f.run(*plan, {scalar(0), scalar(limit)}));
    EXPECT_EQ(int_of(f.fetches[0]), limit);
  }
  // The sum reuses the variable's memory, which the next iteration does not need.
  const PlanNode& sum = plan->program().nodes[1];
  EXPECT_EQ(sum.info->name, "l/sum");
  EXPECT_EQ(sum.last_use, uint64_t{1});
}

TINYTF_TEST(bytecode_leaves_variables_alone_that_go_on_as_they_are) {
  LoopFixture f;
  Node* kept = f.placeholder("kept", PartialShape::scalar(), DType::kInt32);
  Node* enter = testing::add_enter(f, "kept_enter", {kept, 0}, "l");
  Node* merge = add_merge(f, "kept_merge", {{enter, 0}, {enter, 0}});
  Node* branch = add_switch(f, "kept_switch", {merge, 0}, {f.loop.condition, 0});
  EXPECT_OK(f->update_input(merge, 1, {f.add("NextIteration", "kept_next", {{branch, 1}}), 0}));
  // The next value of the other variable is computed from it and may not use its memory.
  EXPECT_OK(f->update_input(f.loop.sum, 0, {branch, 1}));
  Node* exit = f.add("Exit", "kept_exit", {{branch, 0}});
  const std::vector<Endpoint> feeds{{f.start, 0}, {f.limit, 0}, {kept, 0}};
  const RefPtr<Plan> plan = f.plan(feeds, {{f.loop.exit, 0}, {exit, 0}});
  EXPECT(plan->program().code != nullptr);
  std::vector<Tensor> values;  // without other owners
  for (const int32_t value : {0, 3, 2}) values.push_back(scalar(value));
  EXPECT_OK(f.run(*plan, std::move(values)));
  EXPECT_EQ(int_of(f.fetches[0]), 3);
  EXPECT_EQ(int_of(f.fetches[1]), 2);
}

TINYTF_TEST(bytecode_moves_all_variables_at_once) {
  Fixture f;
  Node* a = f.placeholder("a", PartialShape::scalar(), DType::kInt32);
  Node* b = f.placeholder("b", PartialShape::scalar(), DType::kInt32);
  Node* one = f.constant("one", scalar(1));
  Node* three = f.constant("three", scalar(3));
  const CountingLoop loop(f, "l", {one, 0}, {three, 0}, {one, 0});
  const auto variable = [&](const std::string& name, Node* start) {
    Node* enter = testing::add_enter(f, name + "_enter", {start, 0}, "l");
    Node* merge = add_merge(f, name + "_merge", {{enter, 0}, {enter, 0}});
    return std::pair(merge, add_switch(f, name + "_switch", {merge, 0}, {loop.condition, 0}));
  };
  const auto [merge_a, switch_a] = variable("a", a);
  const auto [merge_b, switch_b] = variable("b", b);
  EXPECT_OK(f->update_input(merge_a, 1, {f.add("NextIteration", "next_a", {{switch_b, 1}}), 0}));
  EXPECT_OK(f->update_input(merge_b, 1, {f.add("NextIteration", "next_b", {{switch_a, 1}}), 0}));
  Node* exit_a = f.add("Exit", "exit_a", {{switch_a, 0}});
  Node* exit_b = f.add("Exit", "exit_b", {{switch_b, 0}});
  const RefPtr<Plan> plan = f.plan({{a, 0}, {b, 0}}, {{exit_a, 0}, {exit_b, 0}, {loop.exit, 0}});
  EXPECT(plan->program().code != nullptr);
  EXPECT_OK(f.run(*plan, {scalar(10), scalar(20)}));
  EXPECT_EQ(int_of(f.fetches[0]), 10);  // swapped twice
  EXPECT_EQ(int_of(f.fetches[1]), 20);
  EXPECT_EQ(int_of(f.fetches[2]), 3);
}

/// Completes immediately.
class PromptKernel final : public AsyncKernel {
 public:
  void compute_async(KernelContext& ctx, Done done) override {
    ctx.set_output(0, ctx.input(0));
    done(Status());
  }
};

/// Makes registered kernels, except for nodes whose name contains `part`.
template <class K, class... Arguments>
auto kernels_but(const std::string& part, Arguments&... arguments) {
  return [part, &arguments...](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->name.find(part) != std::string::npos) return std::shared_ptr<Kernel>(new K(arguments...));
    return testing::registered_kernel(node);
  };
}

TINYTF_TEST(bytecode_goes_on_behind_a_kernel_that_waits_in_a_branch) {
  Branch f;
  Node* more = f.add("Neg", "more", {{f.yes, 0}});
  Node* merge = add_merge(f, "merge_more", {{f.no, 0}, {more, 0}});
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.x, 0}}, {{merge, 0}}, kernels_but<PromptKernel>("yes"));
  EXPECT(plan->program().code != nullptr && plan->program().may_wait);
  EXPECT_OK(f.run(*plan, {Tensor::scalar(true), scalar(7)}));
  EXPECT_EQ(int_of(f.fetches[0]), -7);
  EXPECT_OK(f.run(*plan, {Tensor::scalar(false), scalar(8)}));
  EXPECT_EQ(int_of(f.fetches[0]), -8);
}

TINYTF_TEST(bytecode_goes_on_behind_kernels_that_wait_in_each_iteration) {
  LoopFixture f;
  const auto plan_with = [&](KernelSource kernels) {
    return f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}}, kernels);
  };
  Node* waits = f.add("Identity", "waits", {{f.loop.sum, 0}});
  EXPECT_OK(f->update_input(f.loop.next, 0, {waits, 0}));
  for (const bool pool : {true, false}) {
    f.threads = pool ? StepThreads{&f.pool, 3} : StepThreads{};
    const auto prompt = kernels_but<PromptKernel>("waits");
    const RefPtr<Plan> in_place = plan_with(prompt);
    EXPECT(in_place->program().code != nullptr);
    EXPECT_OK(f.run(*in_place, {scalar(0), scalar(100'000)}));  // without growing the stack
    EXPECT_EQ(int_of(f.fetches[0]), 100'000);
    testing::WaitingRoom room;
    const auto patient = kernels_but<testing::WaitingKernel>("waits", room);
    const RefPtr<Plan> elsewhere = plan_with(patient);
    std::thread porter([&] {
      for (int i = 1; i <= 50; ++i) {
        room.wait_for_entries(i);
        room.let_out();
      }
    });
    EXPECT_OK(f.run(*elsewhere, {scalar(0), scalar(50)}));
    porter.join();
    EXPECT_EQ(int_of(f.fetches[0]), 50);
  }
}

TINYTF_TEST(bytecode_that_waits_ends_with_its_step) {
  LoopFixture f;
  Node* waits = f.add("Identity", "waits", {{f.loop.sum, 0}});
  EXPECT_OK(f->update_input(f.loop.next, 0, {waits, 0}));
  testing::WaitingRoom room;
  const auto patient = kernels_but<testing::WaitingKernel>("waits", room);
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}}, patient);
  std::thread porter([&] {
    for (int i = 1; i <= 3; ++i) {
      room.wait_for_entries(i);
      room.let_out(i == 3 ? invalid_argument("no") : Status());
    }
  });
  EXPECT_EQ(f.run(*plan, {scalar(0), scalar(50)}).message(), "no\n\t [[{{node waits}}]]\n\t in iteration 2 of l");
  porter.join();
  f.cancellation.emplace();
  f.services =
      StepServices{KernelServices{&Allocator::process(), &f.serial, &f.resources, &f.resources, &*f.cancellation}};
  f.timeout_ms = 30;
  EXPECT_EQ(f.run(*plan, {scalar(0), scalar(50)}).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(room.cancelled(), 1);
}

TINYTF_TEST(bytecode_is_not_made_of_a_loop_whose_kernels_may_wait_for_each_other) {
  LoopFixture f;
  Node* one = f.add("Identity", "waits_1", {{f.loop.sum, 0}});
  Node* other = f.add("Identity", "waits_2", {{f.loop.body, 0}});
  Node* both = f.add("Maximum", "both", {{one, 0}, {other, 0}});
  EXPECT_OK(f->update_input(f.loop.next, 0, {both, 0}));
  const auto prompt = kernels_but<PromptKernel>("waits");
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}}, prompt);
  EXPECT(plan->program().code == nullptr && plan->program().tokens != nullptr);
  EXPECT_OK(f.run(*plan, {scalar(0), scalar(5)}));
  EXPECT_EQ(int_of(f.fetches[0]), 5);
  EXPECT_OK(f->update_input(other, 0, {one, 0}));  // now one waits for the other
  const RefPtr<Plan> in_turn = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}}, prompt);
  EXPECT(in_turn->program().code != nullptr);
  EXPECT_OK(f.run(*in_turn, {scalar(0), scalar(5)}));
  EXPECT_EQ(int_of(f.fetches[0]), 5);
}

TINYTF_TEST(bytecode_leaves_what_others_read_alone) {
  // The loop's initial value and its constant also have concurrent readers outside.
  LoopFixture f;
  Node* twice = f.add("Add", "twice", {{f.start, 0}, {f.start, 0}});
  Node* of_limit = f.add("Neg", "of_limit", {{f.limit, 0}});
  Node* all = f.add_list("AddN", "all", {{f.loop.exit, 0}, {twice, 0}, {of_limit, 0}});
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{all, 0}});
  EXPECT(plan->program().code != nullptr);
  for (int i = 0; i < 200; ++i) {
    testing::for_each_way(*plan, [&] {
      EXPECT_OK(f.run(*plan, {scalar(3), scalar(10)}));
      EXPECT_EQ(int_of(f.fetches[0]), 6);
    });
  }
}

TINYTF_TEST(bytecode_asks_for_scalars_where_no_branch_has_nodes) {
  Fixture f;
  Node* p = f.placeholder("p", PartialShape(), DType::kBool);
  Node* x = f.placeholder("x", PartialShape::scalar(), DType::kInt32);
  Node* branch = add_switch(f, "branch", {x, 0}, {p, 0});
  Node* merge = add_merge(f, "merge", {{branch, 0}, {branch, 1}});
  const RefPtr<Plan> plan = f.plan({{p, 0}, {x, 0}}, {{merge, 0}});
  EXPECT(plan->program().code != nullptr);
  EXPECT_EQ(f.run(*plan, {testing::tensor<bool>({0}, {}), scalar(7)}).message(),
            "The second input must be a scalar, but it has shape [0]\n\t [[{{node branch}}]]");
}

TINYTF_TEST(bytecode_plans_deep_branches_in_time) {
  Fixture f;
  Node* p = f.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = f.placeholder("x", PartialShape::scalar(), DType::kInt32);
  constexpr int kDepth = 300;
  std::vector<Endpoint> arms;
  Endpoint inner{x, 0};
  for (int i = 0; i < kDepth; ++i) {  // nested in the taken branch, with separate predicates
    const std::string name = str_cat("n", i);
    Node* predicate = f.add("LogicalNot", name + "p", {{i == 0 ? p : f->find(str_cat("n", i - 1, "p")), 0}});
    Node* branch = add_switch(f, name, inner, {predicate, 0});
    arms.push_back({branch, 1});
    inner = {branch, 0};
  }
  Endpoint value = inner;
  for (int i = kDepth; i-- > 0;) value = {add_merge(f, str_cat("m", i), {value, arms[i]}), 0};
  const RefPtr<Plan> plan = f.plan({{p, 0}, {x, 0}}, {value});
  EXPECT(plan->program().code != nullptr);
  EXPECT_OK(f.run(*plan, {Tensor::scalar(false), scalar(5)}));
  EXPECT_EQ(int_of(f.fetches[0]), 5);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
