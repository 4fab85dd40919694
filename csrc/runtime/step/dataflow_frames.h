#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/plan/dataflow_program.h"

namespace tinytf {

struct FrameInstance;

/// The inputs that a node still waits for in one iteration. For a Merge, `pending` has two for each control input, plus
/// the lowest bit until the first live value arrives.
struct DataflowCounts {
  int32_t pending = 0;
  int32_t dead = 0;  ///< Number of dead inputs that have arrived.
};

/// A running iteration of a loop.
struct IterationState {
  std::vector<Slot> slots;
  std::vector<DataflowCounts> counts;    ///< By index of the node in its frame.
  std::vector<FrameInstance*> children;  ///< Running inner loops, by index.
  int32_t nodes_left = 0;                ///< Nodes that are ready or waiting.
  int32_t frames_left = 0;               ///< Running inner loops.
};

/// A value for each iteration, or for an iteration that may not begin yet.
struct HeldToken {
  int32_t node = 0;
  Slot value;
  bool is_dead = false;
};

/// A running loop, entered from one iteration of its outer frame; or the step itself.
struct FrameInstance {
  const DataflowFrame* layout = nullptr;
  FrameInstance* parent = nullptr;
  int64_t parent_iteration = 0;
  int64_t last = 0;    ///< Number of the newest iteration.
  int64_t oldest = 0;  ///< Number of the oldest running iteration.
  int32_t enters_left = 0;
  int64_t most_at_once = 1;
  std::deque<std::unique_ptr<IterationState>> iterations;  ///< From the oldest to the newest.
  std::vector<HeldToken> constants;                        ///< For all iterations.
  std::vector<HeldToken> deferred;                         ///< For the next iteration.
  std::vector<int32_t> dead_exits;                         ///< Of the newest iteration.
  std::vector<bool> has_left;                              ///< By index of an Exit: whether it has passed on a value.

  IterationState& iteration(int64_t number) { return *iterations[static_cast<size_t>(number - oldest)]; }
  bool is_done() const { return enters_left == 0 && iterations.empty(); }
  /// Whether nothing more can happen in the oldest iteration.
  bool is_oldest_done() const {
    const IterationState& state = *iterations.front();
    return state.nodes_left == 0 && state.frames_left == 0 && (oldest > 0 || enters_left == 0);
  }
};

/// Allocates frames and iterations, recycling finished ones of the same step.
class DataflowFrames {
 public:
  explicit DataflowFrames(const DataflowProgram& program) : program_(program), free_(program.frames.size()) {}

  /// The frame has its first iteration.
  FrameInstance* make_frame(int32_t frame, FrameInstance* parent, int64_t parent_iteration);
  void begin_iteration(FrameInstance& frame);
  void end_oldest(FrameInstance& frame);
  void forget(FrameInstance* frame);

 private:
  size_t index(const FrameInstance& frame) const { return static_cast<size_t>(frame.layout - program_.frames.data()); }

  const DataflowProgram& program_;
  std::vector<std::vector<std::unique_ptr<IterationState>>> free_;  // By frame.
  std::vector<std::unique_ptr<FrameInstance>> frames_, free_frames_;
};

}  // namespace tinytf
