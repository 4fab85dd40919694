#pragma once

#include <map>
#include <memory>
#include <vector>

#include "graph/passes/regions.h"
#include "runtime/plan/bytecode.h"
#include "runtime/plan/bytecode_writer.h"

namespace tinytf {

/// Builds the dataflow program of a region.
using RegionSource = FunctionRef<Result<std::shared_ptr<const Program>>(const Region&)>;

/// Emits the regions of a contracted subgraph (graph/passes/regions.h).
class BytecodeRegions {
 public:
  /// All arguments must outlive this object.
  BytecodeRegions(const ControlStructure& control, BytecodeSlots& slots, SlotLiveness& uses, BytecodeWriter& writer,
                  Program& program, Bytecode& code, RegionSource source)
      : control_(control),
        slots_(slots),
        uses_(uses),
        writer_(writer),
        program_(program),
        code_(code),
        source_(source) {}

  /// Builds the program of the region for which the node stands. Sets Program::may_wait of the whole program if it has
  /// asynchronous kernels.
  Status build(int index);
  /// Whether the region, which was built, has asynchronous kernels.
  bool may_wait(int index) const { return programs_.at(index)->may_wait; }

  /// Emits the node that stands for a region, which was built. Inputs that may be dead while it runs are moved to slots
  /// of its own, under their guards. Unimplemented if it reads a reference that may be dead.
  Status emit(int index, BytecodeWriter::Run& run);

 private:
  BytecodeRegion::Taken take(int32_t slot, int live, int index, BytecodeWriter::Run& run);
  int32_t true_slot();
  void add_outputs(int index, BytecodeRegion& region);

  const ControlStructure& control_;
  BytecodeSlots& slots_;
  SlotLiveness& uses_;
  BytecodeWriter& writer_;
  Program& program_;
  Bytecode& code_;
  RegionSource source_;
  std::map<int, std::shared_ptr<const Program>> programs_;  // By node that stands for a region.
  int32_t true_slot_ = -1;                                  // Of a constant; -1: none yet.
};

}  // namespace tinytf
