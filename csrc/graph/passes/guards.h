#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "graph/passes/frames.h"

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

/// A Merge of two branches.
struct BranchMerge {
  SubgraphNode::Input predicate{-1, 0};
  int if_true = 0;  ///< the input that is there if the predicate is true
  int by = -1;      ///< a Switch that asks for it, which errors name
  int only = -1;    ///< without a predicate: the input that it yields wherever it runs
};

/// What a Switch asks.
struct SwitchPredicate {
  SubgraphNode::Input predicate{-1, 0};
  bool is_negated = false;    ///< the Switch asks for the opposite
  std::optional<bool> known;  ///< what the Switch asks always is, where the Switch runs
};

/// When the nodes of a Subgraph run.
struct Guards {
  GuardTable table;
  std::vector<int> of;          ///< by node; kNever: both values of one predicate lead there
  std::vector<int> of_outputs;  ///< by node: when what it yields is there, in terms of the frame where that is read; of
                                ///< a Switch: when it runs itself
  std::vector<int> of_frames;   ///< by frame: when the loop is entered, in terms of the frame around it; -1: never
  std::vector<BranchMerge> merges;              ///< by node
  std::vector<SwitchPredicate> switches;        ///< by node
  std::optional<SubgraphNode::Input> known[2];  ///< a predicate that is known to be false, and one that is true

  /// When an output is there: of a Switch, it depends on which one.
  int of_output(const Subgraph& subgraph, const SubgraphNode::Input& output);
};

/// Unimplemented, naming a node, where branches are not those of nested conditions: a Merge whose inputs no single
/// predicate decides between. Then it takes tokens to find out what runs. Triggers run in any case; those of loops get
/// their place with them. All predicates that have one known value are one; whether a Merge has taken some input is its
/// own predicate, or the opposite; and in a loop that is entered only if a predicate has a value, it has that value. A
/// Merge of a constant yields it, as it is there first.
Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames);

/// By node: whether it runs once in every step, outside of loops and whatever predicates say. Where guards can not be
/// told, no node is known to. Fails as find_frames.
Result<std::vector<bool>> find_unconditional(const Subgraph& subgraph);

/// Whether a node only passes on the output of a Switch.
bool passes_switched_value(const Subgraph& subgraph, const SubgraphNode& node);

/// What a predicate is made of, behind nodes that only pass it on.
SubgraphNode::Input behind_identities(const Subgraph& subgraph, SubgraphNode::Input input);

}  // namespace tinytf
