#include "runtime/plan/bytecode_units.h"

#include <algorithm>

namespace tinytf {

namespace {

/// Calls `read` and `write` with the slots that a unit's code reads and writes.
template <class Read, class Write>
void for_each_slot(const Program& program, const Bytecode& code, const Unit& unit, Read read, Write write) {
  const auto move = [&](const Move& move) {
    read(move.from);
    write(move.to);
  };
  for (int32_t at = unit.code_begin; at < unit.code_end; ++at) {
    const Instruction& instruction = code.instructions[at];
    switch (instruction.what) {
      case Instruction::kRun: {
        const PlanNode& node = program.nodes[instruction.a];
        for (int32_t i = node.derefs_begin; i < node.derefs_end; ++i) {
          read(program.derefs[i].from);
          if (program.derefs[i].to >= 0) write(program.derefs[i].to);
        }
        for (int i = 0; i < node.num_inputs(); ++i) read(program.input_slots[node.first_input + i]);
        for (int i = 0; i < node.num_outputs(); ++i) write(node.first_output + i);
        for (int32_t i = node.snapshots_begin; i < node.snapshots_end; ++i) write(program.snapshots[i].to);
        break;
      }
      case Instruction::kGuard:
      case Instruction::kTest: read(code.predicates[instruction.a].slot); break;
      case Instruction::kMove: move(code.moves[instruction.a]); break;
      case Instruction::kSelect: {
        const Select& select = code.selects[instruction.a];
        read(code.predicates[select.predicate].slot);
        move(select.if_true);
        move(select.if_false);
        if (select.index_slot >= 0) write(select.index_slot);
        break;
      }
      case Instruction::kBack: {
        const BytecodeLoop& loop = code.loops[instruction.a];
        for (int32_t i = loop.moves_begin; i < loop.moves_end; ++i) move(code.moves[i]);
        break;
      }
      case Instruction::kRegion: {
        for (const BytecodeRegion::Taken& input : code.regions[instruction.a].inputs) {
          if (input.slot >= 0) read(input.slot);
        }
        for (const BytecodeRegion::Given& output : code.regions[instruction.a].outputs) write(output.slot);
        break;
      }
      case Instruction::kClear: break;
    }
  }
}

/// Sets PlanNode::unit_last_use: the last reads of slots that the unit wrote itself.
void find_own_reads(const Bytecode& code, Program& program, const Unit& unit, int32_t number) {
  for (int32_t n = unit.begin; n < unit.end; ++n) {
    PlanNode& node = program.nodes[n];
    for (int i = 0; i < node.num_inputs() && i < 64; ++i) {
      const uint64_t bit = uint64_t{1} << i;
      if (code.writers[program.input_slots[node.first_input + i]] == number) node.unit_last_use |= node.last_use & bit;
    }
  }
}

/// The number of nodes that may block in the unit's regions.
int32_t blocking_in_regions(const Bytecode& code, const Unit& unit) {
  int32_t blocking = 0;
  for (int32_t at = unit.code_begin; at < unit.code_end; ++at) {
    if (code.instructions[at].what != Instruction::kRegion) continue;
    for (const PlanNode& node : code.regions[code.instructions[at].a].program->nodes) {
      blocking += node.info->op->may_block;
    }
  }
  return blocking;
}

}  // namespace

void make_bytecode_units(Program& program, Bytecode& code, std::vector<std::pair<int32_t, int32_t>> waits) {
  const auto ignore = [](int32_t) {};
  const auto count = static_cast<int32_t>(program.units.size());
  code.writers.assign(program.slot_count, -1);
  for (int32_t u = 0; u < count; ++u) {
    for_each_slot(program, code, program.units[u], ignore, [&](int32_t slot) { code.writers[slot] = u; });
    program.units[u].blocking = blocking_in_regions(code, program.units[u]);
  }
  std::vector<int32_t> seen_by(program.slot_count, -1);
  for (int32_t u = 0; u < count; ++u) {
    Unit& unit = program.units[u];
    unit.reads_begin = static_cast<int32_t>(program.reads.size());
    const auto read = [&](int32_t slot) {
      const int32_t writer = code.writers[slot];
      if (writer == u || std::exchange(seen_by[slot], u) == u) return;
      if (writer >= 0) waits.emplace_back(writer, u);
      if (unit.is_code) program.reads.push_back(slot);
    };
    for_each_slot(program, code, unit, read, ignore);
    unit.reads_end = static_cast<int32_t>(program.reads.size());
    find_own_reads(code, program, unit, u);
  }
  const auto is_own = [](const auto& wait) { return wait.first == wait.second; };
  waits.erase(std::remove_if(waits.begin(), waits.end(), is_own), waits.end());
  std::sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  link_units(program, waits);
}

bool run_in_turn(const ControlStructure& control, const std::vector<int>& nodes) {
  const auto& [subgraph, frames, guards, loops] = control;
  constexpr size_t kMost = 64;  // Each takes a traversal.
  if (nodes.size() > kMost) return false;
  for (size_t k = 1; k < nodes.size(); ++k) {
    std::vector<bool> is_before(subgraph.nodes.size());  // Nodes that the k-th one depends on.
    std::vector<int> to_visit{nodes[k]};
    while (!to_visit.empty()) {
      const SubgraphNode& node = subgraph.nodes[to_visit.back()];
      to_visit.pop_back();
      const auto visit = [&](int source) {
        if (source < nodes[0] || is_before[source]) return;
        is_before[source] = true;
        to_visit.push_back(source);
      };
      for (const auto& input : node.inputs) {
        if (!subgraph.fed(input)) visit(input.node);
      }
      for (const int control : node.control_inputs) visit(control);
    }
    for (size_t i = 0; i < k; ++i) {
      const bool excludes = frames.of[nodes[i]] == frames.of[nodes[k]] &&
                            guards.table.both(guards.of[nodes[i]], guards.of[nodes[k]]) == GuardTable::kNever;
      if (!excludes && !is_before[nodes[i]]) return false;
    }
  }
  return true;
}

}  // namespace tinytf
