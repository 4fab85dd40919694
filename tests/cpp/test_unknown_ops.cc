#include "graph/passes/unknown_ops.h"

#include "graph/unknown_op.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// A graph with nodes of undeclared ops.
struct Unknown : GraphFixture {
  Node* unknown(const char* op, const char* name, const std::vector<Endpoint>& inputs) {
    NodeRequest request;
    request.op = op;
    request.name = name;
    request.inputs = inputs;
    Graph::Addition addition(**this);
    request.declared = addition.declare(declare_unknown_op(
        op, std::vector<ArgType>(inputs.size(), {DType::kFloat, false}), {{DType::kFloat, false}}, {}));
    auto node = (*this)->add_node(std::move(request));
    TINYTF_CHECK(node.ok());
    addition.keep();
    return node.value();
  }
  Status check(Node* node, const std::vector<Endpoint>& feeds = {}) {
    const auto lock = (*this)->lock();
    auto subgraph = prune(feeds, {{node, 0}}, {});
    TINYTF_CHECK(subgraph.ok());
    return check_ops_known(subgraph.value());
  }
};

std::string end_of(const Status& status) {
  const std::string_view begin = "The fetched subgraph contains ";
  const size_t at = status.message().find(begin);
  return at == std::string::npos ? status.message() : status.message().substr(at + begin.size());
}

TINYTF_TEST(unknown_ops_are_counted_and_the_first_is_named) {
  Unknown g;
  Node* x = g.placeholder("x");
  Node* a = g.unknown("Crop", "a", {{x, 0}});
  Node* b = g.unknown("Crop", "b", {{a, 0}});
  Node* c = g.unknown("Paste", "c", {{b, 0}});
  EXPECT_OK(g.check(x));
  EXPECT_EQ(end_of(g.check(a)), "1 node of 'Crop': 'a'.");
  EXPECT_EQ(g.check(c).code(), Code::kNotFound);
  EXPECT_EQ(end_of(g.check(c)), "2 nodes of 'Crop', the first 'a'; 1 node of 'Paste': 'c'.");
  EXPECT_EQ(end_of(g.check(c, {{b, 0}})), "1 node of 'Paste': 'c'.");
  EXPECT_OK(g.check(c, {{c, 0}}));
}

TINYTF_TEST(unknown_ops_in_branches_are_errors_of_the_step_that_takes_them) {
  Unknown g;
  Node* x = g.placeholder("x");
  Node* p = g.placeholder("p", {}, DType::kBool);
  Node* on = g.add("Switch", "switch", {{x, 0}, {p, 0}});
  Node* crop = g.unknown("Crop", "crop", {{on, 1}});
  Node* y = g.add_list("Merge", "merge", {{on, 0}, {crop, 0}});
  EXPECT_OK(g.check(y));
  const auto lock = g->lock();
  auto subgraph = prune({}, {{y, 0}}, {});
  EXPECT_OK(subgraph.status());
  EXPECT_EQ(end_of(unknown_ops_error(subgraph.value())), "1 node of 'Crop': 'crop'.");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
