#include "runtime/plan/bytecode_units.h"

#include "tests/cpp/control.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::scalar;
using Fixture = testing::ExecutorFixture;

/// "a,b <0": a unit of nodes a and b that waits for unit 0; units with bytecode are in brackets.
std::string text_of(const Program& program) {
  std::vector<std::string> waits(program.units.size());
  for (size_t u = 0; u < program.units.size(); ++u) {
    for (int32_t i = program.units[u].consumers_begin; i < program.units[u].consumers_end; ++i) {
      waits[program.consumers[i]] += str_cat(" <", u);
    }
  }
  std::string text;
  for (size_t u = 0; u < program.units.size(); ++u) {
    const Unit& unit = program.units[u];
    std::string nodes;
    for (int32_t n = unit.begin; n < unit.end; ++n) {
      nodes += str_cat(n > unit.begin ? "," : "", program.nodes[n].info->name);
    }
    text += str_cat(u > 0 ? "; " : "", unit.is_code ? str_cat("[", nodes, "]") : nodes, waits[u]);
  }
  return text;
}

struct Branches : Fixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* q = placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar(), DType::kInt32);
  Node* before = add("Neg", "before", {{x, 0}});

  Node* branch(const std::string& name, Endpoint of, Node* predicate) {
    Node* const either = add_switch(*this, name, of, {predicate, 0});
    Node* const no = add("Neg", name + "_no", {{either, 0}});
    Node* const yes = add("Square", name + "_yes", {{either, 1}});
    return add_merge(*this, name + "_merge", {{no, 0}, {yes, 0}});
  }
};

TINYTF_TEST(bytecode_units_are_nodes_and_the_branches_of_a_predicate) {
  Branches f;
  Node* one = f.branch("b", {f.before, 0}, f.p);
  Node* other = f.branch("c", {f.before, 0}, f.q);
  Node* after = f.add("Add", "after", {{one, 0}, {other, 0}});
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.q, 0}, {f.x, 0}}, {{after, 0}});
  EXPECT_EQ(text_of(plan->program()), "before; [b_no,b_yes] <0; [c_no,c_yes] <0; after <1 <2");
}

TINYTF_TEST(bytecode_units_are_loops) {
  Fixture f;
  Node* start = f.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* limit = f.placeholder("limit", PartialShape::scalar(), DType::kInt32);
  Node* one = f.constant("one", scalar(1));
  Node* before = f.add("Neg", "before", {{limit, 0}});
  const CountingLoop loop(f, "l", {start, 0}, {before, 0}, {one, 0});
  Node* after = f.add("Neg", "after", {{loop.exit, 0}});
  const RefPtr<Plan> plan = f.plan({{start, 0}, {limit, 0}}, {{after, 0}});
  EXPECT_EQ(text_of(plan->program()), "before; [l/less,l/sum] <0; after <1");
}

TINYTF_TEST(bytecode_units_wait_for_what_silent_nodes_wait_for) {
  Branches f;
  Node* merge = f.branch("b", {f.x, 0}, f.p);
  Node* waits = f.add("Identity", "waits", {{f.q, 0}});
  f->add_control_input(f->find("b"), f.before);  // a dependency of the branches
  f->add_control_input(waits, f->find("b"));     // on the Switch, and thus on its dependencies
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.q, 0}, {f.x, 0}}, {{merge, 0}, {waits, 0}});
  EXPECT_EQ(text_of(plan->program()), "before; waits <0; [b_no,b_yes] <0");
}

TINYTF_TEST(bytecode_units_give_silent_nodes_of_many_a_place) {
  Branches f;
  Node* merge = f.branch("b", {f.x, 0}, f.p);
  std::string expected;
  for (int i = 0; i < 9; ++i) {
    const std::string name = str_cat("n", i);
    f->add_control_input(f->find("b"), f.add("Square", name, {{f.x, 0}}));
    expected += name + "; ";
  }
  std::vector<Endpoint> fetches{{merge, 0}};
  for (int i = 0; i < 9; ++i) fetches.push_back({f->find(str_cat("n", i)), 0});
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.x, 0}}, fetches);
  EXPECT_EQ(text_of(plan->program()), expected + " <0 <1 <2 <3 <4 <5 <6 <7 <8; [b_no,b_yes] <9");
}

TINYTF_TEST(bytecode_units_run_at_the_same_time) {
  Branches f;
  std::vector<Endpoint> all;
  for (int i = 0; i < 8; ++i) {
    all.push_back({f.branch(str_cat("b", i), {f.before, 0}, i % 2 == 0 ? f.p : f.q), 0});
  }
  Node* sum = f.add_list("AddN", "sum", all);
  const RefPtr<Plan> plan = f.plan({{f.p, 0}, {f.q, 0}, {f.x, 0}}, {{sum, 0}});
  EXPECT(plan->program().code != nullptr);
  for (int i = 0; i < 100; ++i) {
    testing::for_each_way(*plan, [&] {
      EXPECT_OK(f.run(*plan, {Tensor::scalar(true), Tensor::scalar(false), scalar(3)}));
      EXPECT_EQ(f.fetches[0].data<int32_t>()[0], 4 * 9 + 4 * 3);
    });
  }
}

TINYTF_TEST(nodes_run_in_turn_if_one_waits_for_the_other_or_excludes_it) {
  Branches f;
  Node* merge = f.branch("b", {f.before, 0}, f.p);
  Node* apart = f.add("Square", "apart", {{f.x, 0}});
  const testing::Control control({{merge, 0}, {apart, 0}});
  const Subgraph& subgraph = control.subgraph;
  const auto in_turn = [&](std::vector<std::string> names) {
    std::vector<int> nodes;
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (std::count(names.begin(), names.end(), subgraph.nodes[i].info->name) > 0)
        nodes.push_back(static_cast<int>(i));
    }
    return run_in_turn(control.structure, nodes);
  };
  EXPECT(in_turn({"before", "b_no"}));
  EXPECT(in_turn({"b_yes", "b_no"}));
  EXPECT(in_turn({"before", "b_no", "b_yes"}));
  EXPECT(!in_turn({"apart", "b_no"}));
  EXPECT(!in_turn({"before", "apart"}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
