#include "graph/passes/frames.h"
#include "runtime/plan/bytecode.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_enter;
using testing::add_merge;
using testing::add_switch;

struct Branches : testing::ExecutorFixture {
  Node* x = placeholder("x", PartialShape::scalar());
  Node* q = placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* no = constant("no", Tensor::scalar(false));
  /// A default value that is not fed.
  Node* p = add("PlaceholderWithDefault", "p", {{no, 0}}, {{"dtype", DType::kBool}, {"shape", PartialShape::scalar()}});

  Subgraph cut(const std::vector<Endpoint>& fetches, const std::vector<Node*>& targets = {},
               const std::vector<Endpoint>& feeds = {}) {
    std::vector<Endpoint> all{{x, 0}, {q, 0}};
    all.insert(all.end(), feeds.begin(), feeds.end());
    Subgraph subgraph = prune(all, fetches, targets).take();
    cut_known_branches(subgraph);
    return subgraph;
  }
  /// The names of the remaining nodes, in order.
  static std::string names(const Subgraph& subgraph) {
    std::string names;
    for (const SubgraphNode& node : subgraph.nodes) {
      if (node.runs() && node.feeds.empty()) names += (names.empty() ? "" : " ") + node.info->name;
    }
    return names;
  }
  static bool has_branches(const Subgraph& subgraph) {
    return std::any_of(subgraph.nodes.begin(), subgraph.nodes.end(), [](const SubgraphNode& node) {
      return node.control_flow() == ControlFlow::kSwitch || node.control_flow() == ControlFlow::kMerge;
    });
  }
  /// x · x or -x, depending on the predicate.
  Node* choose(const std::string& name, Endpoint predicate) {
    Node* data = add_switch(*this, name + "/data", {x, 0}, predicate);
    Node* square = add("Square", name + "/square", {{data, 1}});
    Node* negative = add("Neg", name + "/negative", {{data, 0}});
    return add_merge(*this, name, {{negative, 0}, {square, 0}});
  }
  float value(const Subgraph& subgraph, float given, bool decides = false) {
    const std::vector<Endpoint> feeds{{x, 0}, {q, 0}};
    const RefPtr<Plan> plan = testing::build_plan(subgraph, feeds).take();
    EXPECT_OK(run(*plan, {Tensor::scalar(given), Tensor::scalar(decides)}));
    return fetches.at(0).data<float>()[0];
  }
};

TINYTF_TEST(known_branches_are_cut) {
  Branches g;
  Node* same = g.add("Identity", "same", {{g.p, 0}});
  Node* y = g.choose("y", {g.add("LogicalNot", "opposite", {{same, 0}}), 0});
  const Subgraph subgraph = g.cut({{y, 0}});
  EXPECT_EQ(g.names(subgraph), "no p same opposite y/square");
  EXPECT_EQ(g.value(subgraph, 3), 9.0f);
  EXPECT(g.has_branches(g.cut({{y, 0}}, {}, {{g.p, 0}})));  // fed, so that the value is unknown
}

TINYTF_TEST(known_branches_in_others_and_around_them) {
  Branches g;
  Node* outer = add_switch(g, "outer", {g.x, 0}, {g.q, 0});
  Node* known = add_switch(g, "known", {g.p, 0}, {g.q, 0});  // p inside the branch
  Node* inner = add_switch(g, "inner", {outer, 1}, {known, 1});
  Node* square = g.add("Square", "square", {{inner, 1}});
  Node* negative = g.add("Neg", "negative", {{inner, 0}});
  Node* joined = add_merge(g, "joined", {{negative, 0}, {square, 0}});
  Node* y = add_merge(g, "y", {{outer, 0}, {joined, 0}});
  const Subgraph subgraph = g.cut({{y, 0}});
  EXPECT_EQ(g.names(subgraph).find("square"), std::string::npos);
  EXPECT_EQ(g.value(subgraph, 3, true), -3.0f);
  EXPECT_EQ(g.value(subgraph, 3, false), 3.0f);
  Node* by_q = g.choose("by_q", {g.q, 0});
  Node* around = add_switch(g, "around", {by_q, 0}, {g.p, 0});
  const Subgraph left = g.cut({{g.add("Neg", "z", {{around, 0}}), 0}});
  EXPECT_EQ(g.value(left, 3, true), -9.0f);
}

TINYTF_TEST(known_branches_tell_which_input_it_was) {
  Branches g;
  Node* y = g.choose("y", {g.p, 0});
  Subgraph subgraph = g.cut({{y, 1}});
  EXPECT(!g.has_branches(subgraph));
  const RefPtr<Plan> plan = testing::build_plan(subgraph, {{g.x, 0}, {g.q, 0}}).take();
  EXPECT_OK(g.run(*plan, {Tensor::scalar(3.0f), Tensor::scalar(true)}));
  EXPECT_EQ(g.fetches.at(0).data<int32_t>()[0], 0);
}

TINYTF_TEST(known_branches_leave_what_leads_to_the_other_one) {
  Branches g;
  Node* v = g.add("VarHandleOp", "v", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape::scalar()}});
  Node* changed = g.add("AssignAddVariableOp", "changed", {{v, 0}, {g.x, 0}});
  Node* waits = g.add("Neg", "waits", {{g.x, 0}}, {}, {changed});
  Node* data = add_switch(g, "data", {waits, 0}, {g.p, 0});
  Node* y = add_merge(g, "y", {{g.x, 0}, {g.add("Square", "square", {{data, 1}}), 0}});
  EXPECT_EQ(g.names(g.cut({{y, 0}})), "no p v changed waits");
}

