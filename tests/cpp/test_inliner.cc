#include "graph/passes/inliner.h"

#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/functions.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::body_of;
using testing::GraphFixture;

/// Branches and loops of functions of one float.
struct Functions : testing::ExecutorFixture {
  Node* x = placeholder("x", PartialShape::scalar());

  /// Defines x → op(x, value), or op(x).
  void define(const std::string& name, const std::string& op, std::optional<float> value = std::nullopt,
              bool yields_bool = false) {
    GraphFixture f;
    Node* a = f.placeholder("a", PartialShape::scalar());
    std::vector<Endpoint> inputs{{a, 0}};
    if (value) inputs.push_back({f.constant("value", Tensor::scalar(*value)), 0});
    Node* y = f.add(op, "y", inputs);
    EXPECT(yields_bool == (y->info->outputs[0].dtype == DType::kBool));
    EXPECT_OK((*this)->add_function(name, body_of(f, {{a, 0}}, {{y, 0}})));
  }
  Node* choose(const char* op, const std::string& name, Endpoint choice, const std::vector<std::string>& functions) {
    const std::vector<DType> types{DType::kFloat};
    std::vector<std::pair<std::string, AttrValue>> attrs{{"Tin", types}, {"Tout", types}};
    if (functions.size() == 2) {
      attrs.push_back({"Tcond", choice.node->info->outputs[0].dtype});
      attrs.push_back({"then_branch", FuncRef{functions[0], {}}});
      attrs.push_back({"else_branch", FuncRef{functions[1], {}}});
    } else {
      std::vector<FuncRef> branches;
      for (const std::string& function : functions) branches.push_back({function, {}});
      attrs.push_back({"branches", branches});
    }
    return add(op, name, {choice, {x, 0}}, std::move(attrs));
  }
  Node* repeat(const std::string& name, const std::string& cond, const std::string& body) {
    return add("StatelessWhile", name, {{x, 0}},
               {{"T", std::vector<DType>{DType::kFloat}}, {"cond", FuncRef{cond, {}}}, {"body", FuncRef{body, {}}}});
  }
  Result<Subgraph> inlined(const std::vector<Endpoint>& feeds, Node* fetch) {
    TINYTF_ASSIGN_OR_RETURN(Subgraph subgraph, prune(feeds, {{fetch, 0}}, {}));
    const auto lock = (*this)->lock();
    TINYTF_RETURN_IF_ERROR(Inliner(subgraph, **this).run());
    return subgraph;
  }
  /// The value of `node`; checks that bytecode and the dataflow machine agree.
  float value(Node* node, float given, std::optional<std::pair<Node*, Tensor>> more = std::nullopt) {
    std::vector<Endpoint> feeds{{x, 0}};
    std::vector<Tensor> values{Tensor::scalar(given)};
    if (more) {
      feeds.push_back({more->first, 0});
      values.push_back(more->second);
    }
    std::optional<float> found;
    for (const bool compiles : {true, false}) {
      Subgraph subgraph = inlined(feeds, node).take();
      const RefPtr<Plan> plan = build_plan(subgraph, feeds, testing::registered_kernel, compiles).take();
      EXPECT_OK(run(*plan, values));
      const float yielded = fetches.at(0).data<float>()[0];
      EXPECT(!found || *found == yielded);
      found = yielded;
    }
    return *found;
  }
  /// The number of remaining nodes with this op.
  static int count(const Subgraph& subgraph, const std::string& op) {
    return static_cast<int>(std::count_if(subgraph.nodes.begin(), subgraph.nodes.end(), [&](const SubgraphNode& node) {
      return !node.removed && node.info->op->name == op;
    }));
  }
};

