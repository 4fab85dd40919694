#include "graph/passes/guards.h"

#include <map>
#include <random>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace {

using testing::add_merge;
using testing::add_switch;
using testing::GraphFixture;
using testing::scalar;

struct Branches : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* q = placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar());

  std::optional<Guards> find(const std::vector<Endpoint>& fetches) {
    subgraph = prune({}, fetches, {}).take();
    const Frames frames = find_frames(subgraph).take();
    Result<Guards> guards = find_guards(subgraph, frames);
    return guards.ok() ? std::optional(guards.take()) : std::nullopt;
  }
  /// "p !q": when the node of that name runs.
  std::string guard_of(const Guards& guards, const std::string& name) const {
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (subgraph.nodes[i].info->name != name) continue;
      if (guards.of[i] == GuardTable::kNever) return "never";
      return str_join(guards.table[guards.of[i]], " ", [&](const Literal& literal) {
        return str_cat(literal.value ? "" : "!", subgraph.nodes[literal.predicate.node].info->name);
      });
    }
    return "no such node";
  }
  Subgraph subgraph;
};

TINYTF_TEST(guards_are_what_switches_ask) {
  Branches g;
  Node* outer = add_switch(g, "outer", {g.x, 0}, {g.p, 0});
  Node* a = g.add("Neg", "a", {{outer, 0}});
  Node* same = g.add("Identity", "pred_id", {{g.q, 0}});
  Node* inner = add_switch(g, "inner", {outer, 1}, {same, 0});
  Node* b = g.add("Neg", "b", {{inner, 0}});
  Node* c = g.add("Neg", "c", {{inner, 1}});
  Node* join = add_merge(g, "join", {{b, 0}, {c, 0}});
  Node* last = add_merge(g, "last", {{a, 0}, {join, 0}});
  const Guards guards = *g.find({{last, 0}});
  EXPECT_EQ(g.guard_of(guards, "outer"), "");
  EXPECT_EQ(g.guard_of(guards, "a"), "!p");
  EXPECT_EQ(g.guard_of(guards, "b"), "p !q");
  EXPECT_EQ(g.guard_of(guards, "c"), "p q");
  EXPECT_EQ(g.guard_of(guards, "join"), "p");
  EXPECT_EQ(g.guard_of(guards, "last"), "");
  const BranchMerge& merge = guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)];
  EXPECT_EQ(merge.if_true, 1);
  EXPECT_EQ(g.subgraph.nodes[merge.predicate.node].info->name, "p");
}

TINYTF_TEST(guards_of_both_inputs_count) {
  Branches g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* by_q = add_switch(g, "by_q", {g.x, 0}, {g.q, 0});
  Node* sum = g.add("Add", "sum", {{by_p, 1}, {by_q, 0}});
  Node* waits = g.add("Neg", "waits", {{g.x, 0}}, {}, {sum});
  const Guards guards = *g.find({{waits, 0}});
  EXPECT_EQ(g.guard_of(guards, "sum"), "p !q");
  EXPECT_EQ(g.guard_of(guards, "waits"), "p !q");
}

TINYTF_TEST(guards_are_not_found_where_no_predicate_decides) {
  Branches g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* by_q = add_switch(g, "by_q", {g.x, 0}, {g.q, 0});
  EXPECT(!g.find({{add_merge(g, "of_two", {{by_p, 0}, {by_q, 1}}), 0}}));
  EXPECT(!g.find({{add_merge(g, "same", {{by_p, 0}, {by_p, 0}}), 0}}));
  EXPECT(!g.find({{add_merge(g, "one", {{by_p, 0}}), 0}}));
  EXPECT(!g.find({{add_merge(g, "in_part", {{by_p, 0}, {g.x, 0}}), 0}}));
}

