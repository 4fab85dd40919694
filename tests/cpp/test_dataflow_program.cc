#include "runtime/plan/dataflow_program.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

Result<Program> program_of(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches) {
  Subgraph subgraph = prune(feeds, fetches, {}).take();
  fold_constants(subgraph, 10 << 20);
  return build_program(subgraph, feeds, testing::registered_kernel, /*is_partial=*/false, /*compiles=*/false);
}

int32_t place_of(const Program& program, const Node* node) {
  for (size_t n = 0; n < program.nodes.size(); ++n) {
    if (program.nodes[n].info->name == node->name()) return static_cast<int32_t>(n);
  }
  return -1;
}

/// "less.0 switch.0 *": the consumers of a node's outputs; a star is a fetch, ^ a control edge.
std::string readers(const Program& program, const Node* node) {
  const DataflowNode& of = program.tokens->nodes[place_of(program, node)];
  std::string text;
  for (int32_t e = of.edges_begin; e < of.edges_end; ++e) {
    const DataflowEdge& edge = program.tokens->edges[e];
    if (!text.empty()) text += " ";
    if (edge.node == DataflowEdge::kFetch) {
      text += "*";
    } else if (edge.output == DataflowEdge::kControl) {
      text += str_cat("^", program.nodes[edge.node].info->name);
    } else {
      const DataflowNode& to = program.tokens->nodes[edge.node];
      text += str_cat(program.nodes[edge.node].info->name, ".", edge.slot - to.slots_begin);
    }
  }
  return text;
}

TINYTF_TEST(dataflow_program_leads_edges_back_in_their_places) {
  GraphFixture g;
  Node* start = g.placeholder("start", {}, DType::kInt32);
  Node* limit = g.constant("limit", scalar(3));
  Node* one = g.constant("one", scalar(1));
  const CountingLoop loop(g, "l", {start, 0}, {limit, 0}, {one, 0});
  const Program program = program_of({{start, 0}}, {{loop.exit, 0}}).take();
  const DataflowProgram& tokens = *program.tokens;
  EXPECT_EQ(readers(program, loop.merge), "l/less.0 l/switch.0");
  EXPECT_EQ(readers(program, loop.next), "l/merge.1");
  EXPECT_EQ(readers(program, loop.enter), "l/merge.0");
  EXPECT_EQ(readers(program, loop.exit), "*");
  const DataflowNode& merge = tokens.nodes[place_of(program, loop.merge)];
  EXPECT_EQ(merge.data_inputs, 2);
  EXPECT_EQ(merge.frame, 1);
  EXPECT_EQ(tokens.frames[1].enters, 3);
  EXPECT_EQ(tokens.frames[0].children, 1);
  // The start is fed, limit and step are constants: no node runs before these arrive.
  EXPECT(tokens.roots.empty());
  EXPECT_EQ(tokens.constants.size(), size_t{2});
  EXPECT_EQ(tokens.feeds.size(), size_t{1});
  EXPECT_EQ(program.slot_count, 0);
}

TINYTF_TEST(dataflow_program_puts_the_slots_of_a_node_side_by_side) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* v = g.variable("v", {1});
  Node* branch = add_switch(g, "switch", {v, 0}, {p, 0});  // takes the variable's value
  Node* merge = add_merge(g, "merge", {{branch, 0}, {branch, 1}});
  const Program program = program_of({{p, 0}}, {{merge, 0}, {v, 0}}).take();
  const PlanNode& planned = program.nodes[place_of(program, branch)];
  const DataflowNode& token = program.tokens->nodes[place_of(program, branch)];
  EXPECT_EQ(token.slots_end - token.slots_begin, 2 + 2 + 1);  // inputs, outputs, the read value
  EXPECT_EQ(planned.derefs_end - planned.derefs_begin, 1);
  EXPECT_EQ(program.derefs[planned.derefs_begin].source->name, "v");
  EXPECT_EQ(planned.first_output, token.slots_begin + 2);
  EXPECT_EQ(program.derefs[planned.derefs_begin].to, token.slots_begin + 4);
  // The fetched reference is copied right after its node.
  EXPECT_EQ(program.snapshots.size(), size_t{1});
  EXPECT_EQ(readers(program, v), "switch.0 *");
}

TINYTF_TEST(dataflow_program_has_folded_nodes_for_the_nan_watch) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* log = g.add("Log", "log", {{g.constant("c", Tensor::scalar(0.0f)), 0}});
  Node* branch = add_switch(g, "switch", {log, 0}, {p, 0});
  const Program program = program_of({{p, 0}}, {{add_merge(g, "merge", {{branch, 0}, {branch, 1}}), 0}}).take();
  EXPECT(program.tokens != nullptr);
  EXPECT_EQ(program.not_finite.size(), size_t{1});
  EXPECT_EQ(program.not_finite[0].info->name, "log");
  EXPECT_EQ(program.constants.size(), size_t{2});  // the value and the input that a message describes
  EXPECT_EQ(program.slot_count, 2);
}

TINYTF_TEST(dataflow_program_of_a_region) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = g.placeholder("x", PartialShape::scalar());
  Node* branch = add_switch(g, "switch", {x, 0}, {p, 0});
  Node* merge = add_merge(g, "merge", {{branch, 0}, {branch, 1}});
  const Subgraph subgraph = prune({}, {{g.add("Neg", "y", {{merge, 0}}), 0}}, {}).take();
  const Contraction contraction = contract(subgraph, {{{3}, "why", false}}).value();
  const Frames frames = find_frames(subgraph).take();
  const Program program =
      build_region_program(subgraph, frames, {}, testing::registered_kernel, false, *contraction.regions[0]).take();
  EXPECT_EQ(program.nodes.size(), size_t{1});
  EXPECT_EQ(readers(program, merge), "*");
  EXPECT_EQ(program.tokens->feeds.size(), size_t{2});
  EXPECT_EQ(program.tokens->why_not_code, "why");
  EXPECT(program.tokens->fetch_numbers == std::vector<int32_t>{-1});
}

TINYTF_TEST(dataflow_program_is_not_made_for_partial_runs) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* branch = add_switch(g, "switch", {g.variable("v", {1}), 0}, {p, 0});  // takes the variable's value
  Subgraph subgraph = prune({{p, 0}}, {{branch, 0}}, {}).take();
  EXPECT_EQ(build_program(subgraph, {{p, 0}}, testing::registered_kernel, true).status().message(),
            "Partial runs do not support branches or loops of this form: {{node switch}} takes a reference to a "
            "variable where "
            "a value is needed");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
