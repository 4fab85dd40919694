#include <algorithm>

#include "runtime/plan/program.h"

namespace tinytf {

namespace {

/// Whether two nodes that may block could run concurrently.
bool may_block_side_by_side(const Program& program) {
  std::vector<int32_t> before(program.units.size(), 0);  // By unit: most such nodes on a path to it.
  int32_t all = 0, most = 0;
  for (size_t u = 0; u < program.units.size(); ++u) {
    const Unit& unit = program.units[u];
    all += unit.blocking;
    const int32_t path = before[u] + unit.blocking;
    most = std::max(most, path);
    for (int32_t i = unit.consumers_begin; i < unit.consumers_end; ++i) {
      int32_t& consumer = before[program.consumers[i]];
      consumer = std::max(consumer, path);
    }
  }
  return all > most;
}

/// Records the distinct slots of a node's inputs.
void note_reads(Program& program, Unit& unit) {
  const PlanNode& node = program.nodes[unit.begin];
  const auto inputs = program.input_slots.begin() + node.first_input;
  const auto begin = static_cast<int32_t>(program.reads.size());
  program.reads.insert(program.reads.end(), inputs, inputs + node.num_inputs());
  std::sort(program.reads.begin() + begin, program.reads.end());
  program.reads.erase(std::unique(program.reads.begin() + begin, program.reads.end()), program.reads.end());
  unit.reads_begin = begin;
  unit.reads_end = static_cast<int32_t>(program.reads.size());
}

/// Counts readers, for steps on several threads, where the last reader is known only at run time.
void count_reads(Program& program) {
  program.slot_uses.assign(program.slot_count, 0);
  for (Unit& unit : program.units) {
    if (!unit.is_code && unit.begin < unit.end) note_reads(program, unit);
    for (int32_t i = unit.reads_begin; i < unit.reads_end; ++i) ++program.slot_uses[program.reads[i]];
  }
  for (int32_t slot : program.fetch_slots) ++program.slot_uses[slot];
  for (const auto& [slot, value] : program.constants) program.slot_uses[slot] = -1;
}

}  // namespace

void make_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits) {
  program.units.resize(program.nodes.size());
  for (size_t n = 0; n < program.nodes.size(); ++n) {
    program.units[n].begin = static_cast<int32_t>(n);
    program.units[n].end = static_cast<int32_t>(n) + 1;
  }
  link_units(program, waits);
}

void link_units(Program& program, const std::vector<std::pair<int32_t, int32_t>>& waits) {
  count_reads(program);
  for (Unit& unit : program.units) {
    for (int32_t n = unit.begin; n < unit.end; ++n) unit.blocking += program.nodes[n].info->op->may_block;
  }
  // The consumers of a unit are contiguous: counted first, then stored.
  const auto for_each = [&](auto visit) {
    std::vector<int32_t> last(program.units.size(), -1);  // By unit: the consumer seen last.
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
