#pragma once

#include <memory>
#include <vector>

#include "runtime/plan/bytecode.h"
#include "runtime/step/cut_nodes.h"
#include "runtime/step/step_services.h"
#include "runtime/step/stop_check.h"

namespace tinytf {

/// Runs a step with control flow by TensorFlow's rules: a node's outputs are sent to its consumers as tokens, each of
/// which belongs to one iteration of one frame. Consumers of the dead output of a Switch do not run, and send dead
/// tokens in turn. Runs on the calling thread; asynchronous kernels block it only if nothing else is ready. `feeds` are
/// moved from; an empty slot is a dead value. On success `fetches` has the fetched values; invalid tensors where none
/// arrived. Else returns the first error, with the node's tag, after everything that began has ended. Internal if two
/// values arrive for one fetch. `stop_check`: null on threads that need not check it. `around`: the iterations in which
/// the program runs.
Status run_dataflow(const Program& program, const StepServices& services, StepStopCheck* stop_check,
                    const Iterations& around, std::vector<Slot>& feeds, std::vector<Tensor>& fetches);

/// A run of a region of a compiled program, which gives its thread back while kernels wait. Takes the region's inputs
/// from the step's slots when it is made. For one thread at a time; the arguments of the constructor outlive it.
class RegionRun {
 public:
  /// A function that is called once after each go_on() that returned false, maybe before that has returned: the next
  /// go_on() is due. It may be called on any thread and under locks of a cancellation, so it only schedules.
  struct Stirred {
    void (*call)(void*) = nullptr;
    void* with = nullptr;
  };

  /// `around`: the iterations in which the region runs.
  RegionRun(const BytecodeRegion& region, const StepServices& services, Iterations around, Slot* slots,
            Stirred stirred);
  RegionRun(const RegionRun&) = delete;
  RegionRun& operator=(const RegionRun&) = delete;
  /// No kernel waits: go_on() has returned true.
  ~RegionRun();

  /// Runs what is ready, with the stop check of the calling thread; null if it need not check. Returns whether the
  /// region has ended, with an error or without.
  bool go_on(StepStopCheck* stop_check);
  /// After go_on() returned true: writes the outputs to their slots, or returns the first error.
  Status end();
  /// The nodes whose asynchronous kernels failed.
  const CutNodes& cut() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

/// Runs a region without asynchronous kernels. The arguments are those of RegionRun.
Status run_region(const BytecodeRegion& region, const StepServices& services, StepStopCheck* stop_check,
                  Iterations around, Slot* slots);

}  // namespace tinytf
