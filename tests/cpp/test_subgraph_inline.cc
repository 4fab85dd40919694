#include "graph/passes/subgraph.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::body_of;
using testing::call;
using testing::GraphFixture;

Result<Subgraph> inlined(GraphFixture& g, const std::vector<Endpoint>& feeds, Node* fetch) {
  const auto lock = g->lock();
  TINYTF_ASSIGN_OR_RETURN(Subgraph subgraph, prune(feeds, {{fetch, 0}}, {}));
  TINYTF_RETURN_IF_ERROR(inline_functions(subgraph, *g));
  return subgraph;
}

/// "name: op(inputs, ^controls)" for each node that runs.
std::string text(const Subgraph& subgraph) {
  std::string all;
  for (const SubgraphNode& node : subgraph.nodes) {
    if (node.removed || node.values) continue;
    std::vector<std::string> inputs;
    for (const auto& input : node.inputs) inputs.push_back(subgraph.nodes[input.node].info->name);
    for (const int control : node.control_inputs) inputs.push_back("^" + subgraph.nodes[control].info->name);
    all += str_cat(node.info->name, ": ", node.info->op->name, "(",
                   str_join(inputs, ", ", [](const std::string& input) { return input; }), ")\n");
  }
  return all;
}

TINYTF_TEST(inlined_functions_stand_where_they_are_called) {
  GraphFixture g;
  EXPECT_OK(g->add_function("double", testing::doubling()));
  Node* x = g.placeholder("x");
  Node* first = call(g, "first", "double", {{x, 0}});
  Node* second = call(g, "second", "double", {{first, 0}});
  EXPECT_EQ(text(inlined(g, {{x, 0}}, second).value()),
            "first/sum: Add(x, x)\n"
            "first: IdentityN(first/sum)\n"
            "second/sum: Add(first, first)\n"
            "second: IdentityN(second/sum)\n");
}

TINYTF_TEST(inlined_bodies_wait_as_the_call_does_and_results_for_what_they_do) {
  GraphFixture f;
  Node* a = f.placeholder("a");
  Node* one = f.constant("one", Tensor::scalar(1.0f));
  Node* done = f.add("NoOp", "done", {}, {}, {one});
  Node* sum = f.add("Add", "sum", {{a, 0}, {one, 0}});
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}}, {{sum, 0}, {a, 0}}, {done})));
  Node* x = g.placeholder("x");
  Node* before = g.add("NoOp", "before");
  Node* y = call(g, "y", "f", {{x, 0}}, 2, {before});
  EXPECT_EQ(text(inlined(g, {{x, 0}}, y).value()),
            "before: NoOp()\n"
            "y/one: Const(^before)\n"
            "y/done: NoOp(^y/one)\n"
            "y/sum: Add(x, y/one)\n"
            "y: IdentityN(y/sum, x, ^before, ^y/done)\n");
}

TINYTF_TEST(inlined_arguments_that_nobody_reads_are_not_made) {
  GraphFixture f;
  Node* a = f.placeholder("a");
  Node* unused = f.placeholder("unused");
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}, {unused, 0}}, {{a, 0}})));
  Node* x = g.placeholder("x");
  Node* waste = g.add("Neg", "waste", {{x, 0}});
  EXPECT_EQ(text(inlined(g, {{x, 0}}, call(g, "y", "f", {{x, 0}, {waste, 0}})).value()), "y: IdentityN(x)\n");
}

TINYTF_TEST(inlined_functions_get_what_variables_hold_at_the_call) {
  GraphFixture g;
  EXPECT_OK(g->add_function("double", testing::doubling()));
  Node* v = g.variable("v", PartialShape({1}));
  EXPECT_EQ(text(inlined(g, {}, call(g, "y", "double", {{v, 0}})).value()),
            "v: VariableV2()\n"
            "y: Identity(v)\n"
            "y/sum: Add(y, y)\n"
            "y: IdentityN(y/sum)\n");
}

TINYTF_TEST(inlined_functions_of_functions_are_named_after_all_calls) {
  GraphFixture f;
  EXPECT_OK(f->add_function("double", testing::doubling()));
  Node* a = f.placeholder("a");
  Node* inner = call(f, "inner", "double", {{a, 0}});
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}}, {{inner, 0}})));
  Node* x = g.placeholder("x");
  const Subgraph found = inlined(g, {{x, 0}}, call(g, "y", "f", {{x, 0}})).take();
  EXPECT_EQ(text(found),
            "y/inner/sum: Add(x, x)\n"
            "y/inner: IdentityN(y/inner/sum)\n"
            "y: IdentityN(y/inner)\n");
  const SubgraphNode& sum = found.nodes[found.fetches[0].node - 2];
  EXPECT_EQ(sum.call->call->name(), "inner");
  EXPECT_EQ(sum.call->caller->call->name(), "y");
}

TINYTF_TEST(calls_without_end_stay_calls) {
  GraphFixture f;
  Node* a = f.placeholder("a");
  Node* again = call(f, "again", "f", {{a, 0}});
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}}, {{again, 0}})));
  Node* x = g.placeholder("x");
  EXPECT_EQ(text(inlined(g, {{x, 0}}, call(g, "y", "f", {{x, 0}})).value()),
            "y/again: PartitionedCall(x)\n"
            "y: IdentityN(y/again)\n");
}

TINYTF_TEST(calls_that_double_stay_small) {
  GraphFixture g;
  testing::add_doublings(g, "last", 30);
  Node* x = g.placeholder("x");
  const auto found = inlined(g, {{x, 0}}, call(g, "y", "last", {{x, 0}}));
  EXPECT_OK(found.status());
  EXPECT(found.value().nodes.size() < 250'000);
}

TINYTF_TEST(inlined_functions_must_fit_their_calls) {
  GraphFixture g;
  EXPECT_OK(g->add_function("double", testing::doubling()));
  Node* x = g.placeholder("x");
  const auto error = [&](Node* node) { return inlined(g, {}, node).status().message(); };
  EXPECT_EQ(error(call(g, "a", "double", {})), "Function double has 1 args, not 0\n\t [[{{node a}}]]");
  EXPECT_EQ(error(call(g, "b", "double", {{x, 0}}, 2)), "Function double has 1 results, not 2\n\t [[{{node b}}]]");
  EXPECT_EQ(error(call(g, "c", "triple", {{x, 0}})), "Function triple is not defined.\n\t [[{{node c}}]]");
  Node* n = g.constant("n", Tensor::scalar<int32_t>(1));
  Node* other = g.add("PartitionedCall", "d", {{n, 0}},
                      {{"Tin", std::vector<DType>{DType::kInt32}},
                       {"Tout", std::vector<DType>{DType::kFloat}},
                       {"f", FuncRef{"double", {}}}});
  EXPECT_EQ(error(other), "Expects arg[0] of function double to be float but int32 is provided\n\t [[{{node d}}]]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