TINYTF_TEST(guards_of_what_both_values_of_a_predicate_lead_to) {
  Branches g;
  Node* outer = add_switch(g, "outer", {g.x, 0}, {g.p, 0});
  Node* inner = add_switch(g, "inner", {outer, 1}, {g.p, 0});
  Node* dead = g.add("Neg", "dead", {{inner, 0}});
  Node* living = g.add("Neg", "living", {{inner, 1}});
  Node* merge = add_merge(g, "merge", {{dead, 0}, {living, 0}});
  Node* none = add_merge(g, "none", {{dead, 0}, {dead, 0}});
  const Guards guards = *g.find({{merge, 0}, {none, 0}});
  EXPECT_EQ(g.guard_of(guards, "inner"), "p");
  EXPECT_EQ(g.guard_of(guards, "dead"), "never");
  EXPECT_EQ(g.guard_of(guards, "living"), "p");
  EXPECT_EQ(g.guard_of(guards, "merge"), "p");
  EXPECT_EQ(g.guard_of(guards, "none"), "never");
  EXPECT_EQ(guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)].only, 1);
}

TINYTF_TEST(guards_of_merges_of_constants) {
  Branches g;
  Node* constant = g.constant("constant", Tensor::scalar(1.0f));
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* merge = add_merge(g, "merge", {{by_p, 0}, {constant, 0}});
  const Guards guards = *g.find({{merge, 0}});
  EXPECT_EQ(g.guard_of(guards, "merge"), "");
  EXPECT_EQ(guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)].only, 1);
}

TINYTF_TEST(guards_ask_for_the_input_of_a_merge_by_its_predicate) {
  Branches g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* negative = g.add("Neg", "negative", {{by_p, 0}});
  Node* merge = add_merge(g, "merge", {{by_p, 1}, {negative, 0}});
  for (const int number : {0, 1}) {
    Node* wanted = g.constant(str_cat("wanted", number), scalar(number));
    Node* equal = g.add("Equal", str_cat("equal", number), {{merge, 1}, {wanted, 0}});
    Node* back = add_switch(g, str_cat("back", number), {g.x, 0}, {equal, 0});
    Node* taken = g.add("Neg", str_cat("taken", number), {{back, 1}});
    Node* other = g.add("Neg", str_cat("other", number), {{back, 0}});
    const Guards guards = *g.find({{add_merge(g, str_cat("both", number), {{taken, 0}, {other, 0}}), 0}});
    EXPECT_EQ(g.guard_of(guards, str_cat("taken", number)), number == 0 ? "p" : "!p");
    EXPECT_EQ(g.guard_of(guards, str_cat("other", number)), number == 0 ? "!p" : "p");
  }
}

TINYTF_TEST(guards_in_loops_that_a_predicate_leads_to) {
  Branches g;
  Node* start = add_switch(g, "start", {g.constant("zero", scalar(0)), 0}, {g.p, 0});
  Node* limit = g.constant("limit", scalar(3));
  testing::CountingLoop loop(g, "l", {start, 1}, {limit, 0}, {limit, 0});
  Node* entered = testing::add_enter(g, "l/p", {g.p, 0}, "l", true);
  Node* branch = add_switch(g, "l/branch", {loop.body, 0}, {entered, 0});
  Node* dead = g.add("Neg", "l/dead", {{branch, 0}});
  Node* joined = add_merge(g, "l/joined", {{dead, 0}, {branch, 1}});
  EXPECT_OK(g->update_input(loop.next, 0, {joined, 0}));
  const Guards guards = *g.find({{loop.exit, 0}});
  EXPECT_EQ(g.guard_of(guards, "l/enter"), "p");
  EXPECT_EQ(g.guard_of(guards, "l/dead"), "never");
  EXPECT_EQ(g.guard_of(guards, "l/joined"), "l/cond");
}

TINYTF_TEST(triggers_run_in_any_case) {
  Branches g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* waits = g.add("Neg", "waits", {{by_p, 1}});
  Node* trigger = g.add("ControlTrigger", "trigger", {}, {}, {waits});
  const Guards guards = *g.find({{g.add("Neg", "late", {{g.x, 0}}, {}, {trigger}), 0}});
  EXPECT_EQ(g.guard_of(guards, "waits"), "p");
  EXPECT_EQ(g.guard_of(guards, "trigger"), "");
  EXPECT_EQ(g.guard_of(guards, "late"), "");
}

