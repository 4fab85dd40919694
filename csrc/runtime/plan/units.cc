#include <algorithm>

#include "runtime/plan/program.h"

namespace tinytf {

namespace {

/// Whether nodes that may block do not all wait for one another.
bool may_block_side_by_side(const Program& program) {
  std::vector<int32_t> before(program.units.size(), 0);  // that may block, on the path to a unit that has most of them
  int32_t all = 0, most = 0;
  for (size_t u = 0; u < program.units.size(); ++u) {
    const Unit& unit = program.units[u];
    int32_t blocking = 0;
    for (int32_t n = unit.begin; n < unit.end; ++n) blocking += program.nodes[n].info->op->may_block;
    all += blocking;
    const int32_t path = before[u] + blocking;
    most = std::max(most, path);
    for (int32_t i = unit.consumers_begin; i < unit.consumers_end; ++i) {
      int32_t& consumer = before[program.consumers[i]];
      consumer = std::max(consumer, path);
    }
  }
  return all > most;
}

}  // namespace

void make_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits) {
  program.units.resize(program.nodes.size());
  for (size_t n = 0; n < program.nodes.size(); ++n) {
    program.units[n].begin = static_cast<int32_t>(n);
    program.units[n].end = static_cast<int32_t>(n) + 1;
  }
  // Who waits for a unit lie one behind the other: counted first, then put there.
  const auto for_each = [&](auto visit) {
    std::vector<int32_t> last(program.units.size(), -1);  // who was last seen to wait for it
    for (const auto& [source, waiter] : waits) {
      if (std::exchange(last[source], waiter) != waiter) visit(program.units[source], waiter);
    }
  };
  for_each([&](Unit& unit, int32_t waiter) {
    ++unit.consumers_end;
    ++program.units[waiter].pending;
  });
  int32_t total = 0;
  for (Unit& unit : program.units) {
    unit.consumers_begin = total;
    total += std::exchange(unit.consumers_end, total);
  }
  program.consumers.resize(total);
  for_each([&](Unit& unit, int32_t waiter) { program.consumers[unit.consumers_end++] = waiter; });
  for (size_t u = 0; u < program.units.size(); ++u) {
    if (program.units[u].pending == 0) program.roots.push_back(static_cast<int32_t>(u));
  }
  program.may_wait |= may_block_side_by_side(program);
}

}  // namespace tinytf
