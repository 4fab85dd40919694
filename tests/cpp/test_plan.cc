#include "runtime/plan.h"

#include "op/kernel_registry.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

using testing::floats;
using testing::GraphFixture;

const auto kernel_of = [](const Node& node) -> Result<std::shared_ptr<Kernel>> {
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> kernel, KernelRegistry::global().create(node.info));
  return std::shared_ptr<Kernel>(std::move(kernel));
};

Result<RefPtr<Plan>> plan_of(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                             const std::vector<Node*>& targets = {}) {
  Subgraph subgraph = prune(feeds, fetches, targets).take();
  fold_constants(subgraph, 10 << 20);
  eliminate_common_subexpressions(subgraph);
  return build_plan(subgraph, feeds, kernel_of);
}

/// "y(x:donated)": nodes in order, each with its inputs' slots; a star where nobody reads the input afterwards.
std::string describe(const Plan& plan) {
  return str_join(plan.nodes, " ", [&](const PlanNode& node) {
    std::string text = node.info->name;
    for (size_t i = 0; i < node.origin->inputs.size(); ++i) {
      text += str_cat(i == 0 ? "(" : ",", plan.input_slots[node.first_input + i], (node.last_use >> i) & 1 ? "*" : "");
    }
    return node.origin->inputs.empty() ? text : text + ")";
  });
}

std::vector<int32_t> released_by(const Plan& plan, size_t n) {
  return {plan.releases.begin() + plan.nodes[n].releases_begin, plan.releases.begin() + plan.nodes[n].releases_end};
}

std::vector<int32_t> consumers_of(const Plan& plan, size_t n) {
  return {plan.consumers.begin() + plan.nodes[n].consumers_begin, plan.consumers.begin() + plan.nodes[n].consumers_end};
}

using Slots = std::vector<int32_t>;

TINYTF_TEST(plan_lays_out_slots_in_running_order) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* a = g.add("Neg", "a", {{x, 0}});
  Node* b = g.add("Exp", "b", {{x, 0}});
  Node* c = g.add("Sub", "c", {{a, 0}, {b, 0}});
  const RefPtr<Plan> plan = plan_of({{x, 0}}, {{c, 0}}).take();
  // Slot 0 would be the placeholder's own output, 1 is what is fed for it.
  EXPECT_EQ(describe(*plan), "a(1) b(1*) c(2*,3*)");
  EXPECT_EQ(plan->slot_count, 5);
  EXPECT(plan->feed_slots == Slots{1} && plan->fetch_slots == Slots{4});
  EXPECT(plan->feed_types == std::vector<DType>{DType::kFloat});
  EXPECT(released_by(*plan, 0).empty());
  EXPECT(released_by(*plan, 1) == Slots{1});
  EXPECT(released_by(*plan, 2) == (Slots{2, 3}));
  EXPECT(consumers_of(*plan, 0) == Slots{2} && consumers_of(*plan, 1) == Slots{2} && consumers_of(*plan, 2).empty());
  EXPECT_EQ(plan->nodes[0].pending, 0);
  EXPECT_EQ(plan->nodes[2].pending, 2);
  EXPECT(plan->slot_uses == (Slots{0, 2, 1, 1, 1}));
}

TINYTF_TEST(plan_donates_nothing_that_is_still_needed) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* a = g.add("Neg", "a", {{x, 0}});
  Node* b = g.add("Exp", "b", {{a, 0}});
  Node* square = g.add("Mul", "square", {{b, 0}, {b, 0}});
  EXPECT_EQ(describe(*plan_of({{x, 0}}, {{b, 0}}).value()), "a(1*) b(2*)");
  EXPECT_EQ(describe(*plan_of({{x, 0}}, {{b, 0}, {a, 0}}).value()), "a(1*) b(2)");  // fetched
  EXPECT_EQ(describe(*plan_of({{x, 0}}, {{a, 0}, {x, 0}}).value()), "a(1)");        // a fetched feed
  const RefPtr<Plan> plan = plan_of({{x, 0}}, {{square, 0}}).take();
  EXPECT_EQ(describe(*plan), "a(1*) b(2*) square(3,3)");  // read twice by one node: released, not donated
  EXPECT(released_by(*plan, 2) == Slots{3});
  EXPECT_EQ(plan->nodes[2].reads_end - plan->nodes[2].reads_begin, 1);
  EXPECT_EQ(plan->nodes[2].pending, 1);
}

TINYTF_TEST(plan_shares_constants_and_never_donates_them) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* c = g.constant("c", floats({1, 2}));
  Node* folded = g.add("Neg", "folded", {{c, 0}});
  Node* y = g.add("Add", "y", {{x, 0}, {folded, 0}});
  const RefPtr<Plan> plan = plan_of({{x, 0}}, {{y, 0}, {folded, 0}}).take();
  EXPECT_EQ(describe(*plan), "y(1*,3)");
  EXPECT_EQ(plan->constants.size(), size_t{1});  // what nobody reads is not kept
  EXPECT_EQ(plan->slot_uses[3], -1);
  auto first = plan->take_slots(), second = plan->take_slots();
  EXPECT(first != second);
  EXPECT_EQ(first->slots.size(), static_cast<size_t>(plan->slot_count));
  EXPECT_EQ(first->slots[3].tensor.raw(), second->slots[3].tensor.raw());
  EXPECT(!first->slots[3].tensor.writable_in_place());
  EXPECT(!first->slots[1].tensor.valid());
  const StepSlots* returned = first.get();
  plan->return_slots(std::move(first));
  EXPECT_EQ(plan->take_slots().get(), returned);
}

