#include "graph/passes/guard_table.h"

#include <map>
#include <random>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

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

}  // namespace TINYTF_FILE
}  // namespace tinytf
