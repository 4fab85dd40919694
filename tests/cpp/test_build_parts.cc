#include "runtime/plan/build_parts.h"

#include "op/async_kernel.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

TINYTF_TEST(known_values_are_yielded_as_those_of_the_node) {
  GraphFixture g;
  const NodeInfo& of = *g.add("Neg", "y", {{g.placeholder("x"), 0}})->info;
  const auto info = known_values_node(of);
  EXPECT_EQ(info->name, "y");
  EXPECT(info->inputs.empty() && info->outputs.size() == 1 && info->outputs[0].dtype == DType::kFloat);
  const auto kernel = known_values_kernel({Tensor::scalar(2.5f)});
  Slot output;
  const KernelServices none;
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

class AsyncOnes final : public AsyncKernel {
 public:
  void compute_async(KernelContext& ctx, Done done) override {
    ctx.set_output(0, testing::floats({1, 1, 1}));
    done(Status());
  }
};

TINYTF_TEST(claims_are_checked_after_the_kernel) {
  GraphFixture g;
  const NodeInfo& of = *g.add("Neg", "y", {{g.placeholder("x"), 0}})->info;
  const KernelServices none;
  const auto ones = [] { return known_values_kernel({testing::floats({1, 1, 1})}); };
  for (const auto& kernel : {ones(), std::shared_ptr<Kernel>(std::make_shared<AsyncOnes>())}) {
    for (const int64_t size : {3, 2}) {
      const auto checking = claim_checking_kernel(kernel, {PartialShape({size})});
      EXPECT_EQ(checking->is_async(), kernel->is_async());
      Slot output;
      KernelContext ctx(of, none, nullptr, nullptr, &output, 0);
      EXPECT_EQ(checking->compute(ctx).ok(), size == 3);
      EXPECT(output.tensor.valid());
    }
  }
}

TINYTF_TEST(nodes_that_name_their_input_know_its_name) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* y = g.add("Neg", "y", {{x, 0}});
  Node* of_node = g.add("EnsureShape", "a", {{y, 0}}, {{"shape", PartialShape({3})}});
  Node* of_feed = g.add("EnsureShape", "b", {{x, 0}}, {{"shape", PartialShape({3})}});
  const std::vector<Endpoint> feeds{{x, 0}};
  Node* copy = g.add("Identity", "copy", {{y, 0}});
  Node* of_copy = g.add("EnsureShape", "c", {{copy, 0}}, {{"shape", PartialShape({3})}});
  Subgraph subgraph = prune(feeds, {{of_node, 0}, {of_feed, 0}, {of_copy, 0}}, {}).take();
  name_checked_inputs(subgraph, feeds, false);
  const auto name = [&](int fetch) {
    return *subgraph.nodes[subgraph.fetches[fetch].node].info->attrs.get<std::string>("_input");
  };
  EXPECT_EQ(name(0), "y");
  EXPECT_EQ(name(1), "_arg_x_0_0");
  EXPECT_EQ(name(2), "y");
  name_checked_inputs(subgraph, feeds, true);
  EXPECT_EQ(name(1), "x");
  EXPECT(of_node->info->attrs.find("_input") == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