TINYTF_TEST(known_branches_with_dead_targets_and_fetches) {
  Branches g;
  Node* data = add_switch(g, "data", {g.x, 0}, {g.p, 0});
  Node* square = g.add("Square", "square", {{data, 1}});
  Node* negative = g.add("Neg", "negative", {{data, 0}});
  Subgraph subgraph = g.cut({{negative, 0}}, {square, negative});
  EXPECT_EQ(subgraph.targets[0], -1);
  EXPECT_EQ(subgraph.targets[1], subgraph.fetches[0].node);
  EXPECT_EQ(g.value(subgraph, 3), -3.0f);
  EXPECT(g.has_branches(g.cut({{square, 0}, {negative, 0}})));  // the error is reported as before
}

TINYTF_TEST(known_branches_wait_for_what_they_waited_for) {
  Branches g;
  Node* first = g.add("NoOp", "first");
  Node* data = g.add("Switch", "data", {{g.x, 0}, {g.p, 0}}, {}, {first});
  Node* y = add_merge(g, "y", {{g.add("Neg", "negative", {{data, 0}}), 0}, {data, 1}});
  const Subgraph subgraph = g.cut({{y, 0}});
  EXPECT_EQ(g.names(subgraph), "no p first data negative");
  const auto found = std::find_if(subgraph.nodes.begin(), subgraph.nodes.end(),
                                  [](const SubgraphNode& node) { return node.info->name == "data"; });
  EXPECT_EQ(found->control_inputs.size(), size_t{1});
}

TINYTF_TEST(known_branches_within_loops) {
  Branches g;
  Node* start = g.constant("start", testing::scalar(0));
  Node* limit = g.constant("limit", testing::scalar(5));
  Node* one = g.constant("one", testing::scalar(1));
  testing::CountingLoop loop(g, "l", {start, 0}, {limit, 0}, {one, 0});
  Node* entered = add_enter(g, "l/p", {g.p, 0}, "l", true);
  Node* data = add_switch(g, "l/data", {loop.sum, 0}, {entered, 0});
  Node* twice = g.add("Add", "l/twice", {{data, 0}, {data, 0}});
  Node* joined = add_merge(g, "l/joined", {{twice, 0}, {data, 1}});
  EXPECT_OK(g->update_input(loop.next, 0, {joined, 0}));
  const Subgraph subgraph = g.cut({{loop.exit, 0}});
  EXPECT_EQ(g.names(subgraph).find("joined"), std::string::npos);
  EXPECT_EQ(subgraph.back_edges.size(), size_t{1});
  const RefPtr<Plan> plan = testing::build_plan(subgraph, {{g.x, 0}, {g.q, 0}}).take();
  EXPECT(plan->program().code != nullptr && plan->program().code->loops.size() == 1);
  EXPECT_OK(g.run(*plan, {Tensor::scalar(3.0f), Tensor::scalar(true)}));
  EXPECT_EQ(g.fetches.at(0).data<int32_t>()[0], 6);  // 0, 2, 6
}

TINYTF_TEST(known_branches_take_whole_loops_with_them) {
  Branches g;
  Node* one = g.constant("one", testing::scalar(1));
  Node* n = g.placeholder("n", PartialShape::scalar(), DType::kInt32);
  Node* data = add_switch(g, "data", {n, 0}, {g.p, 0});
  Node* unit = add_switch(g, "unit", {one, 0}, {g.p, 0});
  const testing::CountingLoop loop(g, "l", {unit, 1}, {data, 1}, {unit, 1});
  Node* y = add_merge(g, "y", {{data, 0}, {loop.exit, 0}});
  Subgraph subgraph = prune({{n, 0}}, {{y, 0}}, {}).take();
  cut_known_branches(subgraph);
  EXPECT(subgraph.back_edges.empty() && !has_control_flow(subgraph));
}

TINYTF_TEST(known_branches_that_are_wired_otherwise_stay) {
  Branches g;
  Node* data = add_switch(g, "data", {g.x, 0}, {g.p, 0});
  Node* three = add_merge(g, "three", {{g.x, 0}, {data, 0}, {data, 1}});
  EXPECT(g.has_branches(g.cut({{three, 0}})));
  Node* start = g.constant("start", testing::scalar(0));
  Node* in_part = add_switch(g, "in_part", {start, 0}, {g.p, 0});
  const testing::CountingLoop loop(g, "l", {start, 0}, {in_part, 1}, {start, 0});
  EXPECT(g.has_branches(g.cut({{loop.exit, 0}})));
}

TINYTF_TEST(known_branches_are_bounded_in_what_they_compute) {
  Branches g;
  Node* large = g.constant("large", testing::tensor<float>({100'000}, std::vector<float>(100'000, 1.0f)));
  Node* axis = g.constant("axis", testing::ints({0}));
  Node* sum = g.add("Sum", "sum", {{large, 0}, {axis, 0}});
  Node* limit = g.constant("limit", Tensor::scalar(5.0f));
  Node* y = g.choose("y", {g.add("Greater", "greater", {{sum, 0}, {limit, 0}}), 0});
  EXPECT(g.has_branches(g.cut({{y, 0}})));
  Subgraph folded = prune({{g.x, 0}}, {{y, 0}}, {}).take();
  fold_constants(folded, 10 << 20);
  cut_known_branches(folded);
  EXPECT(!g.has_branches(folded));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