TINYTF_TEST(plan_feeds_that_nobody_reads_are_not_stored) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* y = g.placeholder("y", {2}, DType::kInt32);
  Node* a = g.add("Neg", "a", {{x, 0}});
  const RefPtr<Plan> plan = plan_of({{y, 0}, {x, 0}, {a, 0}}, {{a, 0}}).take();
  EXPECT(plan->nodes.empty());
  EXPECT_EQ(plan->feed_slots[0], -1);
  EXPECT_EQ(plan->feed_slots[1], -1);
  EXPECT_EQ(plan->feed_slots[2], plan->fetch_slots[0]);
  EXPECT(plan->feed_types == (std::vector<DType>{DType::kInt32, DType::kFloat, DType::kFloat}));
}

TINYTF_TEST(plan_releases_outputs_that_nobody_reads) {
  GraphFixture g;
  Node* x = g.placeholder("x", {4});
  Node* axis = g.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = g.add("Split", "split", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  const RefPtr<Plan> plan = plan_of({{x, 0}}, {{split, 1}}).take();
  EXPECT(released_by(*plan, 0) == (Slots{plan->feed_slots[0], plan->nodes[0].first_output}));
  EXPECT_EQ(plan->fetch_slots[0], plan->nodes[0].first_output + 1);
  // A node with one output fed runs for the other, and its readers see what is fed.
  Node* sum = g.add("Sub", "sum", {{split, 0}, {split, 1}});
  const RefPtr<Plan> mixed = plan_of({{x, 0}, {split, 1}}, {{sum, 0}}).take();
  EXPECT_EQ(mixed->input_slots[mixed->nodes[1].first_input], mixed->nodes[0].first_output);
  EXPECT_EQ(mixed->input_slots[mixed->nodes[1].first_input + 1], mixed->feed_slots[1]);
}

TINYTF_TEST(plan_reads_references_where_values_are_wanted) {
  GraphFixture g;
  Node* v = g.variable("v", {2});
  Node* x = g.placeholder("x", {2});
  Node* assign = g.add("Assign", "assign", {{v, 0}, {x, 0}});
  Node* add = g.add("AssignAdd", "add", {{assign, 0}, {v, 0}});
  const RefPtr<Plan> plan = plan_of({{x, 0}}, {{add, 0}, {v, 0}}).take();
  EXPECT_EQ(plan->nodes.size(), size_t{3});
  const auto derefs = [&](size_t n) { return plan->nodes[n].derefs_end - plan->nodes[n].derefs_begin; };
  EXPECT_EQ(derefs(1), 0);  // Assign takes an uninitialised variable
  EXPECT_EQ(derefs(2), 2);  // AssignAdd wants it initialised, and its value
  const Deref& check = plan->derefs[plan->nodes[2].derefs_begin];
  const Deref& value = plan->derefs[plan->nodes[2].derefs_begin + 1];
  EXPECT_EQ(check.from, plan->nodes[1].first_output);
  EXPECT_EQ(check.to, -1);
  EXPECT_EQ(value.from, plan->nodes[0].first_output);
  EXPECT_EQ(plan->input_slots[plan->nodes[2].first_input + 1], value.to);
  // Fetched references are copied right after their node.
  EXPECT_EQ(plan->nodes[0].snapshots_end - plan->nodes[0].snapshots_begin, 1);
  EXPECT_EQ(plan->snapshots[plan->nodes[0].snapshots_begin].to, plan->fetch_slots[1]);
}

TINYTF_TEST(plan_counts_control_edges) {
  GraphFixture g;
  Node* first = g.add("NoOp", "first");
  Node* x = g.placeholder("x", {2});
  Node* a = g.add("Neg", "a", {{x, 0}}, {}, {first});
  Node* b = g.add("Exp", "b", {{a, 0}}, {}, {a, first});
  const RefPtr<Plan> plan = plan_of({{x, 0}}, {{b, 0}}).take();
  EXPECT(consumers_of(*plan, 0) == (Slots{1, 2}));
  EXPECT(consumers_of(*plan, 1) == Slots{2});  // one edge, whatever it stands for
  EXPECT_EQ(plan->nodes[2].pending, 2);
}

TINYTF_TEST(plan_sees_nodes_that_may_block_side_by_side) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  const auto call = [&](const std::string& name, Endpoint input, std::vector<Node*> controls = {}) {
    const std::vector<DType> floats{DType::kFloat};
    return g.add("PyFunc", name, {input}, {{"token", name}, {"Tin", floats}, {"Tout", floats}}, std::move(controls));
  };
  Node* a = call("a", {x, 0});
  Node* between = g.add("Neg", "between", {{a, 0}});
  Node* after = call("after", {between, 0});
  Node* last = call("last", {x, 0}, {after});
  Node* beside = call("beside", {x, 0}, {a});
  const auto may_wait = [&](const std::vector<Endpoint>& fetches) {
    return plan_of({{x, 0}}, fetches).take()->may_wait;
  };
  EXPECT(!may_wait({{a, 0}}));
  EXPECT(!may_wait({{last, 0}, {between, 0}}));
  EXPECT(!may_wait({{beside, 0}}));
  EXPECT(may_wait({{last, 0}, {beside, 0}}));
}

TINYTF_TEST(plan_fails_where_there_is_no_kernel) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2}, DType::kInt32);
  Node* y = g.add("Neg", "scope/y", {{x, 0}});
  Subgraph subgraph = prune({{x, 0}}, {{y, 0}}, {}).take();
  const auto none = [](const Node&) -> Result<std::shared_ptr<Kernel>> { return internal_error("none"); };
  EXPECT_EQ(build_plan(subgraph, {{x, 0}}, none).status().message(), "none\n\t [[{{node scope/y}}]]");
}

}  // namespace
}  // namespace tinytf
