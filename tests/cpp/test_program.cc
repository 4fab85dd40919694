#include "runtime/plan/program.h"

#include "op/op_registry.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

Result<Program> program_of(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                           const std::vector<Node*>& targets = {}) {
  Subgraph subgraph = prune(feeds, fetches, targets).take();
  fold_constants(subgraph, 10 << 20);
  eliminate_common_subexpressions(subgraph);
  return build_program(subgraph, feeds, testing::registered_kernel);
}

/// "y(1,2*)": the nodes in order with their input slots; a star marks the last use of an input.
std::string describe(const Program& program) {
  return str_join(program.nodes, " ", [&](const PlanNode& node) {
    std::string text = node.info->name;
    for (int i = 0; i < node.num_inputs(); ++i) {
      text +=
          str_cat(i == 0 ? "(" : ",", program.input_slots[node.first_input + i], (node.last_use >> i) & 1 ? "*" : "");
    }
    return node.num_inputs() == 0 ? text : text + ")";
  });
}

std::vector<int32_t> part(const std::vector<int32_t>& of, int32_t begin, int32_t end) {
  return {of.begin() + begin, of.begin() + end};
}

std::vector<int32_t> released_by(const Program& program, size_t n) {
  return part(program.releases, program.nodes[n].releases_begin, program.nodes[n].releases_end);
}

std::vector<int32_t> consumers_of(const Program& program, size_t u) {
  return part(program.consumers, program.units[u].consumers_begin, program.units[u].consumers_end);
}

using Slots = std::vector<int32_t>;

TINYTF_TEST(program_lays_out_slots_in_running_order) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* a = g.add("Neg", "a", {{x, 0}});
  Node* b = g.add("Exp", "b", {{x, 0}});
  Node* c = g.add("Sub", "c", {{a, 0}, {b, 0}});
  const Program program = program_of({{x, 0}}, {{c, 0}}).take();
  // Slot 0 is the placeholder's own output, slot 1 its fed value.
  EXPECT_EQ(describe(program), "a(1) b(1*) c(2*,3*)");
  EXPECT_EQ(program.slot_count, 5);
  EXPECT(program.feed_slots == Slots{1} && program.fetch_slots == Slots{4});
  EXPECT(program.feed_types == std::vector<DType>{DType::kFloat});
  EXPECT(released_by(program, 0).empty());
  EXPECT(released_by(program, 1) == Slots{1});
  EXPECT(released_by(program, 2) == (Slots{2, 3}));
  EXPECT(consumers_of(program, 0) == Slots{2} && consumers_of(program, 1) == Slots{2} &&
         consumers_of(program, 2).empty());
  EXPECT_EQ(program.units[0].pending, 0);
  EXPECT_EQ(program.units[2].pending, 2);
  EXPECT(program.slot_uses == (Slots{0, 2, 1, 1, 1}));
}

TINYTF_TEST(program_donates_nothing_that_is_still_needed) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* a = g.add("Neg", "a", {{x, 0}});
  Node* b = g.add("Exp", "b", {{a, 0}});
  Node* square = g.add("Mul", "square", {{b, 0}, {b, 0}});
  EXPECT_EQ(describe(program_of({{x, 0}}, {{b, 0}}).value()), "a(1*) b(2*)");
  EXPECT_EQ(describe(program_of({{x, 0}}, {{b, 0}, {a, 0}}).value()), "a(1*) b(2)");  // fetched
  EXPECT_EQ(describe(program_of({{x, 0}}, {{a, 0}, {x, 0}}).value()), "a(1)");        // a fetched feed
  const Program program = program_of({{x, 0}}, {{square, 0}}).take();
  EXPECT_EQ(describe(program), "a(1*) b(2*) square(3*,3)");  // An element-wise node may write over what it reads twice.
  EXPECT(released_by(program, 2) == Slots{3});
  EXPECT_EQ(program.units[2].reads_end - program.units[2].reads_begin, 1);
  EXPECT_EQ(program.units[2].pending, 1);
}

TINYTF_TEST(program_shares_constants_and_never_donates_them) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* c = g.constant("c", floats({1, 2}));
  Node* folded = g.add("Neg", "folded", {{c, 0}});
  Node* y = g.add("Add", "y", {{x, 0}, {folded, 0}});
  const Program program = program_of({{x, 0}}, {{y, 0}, {folded, 0}}).take();
  EXPECT_EQ(describe(program), "y(1*,3)");
  EXPECT_EQ(program.constants.size(), size_t{1});  // unused constants are dropped
  EXPECT_EQ(program.slot_uses[3], -1);
}

TINYTF_TEST(program_feeds_that_nobody_reads_are_not_stored) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* y = g.placeholder("y", {2}, DType::kInt32);
  Node* a = g.add("Neg", "a", {{x, 0}});
  const Program program = program_of({{y, 0}, {x, 0}, {a, 0}}, {{a, 0}}).take();
  EXPECT(program.nodes.empty());
  EXPECT_EQ(program.feed_slots[0], -1);
  EXPECT_EQ(program.feed_slots[1], -1);
  EXPECT_EQ(program.feed_slots[2], program.fetch_slots[0]);
  EXPECT(program.feed_types == (std::vector<DType>{DType::kInt32, DType::kFloat, DType::kFloat}));
}

