#include "graph/call_shapes.h"

#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::body_of;
using testing::GraphFixture;

std::string shapes(const FunctionBody& body, const std::vector<PartialShape>& arguments) {
  const auto found = result_shapes(body, arguments);
  EXPECT_OK(found.status());
  if (!found.ok()) return "";
  return str_join(found.value(), " ", [](const PartialShape& shape) { return shape.to_string(); });
}

TINYTF_TEST(results_have_the_shapes_that_arguments_give) {
  GraphFixture g;
  Node* x = g.placeholder("x", PartialShape({kUnknownDim, 2}));
  Node* y = g.placeholder("y", PartialShape());
  Node* sum = g.add("Add", "sum", {{x, 0}, {x, 0}});
  Node* exp = g.add("Exp", "exp", {{y, 0}});
  const auto body = body_of(g, {{x, 0}, {y, 0}}, {{sum, 0}, {exp, 0}, {x, 0}, {sum, 0}});
  EXPECT_EQ(shapes(*body, {PartialShape({3, 2}), PartialShape({4})}), "[3,2] [4] [3,2] [3,2]");
  EXPECT_EQ(shapes(*body, {PartialShape({3, kUnknownDim}), PartialShape()}), "[3,2] <unknown> [3,2] [3,2]");
  EXPECT_EQ(shapes(*body, {PartialShape(), PartialShape()}), "[?,2] <unknown> [?,2] [?,2]");
}

TINYTF_TEST(what_does_not_fit_is_left_to_the_step) {
  GraphFixture g;
  Node* x = g.placeholder("x", PartialShape({kUnknownDim, 2}));
  const auto body = body_of(g, {{x, 0}}, {{g.add("Exp", "exp", {{x, 0}}), 0}});
  EXPECT_EQ(shapes(*body, {PartialShape({3})}), "[?,2]");
  EXPECT_EQ(result_shapes(*body, {}).status().code(), Code::kInvalidArgument);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
