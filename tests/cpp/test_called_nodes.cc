#include "graph/passes/called_nodes.h"

#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::body_of;
using testing::call;
using testing::GraphFixture;

bool calls(GraphFixture& g, const char* function, std::string_view op) {
  return any_called_node(*g.graph(), {function, {}}, [op](const NodeInfo& node) { return node.op->name == op; });
}

TINYTF_TEST(nodes_of_called_functions_are_found) {
  GraphFixture g;
  testing::add_doublings(g, "twice", 2);
  EXPECT(calls(g, "twice", "Add"));
  EXPECT(calls(g, "twice", "PartitionedCall"));
  EXPECT(!calls(g, "twice", "Mul"));
  EXPECT(!calls(g, "missing", "Add"));
}

TINYTF_TEST(nodes_that_a_function_does_not_need_are_not_its_own) {
  GraphFixture f;
  Node* x = f.placeholder("x");
  f.add("Neg", "unused", {{x, 0}});
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{x, 0}}, {{f.add("Abs", "y", {{x, 0}}), 0}})));
  EXPECT(calls(g, "f", "Abs"));
  EXPECT(!calls(g, "f", "Neg"));
}

TINYTF_TEST(functions_that_call_themselves_are_visited_once) {
  GraphFixture f;
  Node* a = f.placeholder("a");
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}}, {{call(f, "again", "f", {{a, 0}}), 0}})));
  EXPECT(!calls(g, "f", "Add"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
