#include "runtime/plan/build_parts.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

using testing::GraphFixture;

TINYTF_TEST(known_values_are_yielded_as_those_of_the_node) {
  GraphFixture g;
  const NodeInfo& of = *g.add("Neg", "y", {{g.placeholder("x"), 0}})->info;
  const auto info = known_values_node(of);
  EXPECT_EQ(info->name, "y");
  EXPECT(info->inputs.empty() && info->outputs.size() == 1 && info->outputs[0].dtype == DType::kFloat);
  const auto kernel = known_values_kernel({Tensor::scalar(2.5f)});
  Slot output;
  const StepServices none;
  KernelContext ctx(*info, none, nullptr, nullptr, &output, 0);
  EXPECT_OK(kernel->compute(ctx));
  EXPECT_EQ(output.tensor.data<float>()[0], 2.5f);
}

TINYTF_TEST(no_reference_names_the_feed_by_its_number) {
  GraphFixture g;
  Node* a = g.variable("a", {1});
  Node* b = g.variable("b", {1});
  Node* value = g.constant("value", testing::floats({1}));
  Node* assign = g.add("Assign", "assign", {{b, 0}, {value, 0}});
  const std::vector<Endpoint> feeds{{b, 0}, {a, 0}};
  const Subgraph subgraph = prune(feeds, {{assign, 0}}, {}).take();
  const SubgraphNode& source = subgraph.nodes[subgraph.nodes.back().inputs[0].node];
  EXPECT_EQ(no_reference(*assign->info, 0, source, 0, feeds, false).message(),
            "Input 0 of node assign was passed float from _arg_b_0_1:0 incompatible with expected float_ref.");
  EXPECT_EQ(no_reference(*assign->info, 0, source, 0, feeds, true).message(),
            "Input 0 of node assign was passed float from _recv_b_0:0 incompatible with expected float_ref.");
}

}  // namespace
}  // namespace tinytf
