#include "graph/passes/grow_regions.h"

#include <algorithm>

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::GraphFixture;

struct Growing : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar());
  Node* v = variable("v", {1});

  /// Grows seeds of the nodes with these names; returns whether they could, and leaves their names in `grown`.
  bool grow(const std::vector<Endpoint>& fetches, const std::vector<std::vector<std::string>>& names) {
    const Subgraph subgraph = prune({}, fetches, {}).take();
    std::vector<RegionSeed> seeds;
    for (const auto& of_seed : names) {
      RegionSeed& seed = seeds.emplace_back();
      seed.is_live = true;
      for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
        const std::string& name = subgraph.nodes[i].info->name;
        if (std::count(of_seed.begin(), of_seed.end(), name) > 0) seed.nodes.push_back(static_cast<int>(i));
      }
    }
    const bool fits = grow_seeds(subgraph, find_frames(subgraph).take(), seeds);
    grown.clear();
    is_live.clear();
    for (const RegionSeed& seed : seeds) {
      grown.push_back(str_join(seed.nodes, " ", [&](int node) { return subgraph.nodes[node].info->name; }));
      is_live.push_back(seed.is_live);
    }
    return fits;
  }

  std::vector<std::string> grown;
  std::vector<bool> is_live;
};

TINYTF_TEST(seeds_without_references_stay) {
  Growing g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* merge = add_merge(g, "merge", {{by_p, 0}, {by_p, 1}});
  EXPECT(g.grow({{merge, 0}}, {{"merge"}}));
  EXPECT_EQ(g.grown, std::vector<std::string>{"merge"});
  EXPECT(g.is_live[0]);
}

TINYTF_TEST(seeds_take_what_hands_references_over) {
  Growing g;
  Node* by_p = g.add("RefSwitch", "by_p", {{g.v, 0}, {g.p, 0}});
  Node* merge = g.add_list("RefMerge", "merge", {{by_p, 0}, {by_p, 1}});
  Node* y = g.add("Identity", "y", {{merge, 0}});
  Node* z = g.add("Neg", "z", {{y, 0}});
  EXPECT(g.grow({{z, 0}, {merge, 0}}, {{"merge"}}));
  EXPECT_EQ(g.grown, std::vector<std::string>{"by_p merge y"});  // The variable is read from outside.
  EXPECT(!g.is_live[0]);
}

TINYTF_TEST(seeds_with_a_reference_between_them_are_joined) {
  Growing g;
  Node* first = g.add_list("RefMerge", "first", {{g.v, 0}, {g.v, 0}});
  Node* second = g.add_list("RefMerge", "second", {{first, 0}, {g.v, 0}});
  EXPECT(g.grow({{second, 0}}, {{"first"}, {"second"}}));
  EXPECT_EQ(g.grown, std::vector<std::string>{"first second"});
}

TINYTF_TEST(seeds_do_not_depend_on_themselves) {
  Growing g;
  Node* a = g.add("Neg", "a", {{g.x, 0}});
  Node* between = g.add("Neg", "between", {{a, 0}});
  Node* aside = g.add("Neg", "aside", {{a, 0}});
  Node* b = g.add("Add", "b", {{between, 0}, {a, 0}});
  EXPECT(g.grow({{b, 0}, {aside, 0}}, {{"a", "b"}}));
  EXPECT_EQ(g.grown, std::vector<std::string>{"a between b"});
  Node* c = g.add("Neg", "c", {{b, 0}});
  EXPECT(g.grow({{c, 0}}, {{"a", "b"}, {"between", "c"}}));  // Each waits for the other one.
  EXPECT_EQ(g.grown, std::vector<std::string>{"a between b c"});
}

TINYTF_TEST(seeds_leave_the_loops_around_them_alone) {
  Growing g;
  Node* enter = g.add("RefEnter", "enter", {{g.v, 0}}, {{"frame_name", std::string("loop")}});
  Node* merge = g.add_list("RefMerge", "merge", {{enter, 0}, {enter, 0}});
  Node* exit = g.add("RefExit", "exit", {{merge, 0}});
  EXPECT(!g.grow({{exit, 0}}, {{"merge"}}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
