#include "runtime/plan/node_layout.h"

#include <cmath>

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// Lays out the nodes of a subgraph in order. A node's output has the slot 10 times the node's index; other slots begin
/// at 100.
struct Layout {
  Layout(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches, bool folds = false)
      : feeds(feeds), subgraph(prune(feeds, fetches, {}).take()) {
    if (folds) fold_constants(subgraph, 10 << 20);
  }
  Status add(int index) {
    TINYTF_ASSIGN_OR_RETURN(std::shared_ptr<Kernel> kernel, layout.make_kernel(subgraph.nodes[index]));
    return layout.add(index, std::move(kernel), subgraph.nodes[index].inputs, 10 * index, slot_of, new_slot);
  }
  Status add_all() {
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (subgraph.nodes[i].runs()) TINYTF_RETURN_IF_ERROR(add(static_cast<int>(i)));
    }
    return Status();
  }
  std::vector<int32_t> inputs_of(const PlanNode& node) const {
    const auto first = program.input_slots.begin() + node.first_input;
    return {first, first + node.num_inputs()};
  }

  const std::vector<Endpoint> feeds;
  Subgraph subgraph;
  Program program;
  int32_t next_slot = 100;
  const std::function<int32_t(const SubgraphNode::Input&)> slot_of = [](const SubgraphNode::Input& input) {
    return 10 * input.node + input.output;
  };
  const std::function<int32_t()> new_slot = [this] { return next_slot++; };
  NodeLayout layout{subgraph, feeds, testing::registered_kernel, false, program};
};

using Slots = std::vector<int32_t>;

TINYTF_TEST(layout_reads_references_where_values_are_needed) {
  GraphFixture g;
  Node* v = g.variable("v", {2});
  Node* neg = g.add("Neg", "neg", {{v, 0}});
  Layout of({}, {{neg, 0}});
  EXPECT_OK(of.add_all());
  const PlanNode& planned = of.program.nodes[1];
  EXPECT(of.inputs_of(planned) == Slots{100});
  EXPECT(!planned.is_plain && !planned.takes_state && of.program.nodes[0].is_plain);
  EXPECT_EQ(planned.first_output, 10);
  const Deref& deref = of.program.derefs[planned.derefs_begin];
  EXPECT(deref.from == 0 && deref.to == 100 && deref.output == 0);
  EXPECT_EQ(deref.source, v->info.get());
}

TINYTF_TEST(layout_checks_references_that_nodes_take) {
  GraphFixture g;
  Node* v = g.variable("v", {2});
  Node* value = g.placeholder("value", {2});
  Node* assign = g.add("Assign", "assign", {{v, 0}, {value, 0}});  // may take an uninitialized variable
  Node* add = g.add("AssignAdd", "add", {{v, 0}, {value, 0}}, {}, {assign});
  Layout of({}, {{add, 0}});
  EXPECT_OK(of.add_all());
  EXPECT(of.program.nodes[2].takes_state && of.program.nodes[2].derefs_begin == of.program.nodes[2].derefs_end);
  EXPECT(of.program.nodes[3].takes_state && of.inputs_of(of.program.nodes[3]) == (Slots{0, 10}));
  EXPECT_EQ(of.program.derefs[of.program.nodes[3].derefs_begin].to, -1);
  Layout fed({{v, 0}}, {{assign, 0}});
  EXPECT_EQ(fed.add_all().message(),
            "Input 0 of node assign was passed float from _arg_v_0_0:0 incompatible with expected float_ref.");
}

TINYTF_TEST(layout_copies_fetched_references) {
  GraphFixture g;
  Node* v = g.variable("v", {2});
  Node* neg = g.add("Neg", "neg", {{v, 0}});
  Layout of({}, {{neg, 0}, {v, 0}, {v, 0}});
  EXPECT_OK(of.add_all());
  EXPECT(of.layout.snapshot_of(0) == -1 && of.layout.snapshot_of(1) == 100 && of.layout.snapshot_of(2) == 101);
  EXPECT_EQ(of.program.nodes[0].snapshots_end - of.program.nodes[0].snapshots_begin, 2);
  EXPECT(!of.program.nodes[0].is_plain);
  EXPECT(of.program.snapshots[1].from == 0 && of.program.snapshots[1].to == 101);
}

TINYTF_TEST(layout_gives_known_values_no_inputs) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* root = g.add("Sqrt", "root", {{x, 0}}, {}, {x});
  Layout of({}, {{root, 0}});
  of.subgraph.nodes.back().values = {Tensor::scalar(2.0f)};
  EXPECT_OK(of.add_all());
  const PlanNode& planned = of.program.nodes.back();
  EXPECT(planned.info->name == "root" && planned.num_inputs() == 0 && planned.is_plain);
  Slot output;
  const KernelServices none;
  KernelContext ctx(*planned.info, none, nullptr, nullptr, &output, 0);
  EXPECT_OK(planned.kernel->compute(ctx));
  EXPECT_EQ(output.tensor.data<float>()[0], 2.0f);
}

TINYTF_TEST(layout_keeps_folded_nodes_that_are_not_finite) {
  GraphFixture g;
  Node* c = g.constant("c", Tensor::scalar(-INFINITY));
  Node* neg = g.add("Neg", "neg", {{c, 0}});
  Node* zero = g.add("Exp", "zero", {{c, 0}});
  Layout of({}, {{neg, 0}, {zero, 0}}, /*folds=*/true);
  for (size_t i = 0; i < of.subgraph.nodes.size(); ++i) {
    const SubgraphNode& node = of.subgraph.nodes[i];
    EXPECT_EQ(NodeLayout::is_not_finite(node), node.info->name == "neg");  // A constant is not the result of a node.
    if (NodeLayout::is_not_finite(node)) of.layout.add_not_finite(node, 50, of.slot_of);
  }
  EXPECT_EQ(of.program.not_finite.size(), size_t{1});
  EXPECT(of.program.not_finite[0].first_output == 50 && of.inputs_of(of.program.not_finite[0]) == Slots{0});
  EXPECT(of.program.nodes.empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
