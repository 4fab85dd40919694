#include "graph/passes/fold.h"

#include "graph/constant_value.h"
#include "services/function_calls.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

struct Over final : LoopStopCheck {
  bool is_over() override { return true; }
};

/// c → a → b → y, with a placeholder as y's second input.
struct Chain : GraphFixture {
  Node* c = constant("c", floats({1, 2}));
  Node* a = add("Neg", "a", {{c, 0}});
  Node* b = add("Neg", "b", {{a, 0}});
  Node* y = add("Add", "y", {{b, 0}, {placeholder("x", {2}), 0}});
  Subgraph subgraph = prune({}, {{y, 0}}, {}).take();

  SubgraphNode& find(const Node* node) {
    for (SubgraphNode& found : subgraph.nodes) {
      if (found.origin == node) return found;
    }
    check_failed("the node is there", __FILE__, __LINE__);
  }
};

TINYTF_TEST(folding_keeps_what_is_read) {
  Chain g;
  ConstantFolding folding(g.subgraph, 1000);
  EXPECT(folding.wanted() == std::vector<const Node*>{g.b});
  EXPECT(folding.compute(nullptr).ok());
  EXPECT(g.find(g.a).values && g.find(g.a).values->empty());
  EXPECT_EQ((*g.find(g.b).values)[0].data<float>()[1], 2.0f);
  EXPECT(!g.find(g.y).values);
  EXPECT_EQ(folding.kept().size(), size_t{1});
}

TINYTF_TEST(folding_takes_what_is_known) {
  Chain g;
  ConstantFolding folding(g.subgraph, 1000);
  const auto known = std::make_shared<const std::vector<Tensor>>(std::vector<Tensor>{floats({7, 8})});
  folding.know({{g.b, known}});
  EXPECT(folding.compute(nullptr).ok());
  EXPECT_EQ((*g.find(g.b).values)[0].data<float>()[1], 8.0f);
  EXPECT(folding.kept().at(g.b) == known);
}

TINYTF_TEST(folding_ends_with_its_watch_and_leaves_what_is_beyond_its_budget) {
  Chain g;
  Over over;
  EXPECT_EQ(ConstantFolding(g.subgraph, 1000).compute(nullptr, &over).code(), Code::kCancelled);
  EXPECT(!g.find(g.b).values);
  EXPECT(ConstantFolding(g.subgraph, 1000).compute(nullptr, nullptr, std::chrono::seconds(-1)).ok());
  EXPECT(!g.find(g.b).values);
}

std::vector<bool> all_of(const Subgraph& subgraph, bool value) {
  return std::vector<bool>(subgraph.nodes.size(), value);
}

TINYTF_TEST(folding_takes_shapes_that_are_known) {
  GraphFixture g;
  Node* x = g.placeholder("x", {4, 3});
  Node* y = g.add("Exp", "y", {{x, 0}});
  Node* size = g.add("Size", "size", {{y, 0}});
  Node* twice = g.add("Add", "twice", {{size, 0}, {size, 0}});
  const auto value_of = [&](bool knows_shapes) {
    Subgraph subgraph = prune({}, {{twice, 0}}, {}).take();
    EXPECT(ConstantFolding(subgraph, 1000, all_of(subgraph, knows_shapes)).compute(nullptr).ok());
    EXPECT(!subgraph.nodes[1].values);
    const SubgraphNode& last = subgraph.nodes.back();
    return last.values ? (*last.values)[0].int_at(0) : -1;
  };
  EXPECT_EQ(value_of(true), int64_t{24});
  EXPECT_EQ(value_of(false), int64_t{-1});
  EXPECT_OK(g->update_input(y, 0, {g.placeholder("other", {2}), 0}));
  EXPECT_EQ(value_of(true), int64_t{-1});
}

TINYTF_TEST(folding_takes_no_shapes_of_references) {
  GraphFixture g;
  Node* v = g.variable("v", {4});
  Node* size = g.add("Size", "size", {{v, 0}});
  Subgraph subgraph = prune({}, {{size, 0}}, {}).take();
  EXPECT(ConstantFolding(subgraph, 1000, all_of(subgraph, true)).compute(nullptr).ok());
  EXPECT(!subgraph.nodes[1].values);
  Subgraph fed = prune({{v, 0}}, {{size, 0}}, {}).take();
  EXPECT(ConstantFolding(fed, 1000, all_of(fed, true)).compute(nullptr).ok());
  EXPECT_EQ((*fed.nodes[1].values)[0].int_at(0), int64_t{4});
}