TINYTF_TEST(program_releases_outputs_that_nobody_reads) {
  GraphFixture g;
  Node* x = g.placeholder("x", {4});
  Node* axis = g.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = g.add("Split", "split", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  const Program program = program_of({{x, 0}}, {{split, 1}}).take();
  EXPECT(released_by(program, 0) == (Slots{program.feed_slots[0], program.nodes[0].first_output}));
  EXPECT_EQ(program.fetch_slots[0], program.nodes[0].first_output + 1);
  // A node with one fed output runs for the other output, and consumers use the fed value.
  Node* sum = g.add("Sub", "sum", {{split, 0}, {split, 1}});
  const Program mixed = program_of({{x, 0}, {split, 1}}, {{sum, 0}}).take();
  EXPECT_EQ(mixed.input_slots[mixed.nodes[1].first_input], mixed.nodes[0].first_output);
  EXPECT_EQ(mixed.input_slots[mixed.nodes[1].first_input + 1], mixed.feed_slots[1]);
}

TINYTF_TEST(program_reads_references_where_values_are_wanted) {
  GraphFixture g;
  Node* v = g.variable("v", {2});
  Node* x = g.placeholder("x", {2});
  Node* assign = g.add("Assign", "assign", {{v, 0}, {x, 0}});
  Node* add = g.add("AssignAdd", "add", {{assign, 0}, {v, 0}});
  const Program program = program_of({{x, 0}}, {{add, 0}, {v, 0}}).take();
  EXPECT_EQ(program.nodes.size(), size_t{3});
  const auto derefs = [&](size_t n) { return program.nodes[n].derefs_end - program.nodes[n].derefs_begin; };
  EXPECT_EQ(derefs(1), 0);  // Assign accepts an uninitialized variable
  EXPECT_EQ(derefs(2), 2);  // AssignAdd needs it initialized, and its value
  const Deref& check = program.derefs[program.nodes[2].derefs_begin];
  const Deref& value = program.derefs[program.nodes[2].derefs_begin + 1];
  EXPECT_EQ(check.from, program.nodes[1].first_output);
  EXPECT_EQ(check.to, -1);
  EXPECT_EQ(value.from, program.nodes[0].first_output);
  EXPECT_EQ(program.input_slots[program.nodes[2].first_input + 1], value.to);
  // Fetched references are copied right after their node.
  EXPECT_EQ(program.nodes[0].snapshots_end - program.nodes[0].snapshots_begin, 1);
  EXPECT_EQ(program.snapshots[program.nodes[0].snapshots_begin].to, program.fetch_slots[1]);
}

TINYTF_TEST(program_counts_control_edges) {
  GraphFixture g;
  Node* first = g.add("NoOp", "first");
  Node* x = g.placeholder("x", {2});
  Node* a = g.add("Neg", "a", {{x, 0}}, {}, {first});
  Node* b = g.add("Exp", "b", {{a, 0}}, {}, {a, first});
  const Program program = program_of({{x, 0}}, {{b, 0}}).take();
  EXPECT(consumers_of(program, 0) == (Slots{1, 2}));
  EXPECT(consumers_of(program, 1) == Slots{2});  // several dependencies form one edge
  EXPECT_EQ(program.units[2].pending, 2);
}

TINYTF_TEST(program_sees_nodes_that_may_block_side_by_side) {
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
    return program_of({{x, 0}}, fetches).take().may_wait;
  };
  EXPECT(!may_wait({{a, 0}}));
  EXPECT(!may_wait({{last, 0}, {between, 0}}));
  EXPECT(!may_wait({{beside, 0}}));
  EXPECT(may_wait({{last, 0}, {beside, 0}}));
}

TINYTF_TEST(program_fails_where_there_is_no_kernel) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2}, DType::kInt32);
  Node* y = g.add("Neg", "scope/y", {{x, 0}});
  Subgraph subgraph = prune({{x, 0}}, {{y, 0}}, {}).take();
  const auto none = [](const SubgraphNode&) -> Result<std::shared_ptr<Kernel>> { return internal_error("none"); };
  EXPECT_EQ(build_program(subgraph, {{x, 0}}, none).status().message(), "none\n\t [[{{node scope/y}}]]");
}

TINYTF_TEST(program_has_nodes_that_a_pass_made) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* y = g.add("Neg", "y", {{x, 0}});
  Node* z = g.add("Exp", "z", {{y, 0}});
  Subgraph subgraph = prune({{x, 0}}, {{z, 0}}, {}).take();
  for (SubgraphNode& node : subgraph.nodes) {
    if (node.origin != y) continue;
    auto square = std::make_shared<NodeInfo>(*node.info);
    square->op = OpRegistry::global().find("Square");
    node.info = std::move(square);
  }
  const Program program = build_program(subgraph, {{x, 0}}, testing::registered_kernel).take();
  EXPECT_EQ(program.nodes[0].info->op->name, "Square");
  EXPECT_EQ(program.nodes[0].info->name, "y");
  EXPECT_EQ(y->op_name(), "Neg");
}

TINYTF_TEST(program_keeps_what_its_nodes_were) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* y = g.add("Neg", "y", {{x, 0}});
  const Program program = program_of({{x, 0}}, {{y, 0}}).take();
  const NodeInfo* before = y->info.get();
  g->set_device(y, "/cpu:0");
  EXPECT_EQ(y->info->device, "/cpu:0");
  EXPECT(program.nodes[0].info == before);
  EXPECT_EQ(program.nodes[0].info->device, "");
  EXPECT_EQ(g->find("y"), y);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
