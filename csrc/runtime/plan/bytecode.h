#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// One instruction of the bytecode. Slots, nodes and targets are indices into the Program and its code.
struct Instruction {
  enum Do : int32_t {
    kRun,     ///< Run node a.
    kGuard,   ///< Jump to b unless predicate a (in Bytecode::predicates) has its value.
    kTest,    ///< As kGuard, for the condition of a loop.
    kMove,    ///< Execute move a (in Bytecode::moves).
    kSelect,  ///< Execute select a (in Bytecode::selects).
    kBack,    ///< End an iteration of loop a: execute its moves, then jump to b.
    kRegion,  ///< Run region a (in Bytecode::regions).
    kClear,   ///< Clear the slots at [a, b) of Bytecode::cleared.
  };
  Do what = kRun;
  int32_t a = 0, b = 0;
};

/// A boolean scalar that decides about a jump.
struct Predicate {
  int32_t slot = 0;
  bool value = false;            ///< The value that continues with the next instruction.
  int32_t loop = -1;             ///< For kTest: index in Bytecode::loops.
  const NodeInfo* by = nullptr;  ///< The Switch on the predicate, for errors.
};

struct Move {
  int32_t from = 0, to = 0;
  bool is_last = false;  ///< `from` is not read afterwards.
};

/// A Merge of two branches: selects slot `if_true` or `if_false` by the predicate.
struct Select {
  int32_t predicate = 0;  ///< Index in Bytecode::predicates.
  Move if_true, if_false;
  int32_t index_slot = -1;  ///< Slot of the Merge's index output; -1: unused.
  int32_t index_if_true = 0;
};

/// Describes a loop with independent iterations: its variables are int32 counters, and flows of the arrays that it
/// writes to. Apart from reading and writing array elements, the loop has no effects. Given the counters' values,
/// iterations can run in any order. Numbers are slots.
struct MapLoop {
  struct Counter {
    int32_t variable = 0;
    int32_t step = 0;  ///< Increment in each iteration.
  };
  struct Bound {
    size_t counter = 0;  ///< Index in `counters`.
    int32_t limit = 0;   ///< The loop runs while the counter is less than this.
  };
  std::vector<Counter> counters;
  std::vector<Bound> bounds;   ///< All must hold; not empty.
  std::vector<int32_t> taken;  ///< Other slots that iterations read; equal in all iterations.
  /// Array handles. The loop may run in parallel only if no array is among both.
  std::vector<int32_t> arrays_read, arrays_written;
};

/// A loop. Its back edges are moves that happen simultaneously.
struct BytecodeLoop {
  int32_t code_begin = 0, code_end = 0;    ///< In Bytecode::instructions: one iteration.
  int32_t moves_begin = 0, moves_end = 0;  ///< In Bytecode::moves.
  bool is_parallel = false;                ///< Some slot is both source and destination of moves.
  std::string frame;                       ///< Name of the frame, for messages.
  /// Null if iterations depend on each other, or if independence could not be proved.
  std::shared_ptr<const MapLoop> map;
};

/// A part of the program that the dataflow machine runs, because it cannot be compiled.
struct BytecodeRegion {
  struct Taken {
    int32_t slot = -1;    ///< -1: always dead. An empty slot is dead, too.
    bool is_own = false;  ///< Of the region, which empties it.
  };
  struct Given {
    size_t fetch = 0;  ///< Of the region's program.
    int32_t slot = 0;
    bool is_flag = false;  ///< The slot gets a boolean: whether the fetch is live.
  };
  std::shared_ptr<const Program> program;  ///< A dataflow program.
  std::vector<Taken> inputs;               ///< By feed of the region's program.
  std::vector<Given> outputs;
};

/// Bytecode for a Program whose control flow consists of nested conditions and while loops: straight-line code, guards
/// and jumps. All loops share one numbering of slots. A slot that is not written in a step stays empty.
struct Bytecode {
  std::vector<Instruction> instructions;
  std::vector<Predicate> predicates;
  std::vector<Move> moves;
  std::vector<Select> selects;
  std::vector<BytecodeLoop> loops;  ///< Outer loops come before their inner loops.
  std::vector<BytecodeRegion> regions;
  std::vector<int32_t> cleared;
  std::vector<int32_t> writers;  ///< By slot: the unit that writes it; -1: a feed or a constant.
};

/// As build_program, for control flow that consists of nested conditions and while loops, except for some regions.
/// Unimplemented, with the reason, for other control flow, and for loops with kernels that may wait for each other;
/// also if regions would run all nodes of a step.
Result<Program> build_bytecode(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                               bool is_partial);

}  // namespace tinytf
