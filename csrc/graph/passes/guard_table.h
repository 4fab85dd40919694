#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// A predicate, and the value that it must have.
struct Literal {
  SubgraphNode::Input predicate;
  bool value = false;
  int by = -1;  ///< a Switch that asks for it, which errors name

  bool same_predicate(const Literal& other) const {
    return predicate.node == other.predicate.node && predicate.output == other.predicate.output;
  }
};

/// What must hold in an iteration of its frame for a node to run: all of these, in an order in which they can be
/// tested.
using Guard = std::vector<Literal>;

/// The guards of a Subgraph, each once, by number. 0 is the one that always holds. Each is another one and a literal
/// that comes after all of that: those of conditions in each other have most literals in common.
class GuardTable {
 public:
  static constexpr int kNever = -1;
  GuardTable() : guards_(1) {}

  Guard operator[](int guard) const;
  /// The literal that can be tested first; of a guard that does not always hold, as for the two that follow.
  const Literal& first(int guard) const { return guards_[guards_[guard].first].last; }
  const Literal& last(int guard) const { return guards_[guard].last; }
  int without_last(int guard) const { return guards_[guard].rest; }
  int size(int guard) const { return guards_[guard].size; }
  /// With one literal more; kNever if it contradicts. Nothing is added to kNever.
  int with(int guard, const Literal& literal);
  /// Both; kNever if they contradict.
  int both(int a, int b);
  /// Whether `guard` holds wherever `other` does: anything does where kNever would.
  bool implied_by(int guard, int other) const;

 private:
  using Key = std::tuple<int, int, bool>;  // of a literal
  struct Entry {
    int rest = 0;   // the guard that `last` is behind
    int first = 0;  // the guard that has the first literal alone
    int size = 0;
    Literal last;
  };
  static Key key_of(const Literal& literal) {
    return {literal.predicate.node, literal.predicate.output, literal.value};
  }
  int longer(int guard, const Literal& literal);
  std::vector<Entry> guards_;
  std::map<std::pair<int, Key>, int> longer_;  // by the guard before, and the literal behind it
};

}  // namespace tinytf
