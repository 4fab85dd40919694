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

int GuardTable::common(int a, int b) {
  if (a == kNever || b == kNever) return a == kNever ? b : a;
  int found = 0;
  const Guard others = (*this)[b];
  for (const Literal& literal : (*this)[a]) {
    const auto is_it = [&](const Literal& other) {
      return other.same_predicate(literal) && other.value == literal.value;
    };
    if (std::any_of(others.begin(), others.end(), is_it)) found = longer(found, literal);
  }
  return found;
}

bool GuardTable::covered(int guard, const std::vector<int>& guards) {
  int steps = 256;  // Each splits one case by a predicate.
  return covered(guard, guards, steps);
}

bool GuardTable::covered(int guard, const std::vector<int>& guards, int& steps) {
  if (guard == kNever) return true;
  const auto holds = [&](int one) { return one != kNever && implied_by(one, guard); };
  if (std::any_of(guards.begin(), guards.end(), holds)) return true;
  const auto may_hold = [&](int one) { return both(guard, one) != kNever; };
  const auto possible = std::find_if(guards.begin(), guards.end(), may_hold);
  if (possible == guards.end() || --steps < 0) return false;
  for (Literal literal : (*this)[*possible]) {
    if (with(guard, literal) == guard) continue;
    literal.value = !literal.value;
    const int otherwise = with(guard, literal);
    literal.value = !literal.value;
    return covered(otherwise, guards, steps) && covered(with(guard, literal), guards, steps);
  }
  return false;
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
