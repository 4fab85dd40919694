#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// A predicate and the value that it must have.
struct Literal {
  SubgraphNode::Input predicate;
  bool value = false;
  int by = -1;  ///< A Switch on the predicate, for error messages.

  bool same_predicate(const Literal& other) const {
    return predicate.node == other.predicate.node && predicate.output == other.predicate.output;
  }
};

/// The conjunction of literals under which a node runs in an iteration of its frame, in an order in which they can be
/// evaluated.
using Guard = std::vector<Literal>;

/// The distinct guards of a Subgraph, by number. Guard 0 always holds. Every other guard is a shorter guard and one
/// literal that comes after it; guards of nested conditions thus share their prefixes.
class GuardTable {
 public:
  static constexpr int kNever = -1;
  GuardTable() : guards_(1) {}

  Guard operator[](int guard) const;
  /// The literal that is evaluated first. This and the next two methods require a guard other than 0.
  const Literal& first(int guard) const { return guards_[guards_[guard].first].last; }
  const Literal& last(int guard) const { return guards_[guard].last; }
  int without_last(int guard) const { return guards_[guard].rest; }
  int size(int guard) const { return guards_[guard].size; }
  /// The guard and one more literal; kNever if they contradict or `guard` is kNever.
  int with(int guard, const Literal& literal);
  /// The conjunction of both; kNever if they contradict.
  int both(int a, int b);
  /// The literals that both have; the other guard if one is kNever.
  int common(int a, int b);
  /// Whether some of `guards` holds whenever `guard` does. False if that takes too long to find out.
  bool covered(int guard, const std::vector<int>& guards);
  /// Whether `guard` holds whenever `other` does; true if `other` is kNever.
  bool implied_by(int guard, int other) const;

 private:
  using Key = std::tuple<int, int, bool>;  // Identifies a literal.
  struct Entry {
    int rest = 0;   // The guard without its last literal.
    int first = 0;  // The guard that consists of the first literal only.
    int size = 0;
    Literal last;
  };
  static Key key_of(const Literal& literal) {
    return {literal.predicate.node, literal.predicate.output, literal.value};
  }
  int longer(int guard, const Literal& literal);
  bool covered(int guard, const std::vector<int>& guards, int& steps);
  std::vector<Entry> guards_;
  std::map<std::pair<int, Key>, int> longer_;  // By shorter guard and additional literal.
};

}  // namespace tinytf