TINYTF_TEST(guards_are_numbered_once) {
  GuardTable table;
  const Literal p{{0, 0}, true, -1}, not_p{{0, 0}, false, -1}, q{{3, 1}, true, -1};
  const int only_p = table.with(0, p), both = table.with(only_p, q);
  EXPECT_EQ(table.with(table.with(0, q), p), both);
  EXPECT_EQ(table.both(table.with(0, q), only_p), both);
  EXPECT_EQ(table.with(both, p), both);
  EXPECT_EQ(table.with(both, not_p), GuardTable::kNever);
  EXPECT_EQ(table.both(both, table.with(0, not_p)), GuardTable::kNever);
  EXPECT(table.implied_by(only_p, both) && !table.implied_by(both, only_p) && table.implied_by(0, both));
}

TINYTF_TEST(guards_are_sets_of_literals) {
  GuardTable table;
  std::mt19937 random(7);
  const auto any = [&](int n) { return static_cast<int>(random() % n); };
  std::map<std::map<int, bool>, int> numbers{{{}, 0}};
  std::vector<std::map<int, bool>> sets{{}};
  std::vector<int> guards{0};
  const auto check = [&](const std::map<int, bool>& expected, bool contradicts, int guard) {
    EXPECT_EQ(guard == GuardTable::kNever, contradicts);
    if (contradicts) return;
    EXPECT_EQ(numbers.try_emplace(expected, guard).first->second, guard);
    std::map<int, bool> literals;
    for (const Literal& literal : table[guard]) literals[literal.predicate.node] = literal.value;
    EXPECT(literals == expected);
    EXPECT_EQ(table.size(guard), static_cast<int>(expected.size()));
    if (guard != 0) EXPECT_EQ(table.first(guard).predicate.node, expected.begin()->first);
    sets.push_back(expected);
    guards.push_back(guard);
  };
  for (int round = 0; round < 2000; ++round) {
    const int a = any(static_cast<int>(sets.size())), b = any(static_cast<int>(sets.size()));
    std::map<int, bool> longer = sets[a], both = sets[a];
    const int predicate = any(12);
    const bool value = any(2) == 1;
    const bool is_new = longer.emplace(predicate, value).second;
    check(longer, !is_new && longer[predicate] != value, table.with(guards[a], {{predicate, 0}, value, -1}));
    bool contradicts = false, includes = true;
    for (const auto& [node, holds] : sets[b]) {
      const auto found = sets[a].find(node);
      includes &= found != sets[a].end() && found->second == holds;
      contradicts |= !both.emplace(node, holds).second && both[node] != holds;
    }
    EXPECT_EQ(table.implied_by(guards[b], guards[a]), includes);
    check(both, contradicts, table.both(guards[a], guards[b]));
  }
}

TINYTF_TEST(guards_tell_what_runs_once_in_every_step) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* start = g.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = g.constant("one", testing::scalar(1));
  const testing::CountingLoop loop(g, "l", {start, 0}, {start, 0}, {one, 0});
  Node* branch = testing::add_switch(g, "branch", {loop.exit, 0}, {p, 0});
  Node* no = g.add("Neg", "no", {{branch, 0}});
  Node* merge = testing::add_merge(g, "merge", {{no, 0}, {branch, 1}});
  Node* after = g.add("Neg", "after", {{merge, 0}});
  const Subgraph subgraph = prune({}, {{after, 0}}, {}).take();
  const std::vector<bool> unconditional = find_unconditional(subgraph).take();
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    const std::string& name = subgraph.nodes[i].info->name;
    const bool is_inside = name == "no" || (name.substr(0, 2) == "l/" && subgraph.nodes[i].info->op->name != "Enter");
    EXPECT_EQ(unconditional[i], !is_inside);
  }
}

}  // namespace
}  // namespace tinytf
