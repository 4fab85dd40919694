#include "graph/passes/regions.h"

#include "graph/passes/find_guards.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

struct Regions : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* q = placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar());
  Node* by_p = add_switch(*this, "by_p", {x, 0}, {p, 0});
  Node* by_q = add_switch(*this, "by_q", {x, 0}, {q, 0});
  Node* by_both = add_switch(*this, "by_both", {by_p, 0}, {q, 0});

  /// Contracts the first misfit.
  bool contract_misfit(const std::vector<Endpoint>& fetches) {
    subgraph = prune({}, fetches, {}).take();
    contraction = contract(subgraph, seeds);
    const Frames frames = find_frames(contraction->subgraph).take();
    Misfit misfit;
    Result<Guards> guards = find_guards(contraction->subgraph, frames, &misfit);
    if (guards.ok()) {
      EXPECT(!find_loops(contraction->subgraph, frames, guards.value(), &misfit).ok());
    }
    if (!add_seed(*contraction, frames, misfit, "why", seeds)) return false;
    contraction = contract(subgraph, seeds);
    return contraction.has_value();
  }
  /// "name(inputs)" of the nodes that run, in order; a region is in brackets, ^ is a control input.
  std::string text() const {
    std::string text;
    const auto& nodes = contraction->subgraph.nodes;
    for (const SubgraphNode& node : nodes) {
      if (!node.runs() || node.inputs.empty()) continue;
      const std::string inputs = str_join(node.inputs, " ", [&](const SubgraphNode::Input& input) {
        return str_cat(nodes[input.node].info->name, ":", input.output);
      });
      const std::string controls =
          str_join(node.control_inputs, "", [&](int control) { return str_cat(" ^", nodes[control].info->name); });
      const bool is_region = node.region != nullptr;
      text += str_cat(text.empty() ? "" : " ", is_region ? "[" : "", node.info->name, "(", inputs, controls, ")",
                      is_region ? "]" : "");
    }
    return text;
  }

  Subgraph subgraph;
  std::vector<RegionSeed> seeds;
  std::optional<Contraction> contraction;
};

TINYTF_TEST(regions_of_merges_that_are_always_live) {
  Regions g;
  Node* merge = add_merge(g, "merge", {{g.by_p, 1}, {g.by_both, 1}, {g.by_both, 0}});
  Node* y = g.add("Neg", "y", {{merge, 0}});
  EXPECT(g.contract_misfit({{y, 0}}));
  EXPECT_EQ(g.text(), "by_p(x:0 p:0) by_both(by_p:0 q:0) [merge(by_p:1 by_both:1 by_both:0)] y(merge:0)");
  EXPECT(g.contraction->regions[0]->is_live);
  EXPECT_EQ(g.contraction->regions[0]->outputs.size(), size_t{1});
  const Frames frames = find_frames(g.contraction->subgraph).take();
  EXPECT_EQ(find_guards(g.contraction->subgraph, frames).take().of.back(), 0);
}

TINYTF_TEST(regions_of_merges_that_may_be_dead) {
  Regions g;
  Node* merge = add_merge(g, "merge", {{g.by_p, 1}, {g.by_q, 1}});
  Node* y = g.add("Neg", "y", {{merge, 0}});
  Node* after = g.add("Neg", "after", {{g.x, 0}}, {}, {merge});
  EXPECT(g.contract_misfit({{y, 0}, {after, 0}}));
  // Consumers read the outputs through Switches on a flag.
  EXPECT_EQ(g.text(),
            "by_p(x:0 p:0) by_q(x:0 q:0) [merge(by_p:1 by_q:1)] merge(merge:0 merge:1) merge(merge:2 merge:2) "
            "merge(merge:1) y(merge:1) after(x:0 ^merge)");
  const Frames frames = find_frames(g.contraction->subgraph).take();
  const Guards guards = find_guards(g.contraction->subgraph, frames).take();
  EXPECT_EQ(guards.table.size(guards.of.back()), 1);
}

TINYTF_TEST(regions_of_loops_have_all_that_is_inside) {
  Regions g;
  Node* start = g.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = g.constant("one", scalar(1));
  const CountingLoop loop(g, "l", {start, 0}, {start, 0}, {one, 0});
  // The back edge is the first input, so that this is no loop variable.
  EXPECT_OK(g->update_input(loop.merge, 1, {loop.enter, 0}));
  EXPECT_OK(g->update_input(loop.merge, 0, {loop.next, 0}));
  Node* y = g.add("Neg", "y", {{loop.exit, 0}});
  EXPECT(g.contract_misfit({{y, 0}}));
  const Region& region = *g.contraction->regions[0];
  EXPECT_EQ(region.nodes.size(), size_t{11});
  EXPECT_EQ(region.inputs.size(), size_t{2});  // the start, which is also the limit, and the step
  EXPECT(region.input_decides[0] && !region.input_decides[1]);
  EXPECT(!region.is_live && !region.has_roots);
  EXPECT(g.contraction->subgraph.back_edges.empty());
  EXPECT_EQ(g.text(), "[l/enter(start:0 one:0)] l/exit(l/enter:0 l/enter:1) y(l/exit:1)");
}

TINYTF_TEST(regions_keep_references_inside) {
  Regions g;
  Node* v = g.variable("v", {1});
  Node* by_p = g.add("RefSwitch", "ref_p", {{v, 0}, {g.p, 0}});
  Node* by_q = g.add("RefSwitch", "ref_q", {{v, 0}, {g.q, 0}});
  Node* merge = g.add_list("RefMerge", "merge", {{by_p, 1}, {by_q, 1}});
  Node* y = g.add("Identity", "y", {{merge, 0}});
  EXPECT(!g.contract_misfit({{y, 0}}));
  g.seeds.clear();
  EXPECT(g.contract_misfit({{merge, 0}}));  // Fetched references are values of a region's step.
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
