#include "graph/shape_claims.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

size_t claims(const Node* node) { return claims_to_check(*node).size(); }

/// A node whose static shape is unknown.
Node* unknown(GraphFixture& g, const char* name) {
  Node* shape = g.placeholder(str_cat(name, "_shape"), PartialShape({kUnknownDim}), DType::kInt32);
  return g.add("Reshape", name, {{g.placeholder(str_cat(name, "_x")), 0}, {shape, 0}});
}

TINYTF_TEST(claims_are_checked_where_values_are_made_of_them) {
  GraphFixture g;
  Node* x = unknown(g, "x");
  Node* before = g.add("Neg", "before", {{x, 0}});
  EXPECT_OK(g->set_shape({x, 0}, {2, 3}));
  Node* y = g.add("Neg", "y", {{x, 0}});
  Node* z = g.add("Neg", "z", {{y, 0}});
  rely_on_shapes(*before);  // its own shape does not depend on the claim
  EXPECT_EQ(claims(x), size_t{0});
  rely_on_shapes(*z);
  EXPECT_EQ(claims(x), size_t{1});
  EXPECT_EQ(claims(y) + claims(z), size_t{0});
  EXPECT_EQ(claims_to_check(*x)[0].to_string(), "[2,3]");
}

TINYTF_TEST(what_tells_nothing_new_is_no_claim) {
  GraphFixture g;
  Node* x = unknown(g, "x");
  EXPECT_OK(g->set_shape({x, 0}, PartialShape()));
  Node* known = g.placeholder("known", {2, 3});
  Node* y = g.add("Neg", "y", {{known, 0}});
  EXPECT_OK(g->set_shape({y, 0}, {2, kUnknownDim}));
  Node* fed = g.placeholder("fed");
  EXPECT_OK(g->set_shape({fed, 0}, {4}));  // feeds are checked anyway
  for (Node* node : {x, y, fed}) {
    rely_on_shapes(*node);
    EXPECT_EQ(claims(node), size_t{0});
  }
}

TINYTF_TEST(what_functions_of_the_program_yield_is_checked_in_any_case) {
  GraphFixture g;
  Node* call =
      g.add("PyFunc", "call", {},
            {{"token", std::string("f")}, {"Tin", std::vector<DType>()}, {"Tout", std::vector<DType>{DType::kFloat}}});
  EXPECT_EQ(claims(call), size_t{0});
  EXPECT_OK(g->set_shape({call, 0}, {kUnknownDim}));
  EXPECT_EQ(claims(call), size_t{1});
}

TINYTF_TEST(a_claim_that_is_wrong_names_both_shapes) {
  GraphFixture g;
  const NodeInfo& node = *unknown(g, "x")->info;
  EXPECT_OK(check_claim(node, 0, {2, kUnknownDim}, Shape({2, 3})));
  EXPECT_OK(check_claim(node, 0, PartialShape(), Shape({2, 3})));
  const Status status = check_claim(node, 1, {2, kUnknownDim}, Shape({3, 3}));
  EXPECT(status.code() == Code::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "Shape of tensor x:1 [3,3] is not compatible with the shape [2,?] that the program has set for it.");
  EXPECT(!check_claim(node, 0, {2}, Shape({2, 1})).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
