#include "graph/passes/frames.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_enter;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

Result<Frames> frames_of(const std::vector<Endpoint>& fetches) {
  TINYTF_ASSIGN_OR_RETURN(const Subgraph subgraph, prune({}, fetches, {}));
  return find_frames(subgraph);
}

TINYTF_TEST(frames_are_where_enters_lead) {
  GraphFixture g;
  Node* start = g.constant("start", scalar(0));
  Node* limit = g.constant("limit", scalar(3));
  const CountingLoop loop(g, "loop", {start, 0}, {limit, 0}, {limit, 0});
  const Subgraph subgraph = prune({}, {{loop.exit, 0}}, {}).take();
  EXPECT(has_control_flow(subgraph));
  const Frames frames = find_frames(subgraph).take();
  EXPECT_EQ(frames.all.size(), size_t{2});
  EXPECT_EQ(frames.all[1].name, "loop");
  EXPECT_EQ(frames.all[1].parent, 0);
  EXPECT_EQ(frames.all[1].enters, 3);
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    const Node* node = subgraph.nodes[i].origin;
    const bool is_inside = node != start && node != limit;
    const bool enters = node->info->op->control_flow == ControlFlow::kEnter;
    EXPECT_EQ(frames.of[i], is_inside && !enters ? 1 : 0);
    EXPECT_EQ(frames.of_outputs[i], is_inside && node != loop.exit ? 1 : 0);
  }
}

TINYTF_TEST(frames_of_inner_loops_come_after_the_outer) {
  GraphFixture g;
  Node* one = g.constant("one", scalar(1));
  Node* outer = add_enter(g, "outer", {one, 0}, "a");
  Node* inner = add_enter(g, "inner", {outer, 0}, "b");
  Node* exit = g.add("Exit", "exit", {{g.add("Exit", "exit_b", {{inner, 0}}), 0}});
  const Frames frames = frames_of({{exit, 0}}).take();
  EXPECT_EQ(str_join(frames.all, " ", [](const Frame& f) { return str_cat(f.name, "<", f.parent); }), "<-1 a<0 b<1");
}

TINYTF_TEST(frames_do_not_mix) {
  GraphFixture g;
  Node* one = g.constant("one", scalar(1));
  Node* in_f = add_enter(g, "in_f", {one, 0}, "f");
  Node* in_g = add_enter(g, "in_g", {one, 0}, "g");
  EXPECT_EQ(frames_of({{g.add("Add", "sum", {{in_f, 0}, {in_g, 0}}), 0}}).status().message(),
            "{{node sum}} has inputs from different frames. The input {{node in_g}} is in frame 'g'. The input {{node "
            "in_f}} is in frame 'f'.");
  Node* waits = g.add("Identity", "waits", {{in_f, 0}}, {}, {one});
  EXPECT_EQ(
      frames_of({{waits, 0}}).status().message(),
      "{{node waits}} has inputs from different frames. The input {{node in_f}} is in frame 'f'. The input {{node "
      "one}} is in frame ''.");
}

TINYTF_TEST(frames_are_left_only_where_they_are) {
  GraphFixture g;
  Node* one = g.constant("one", scalar(1));
  EXPECT_EQ(frames_of({{g.add("Exit", "exit", {{one, 0}}), 0}}).status().message(),
            "Invalid Exit op: Cannot find a corresponding Enter op.");
  EXPECT_EQ(frames_of({{g.add("NextIteration", "next", {{one, 0}}), 0}}).status().message(),
            "{{node next}} is a NextIteration outside of a loop.");
}

TINYTF_TEST(frames_know_that_feeds_come_from_outside) {
  GraphFixture g;
  Node* one = g.constant("one", scalar(1));
  Node* inside = add_enter(g, "inside", {one, 0}, "f");
  Node* twice = g.add("Add", "twice", {{inside, 0}, {inside, 0}});
  Node* sum = g.add("Add", "sum", {{twice, 0}, {inside, 0}});
  const Subgraph subgraph = prune({{twice, 0}}, {{sum, 0}}, {}).take();
  EXPECT_EQ(
      find_frames(subgraph).status().message(),
      "{{node sum}} has inputs from different frames. The input {{node inside}} is in frame 'f'. The input {{node "
      "twice}} is in frame ''.");
}

TINYTF_TEST(frames_need_both_ends_of_edges_back) {
  GraphFixture g;
  Node* start = g.constant("start", scalar(0));
  Node* limit = g.constant("limit", scalar(3));
  const CountingLoop loop(g, "loop", {start, 0}, {limit, 0}, {limit, 0});
  const Subgraph whole = prune({}, {{loop.exit, 0}}, {}).take();
  EXPECT_EQ(whole.back_edges.size(), size_t{1});
  for (const int end : {whole.back_edges[0].merge, whole.back_edges[0].from.node}) {
    Subgraph subgraph = whole;
    subgraph.nodes[end].removed = true;
    const Status status = find_frames(subgraph).status();
    EXPECT_EQ(status.code(), Code::kInternal);
    EXPECT_EQ(status.message(), "The back edge from loop/next to loop/merge connects a removed node");
    EXPECT_EQ(testing::build_plan(subgraph, {}).status().code(), Code::kInternal);
  }
}

TINYTF_TEST(frames_of_what_is_needed_lose_edges_back_with_their_merges) {
  GraphFixture g;
  Node* start = g.constant("start", scalar(0));
  Node* limit = g.constant("limit", scalar(3));
  const CountingLoop loop(g, "loop", {start, 0}, {limit, 0}, {limit, 0});
  Subgraph subgraph = prune({}, {{loop.exit, 0}, {start, 0}}, {}).take();
  Subgraph same = subgraph;
  drop_unneeded(same);
  EXPECT_EQ(same.back_edges.size(), size_t{1});
  EXPECT_OK(find_frames(same).status());
  subgraph.fetches.erase(subgraph.fetches.begin());
  drop_unneeded(subgraph);
  EXPECT(subgraph.back_edges.empty());
  EXPECT_OK(find_frames(subgraph).status());
  for (const SubgraphNode& node : subgraph.nodes) EXPECT_EQ(node.removed, node.origin != start);
}

TINYTF_TEST(frames_are_not_asked_of_what_is_straight) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  EXPECT(!has_control_flow(prune({}, {{g.add("Neg", "y", {{x, 0}}), 0}}, {}).take()));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
