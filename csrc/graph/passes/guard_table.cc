#include "graph/passes/guard_table.h"

#include <algorithm>

namespace tinytf {

namespace {

bool comes_before(const Literal& a, const Literal& b) {
  return std::tie(a.predicate.node, a.predicate.output) < std::tie(b.predicate.node, b.predicate.output);
}

}  // namespace

Guard GuardTable::operator[](int guard) const {
  Guard literals;
  literals.reserve(size(guard));
  for (; guard != 0; guard = without_last(guard)) literals.push_back(last(guard));
  std::reverse(literals.begin(), literals.end());
  return literals;
}

/// The guard extended by a literal that comes after all of its literals.
int GuardTable::longer(int guard, const Literal& literal) {
  const int number = static_cast<int>(guards_.size());
  const auto [known, is_new] = longer_.try_emplace({guard, key_of(literal)}, number);
  if (is_new) guards_.push_back({guard, guard == 0 ? number : guards_[guard].first, size(guard) + 1, literal});
  return known->second;
}

int GuardTable::with(int guard, const Literal& literal) {
  if (guard == kNever) return kNever;
  int before = guard;
  while (before != 0 && comes_before(literal, last(before))) before = without_last(before);
  if (before != 0 && last(before).same_predicate(literal)) {
    return last(before).value == literal.value ? guard : kNever;
  }
  std::vector<Literal> behind;  // In reverse order.
  for (int rest = guard; rest != before; rest = without_last(rest)) behind.push_back(last(rest));
  int all = longer(before, literal);
  for (auto one = behind.rbegin(); one != behind.rend(); ++one) all = longer(all, *one);
  return all;
}

int GuardTable::both(int a, int b) {
  if (a == kNever || b == kNever) return kNever;
  if (a == b || b == 0 || implied_by(b, a)) return a;
  if (a == 0 || implied_by(a, b)) return b;
  for (const Literal& literal : (*this)[b]) {
    a = with(a, literal);
    if (a == kNever) return kNever;
  }
  return a;
}

bool GuardTable::implied_by(int guard, int other) const {
  if (guard == kNever || other == kNever) return other == kNever;
  while (guard != other) {
    if (size(guard) >= size(other)) return false;
    if (guard == 0) return true;
    const Literal &few = last(guard), &many = last(other);
    if (few.same_predicate(many)) {
      if (few.value != many.value) return false;
      guard = without_last(guard);
    } else if (comes_before(many, few)) {
      return false;
    }
    other = without_last(other);
  }
  return true;
}

}  // namespace tinytf