TINYTF_TEST(inlined_branches_are_chosen_by_what_counts_as_true) {
  Functions g;
  g.define("twice", "Mul", 2.0f);
  g.define("negative", "Neg");
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* y = g.choose("StatelessIf", "y", {p, 0}, {"twice", "negative"});
  EXPECT_EQ(g.value(y, 3, {{p, Tensor::scalar(true)}}), 6.0f);
  EXPECT_EQ(g.value(y, 3, {{p, Tensor::scalar(false)}}), -3.0f);
  const Subgraph whole = g.inlined({{g.x, 0}, {p, 0}}, y).take();
  EXPECT_EQ(g.count(whole, "Merge"), 1);
  EXPECT_EQ(g.count(whole, "ToBool"), 0);
  Node* n = g.placeholder("n", {}, DType::kInt32);
  Node* z = g.choose("If", "z", {n, 0}, {"twice", "negative"});
  EXPECT_EQ(g.value(z, 3, {{n, Tensor::scalar<int32_t>(7)}}), 6.0f);
  EXPECT_EQ(g.value(z, 3, {{n, Tensor::scalar<int32_t>(0)}}), -3.0f);
  EXPECT_EQ(g.count(g.inlined({{g.x, 0}, {n, 0}}, z).take(), "ToBool"), 1);
}

TINYTF_TEST(inlined_cases_go_to_the_last_branch_for_numbers_without_one) {
  Functions g;
  for (int i = 0; i < 4; ++i) g.define(str_cat("times", i), "Mul", static_cast<float>(i + 2));
  Node* i = g.placeholder("i", PartialShape::scalar(), DType::kInt32);
  Node* y = g.choose("Case", "y", {i, 0}, {"times0", "times1", "times2", "times3"});
  for (const auto& [index, factor] :
       std::vector<std::pair<int, float>>{{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 5}, {-1, 5}}) {
    EXPECT_EQ(g.value(y, 1, {{i, Tensor::scalar<int32_t>(index)}}), factor);
  }
}

TINYTF_TEST(inlined_loops_are_loops_of_the_graph) {
  Functions g;
  g.define("small", "Less", 100.0f, true);
  g.define("twice", "Mul", 2.0f);
  Node* y = g.repeat("y", "small", "twice");
  EXPECT_EQ(g.value(y, 3), 192.0f);
  EXPECT_EQ(g.value(y, 200), 200.0f);
  const Subgraph whole = g.inlined({{g.x, 0}}, y).take();
  EXPECT_EQ(whole.back_edges.size(), size_t{1});
  EXPECT_EQ(g.count(whole, "StatelessWhile"), 0);
}

TINYTF_TEST(inlined_nodes_that_are_being_inlined_are_left_to_kernels) {
  Functions g;
  GraphFixture f;
  Node* a = f.placeholder("a", PartialShape::scalar());
  const std::vector<DType> types{DType::kFloat};
  Node* again = f.add("StatelessIf", "again", {{a, 0}, {a, 0}},
                      {{"Tcond", DType::kFloat},
                       {"Tin", types},
                       {"Tout", types},
                       {"then_branch", FuncRef{"f", {}}},
                       {"else_branch", FuncRef{"f", {}}}});
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}}, {{again, 0}})));
  Node* y = testing::call(g, "y", "f", {{g.x, 0}});
  EXPECT_EQ(g.count(g.inlined({{g.x, 0}}, y).take(), "StatelessIf"), 1);
}

TINYTF_TEST(inlined_branches_and_loops_must_fit) {
  Functions g;
  g.define("small", "Less", 100.0f, true);
  g.define("twice", "Mul", 2.0f);
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  const auto error = [&](Node* node) { return g.inlined({{g.x, 0}, {p, 0}}, node).status().message(); };
  EXPECT_EQ(error(g.choose("If", "a", {p, 0}, {"twice", "small"})),
            "Expects result[0] of function small to be bool but float is provided\n\t [[{{node a}}]]");
  EXPECT_EQ(error(g.repeat("b", "small", "small")),
            "Expects result[0] of function small to be bool but float is provided\n\t [[{{node b}}]]");
  EXPECT_EQ(error(g.repeat("c", "none", "twice")), "Function none is not defined.\n\t [[{{node c}}]]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
