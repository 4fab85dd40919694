#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// What the interpreter does next. Slots, nodes and targets are numbers in the Program and its code.
struct Instruction {
  enum Do : int32_t {
    kRun,     ///< runs node a
    kGuard,   ///< goes on at b unless predicate a (of ProgramCode::predicates) has its value
    kTest,    ///< the same, of a loop that is left
    kMove,    ///< move a (of ProgramCode::moves)
    kSelect,  ///< select a (of ProgramCode::selects)
    kBack,    ///< ends an iteration of loop a: its moves, then on at b
    kClear,   ///< empties the slots a to b (of ProgramCode::cleared)
  };
  Do what = kRun;
  int32_t a = 0, b = 0;
};

/// A scalar that decides where to go on.
struct Predicate {
  int32_t slot = 0;
  bool value = false;            ///< that goes on with the next instruction
  int32_t loop = -1;             ///< of kTest: in ProgramCode::loops
  const NodeInfo* by = nullptr;  ///< the Switch that asks, for errors
};

struct Move {
  int32_t from = 0, to = 0;
  bool is_last = false;  ///< nobody reads `from` afterwards
};

/// A Merge of two branches: what is in slot `if_true` or `if_false`, as the predicate says.
struct Select {
  int32_t predicate = 0;  ///< in ProgramCode::predicates
  Move if_true, if_false;
  int32_t index_slot = -1;  ///< for the number of the input; -1: nobody wants it
  int32_t index_if_true = 0;
};

/// What makes the iterations of a loop independent of one another: its variables are int32 counters, and the flows of
/// arrays that it writes to; nothing in it has other effects, but that it reads elements of arrays. Numbers are slots.
/// Who knows how the counters go may run iterations in any order.
struct MapLoop {
  struct Counter {
    int32_t variable = 0;
    int32_t step = 0;  ///< what each iteration adds
  };
  struct Bound {
    size_t counter = 0;  ///< in `counters`
    int32_t limit = 0;   ///< the loop runs as long as the counter is less than this
  };
  std::vector<Counter> counters;
  std::vector<Bound> bounds;                         ///< all of them hold; at least one
  std::vector<int32_t> taken;                        ///< other slots that iterations read, and all have alike
  std::vector<int32_t> arrays_read, arrays_written;  ///< handles; the loop maps if no array is among both
};

/// A loop: its back edges are moves, all at once.
struct CodeLoop {
  int32_t code_begin = 0, code_end = 0;    ///< in ProgramCode::instructions: what each iteration runs
  int32_t moves_begin = 0, moves_end = 0;  ///< in ProgramCode::moves
  bool is_parallel = false;                ///< some slot is both read and written
  std::string frame;                       ///< its name, for messages
  std::shared_ptr<const MapLoop> map;      ///< null: iterations need those before them, or nobody knows that not
};

/// Straight code, guards and jumps over the nodes of a Program: branches and loops of the common kind, compiled. Slots
/// are numbered through all loops; one that is not written in a step is empty.
struct ProgramCode {
  std::vector<Instruction> instructions;
  std::vector<Predicate> predicates;
  std::vector<Move> moves;
  std::vector<Select> selects;
  std::vector<CodeLoop> loops;  ///< an outer loop before those in it
  std::vector<int32_t> cleared;
  std::vector<int32_t> writers;  ///< by slot: the unit that writes it; -1: a feed or a constant
};

/// The same as build_program for branches and loops of the common kind. Unimplemented, saying what stands against it,
/// if there are others, or a loop with kernels that may wait for one another.
Result<Program> build_code(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                           bool is_partial);

}  // namespace tinytf