TINYTF_TEST(folding_keeps_the_inputs_of_what_is_not_finite) {
  GraphFixture g;
  Node* c = g.constant("c", floats({-1, 2}));
  Node* bad = g.add("Log", "bad", {{c, 0}});
  Node* worse = g.add("Neg", "worse", {{bad, 0}});
  Subgraph subgraph = prune({}, {{worse, 0}}, {}).take();
  ConstantFolding folding(subgraph, 1000);
  EXPECT(folding.compute(nullptr).ok());
  for (const SubgraphNode& node : subgraph.nodes) EXPECT(!node.values->empty());
  EXPECT(folding.kept().empty());
}

/// A branch with a constant, a function of it, and a function of that.
struct Calls : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* branch = testing::add_switch(*this, "branch", {p, 0}, {p, 0});
  Node* pivot = add("Identity", "pivot", {{branch, 1}});
  Node* c = add("Const", "c", {}, {{"value", floats({1, 2})}, {"dtype", DType::kFloat}}, {pivot});
  Node* a = add("Neg", "a", {{c, 0}});

  Node* call(const std::string& name, Node* input) {
    NodeRequest request;
    request.op = "PyFuncStateless";
    request.name = name;
    request.inputs = {{input, 0}};
    request.group_sizes = {1};
    request.attrs.set("token", name);
    request.attrs.set("Tout", std::vector<DType>{DType::kFloat});
    return (*this)->add_node(std::move(request)).take();
  }
  const SubgraphNode& folded(Node* node, int64_t step_id = 1) {
    called.clear();
    set_function_caller([](const FunctionCall& function, std::vector<Tensor>& results) {
      called += function.token + ";";
      if (function.token == "fails") return Status(Code::kOutOfRange, "the end");
      results.push_back(*function.inputs[0].value);
      return Status();
    });
    subgraph = prune({}, {{node, 0}}, {}).take();
    ConstantFolding folding(subgraph, 1000);
    EXPECT_OK(folding.compute(nullptr, nullptr, std::chrono::hours(1), step_id));
    EXPECT(folding.kept().empty());
    set_function_caller([](const FunctionCall&, std::vector<Tensor>&) { return failed_precondition("no caller"); });
    return subgraph.nodes[static_cast<size_t>(subgraph.fetches[0].node)];
  }
  static std::string called;
  Subgraph subgraph;
};
std::string Calls::called;

TINYTF_TEST(folding_puts_constants_that_wait_in_place_of_functions) {
  Calls g;
  const SubgraphNode& found = g.folded(g.call("f", g.a));
  EXPECT_EQ(Calls::called, "f;");
  EXPECT_EQ(attr_value(*found.info)->data<float>()[1], -2.0f);
  EXPECT_EQ(found.control_inputs.size(), size_t{1});
  EXPECT_EQ(g.subgraph.nodes[found.control_inputs[0]].origin, g.pivot);
  for (const SubgraphNode& node : g.subgraph.nodes) EXPECT(!node.values);  // other nodes are unchanged
}

TINYTF_TEST(folding_calls_functions_of_functions) {
  Calls g;
  const SubgraphNode& found = g.folded(g.call("g", g.add("Neg", "between", {{g.call("f", g.a), 0}})));
  EXPECT_EQ(Calls::called, "f;g;");
  EXPECT_EQ(attr_value(*found.info)->data<float>()[1], 2.0f);
  EXPECT_EQ(found.control_inputs.size(), size_t{1});
}

TINYTF_TEST(folding_leaves_functions_that_fail_and_those_in_no_step) {
  Calls g;
  Node* fails = g.call("fails", g.a);
  EXPECT_EQ(g.folded(fails).info, fails->info);
  EXPECT_EQ(Calls::called, "fails;");
  Node* f = g.call("f", g.a);
  EXPECT_EQ(g.folded(f, 0).info, f->info);
  EXPECT_EQ(Calls::called, "");
  for (const SubgraphNode& node : g.subgraph.nodes) EXPECT(!node.values);
}

TINYTF_TEST(folding_leaves_functions_that_yield_nans_for_who_asks_where_they_came_from) {
  Calls g;
  Node* bad = g.call("f", g.add("Log", "log", {{g.a, 0}}));
  EXPECT_EQ(g.folded(bad).info, bad->info);
  EXPECT_EQ(Calls::called, "f;");
}

TINYTF_TEST(folding_leaves_what_waits_where_no_function_needs_it) {
  Calls g;
  EXPECT_EQ(g.folded(g.a).info, g.a->info);
  (void)g.folded(g.add("Add", "sum", {{g.call("f", g.c), 0}, {g.a, 0}}));
  EXPECT_EQ(Calls::called, "f;");
  for (const SubgraphNode& node : g.subgraph.nodes) EXPECT(node.info == node.origin->info || node.info->name == "f");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
