#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/plan/token_program.h"

namespace tinytf {

struct FrameInstance;

/// What a node still waits for in one iteration. A Merge counts otherwise: two for each control input, and the lowest
/// bit until the first live value comes.
struct TokenCounts {
  int32_t pending = 0;
  int32_t dead = 0;  ///< inputs that came without a value
};

/// One iteration of a loop that runs.
struct IterationState {
  std::vector<Slot> slots;
  std::vector<TokenCounts> counts;       ///< by place of the node
  std::vector<FrameInstance*> children;  ///< inner loops that run, by place
  int32_t nodes_left = 0;                ///< nodes that can run or wait
  int32_t frames_left = 0;               ///< inner loops that run
};

/// A value that comes to each iteration, or a value for one that may not begin yet.
struct HeldToken {
  int32_t node = 0;
  Slot value;
  bool is_dead = false;
};

/// A loop that runs, entered from one iteration of the frame around it; or the step itself.
struct FrameInstance {
  const TokenFrame* layout = nullptr;
  FrameInstance* parent = nullptr;
  int64_t parent_iteration = 0;
  int64_t last = 0;    ///< the number of the newest iteration
  int64_t oldest = 0;  ///< that still runs
  int32_t enters_left = 0;
  int64_t most_at_once = 1;
  std::deque<std::unique_ptr<IterationState>> iterations;  ///< from the oldest to the newest
  std::vector<HeldToken> constants;                        ///< for all iterations
  std::vector<HeldToken> deferred;                         ///< for the next iteration
  std::vector<int32_t> dead_exits;                         ///< of the newest iteration
  std::vector<bool> has_left;                              ///< by place of an Exit: whether it has passed on a value

  IterationState& iteration(int64_t number) { return *iterations[static_cast<size_t>(number - oldest)]; }
  bool is_done() const { return enters_left == 0 && iterations.empty(); }
  /// Nothing more can happen in the oldest iteration.
  bool is_oldest_done() const {
    const IterationState& state = *iterations.front();
    return state.nodes_left == 0 && state.frames_left == 0 && (oldest > 0 || enters_left == 0);
  }
};

/// Makes frames and iterations, of what earlier ones of the step have left.
class TokenFrames {
 public:
  explicit TokenFrames(const TokenProgram& program) : program_(program), free_(program.frames.size()) {}

  /// Its first iteration is there.
  FrameInstance* make_frame(int32_t frame, FrameInstance* parent, int64_t parent_iteration);
  void begin_iteration(FrameInstance& frame);
  void end_oldest(FrameInstance& frame);
  void forget(FrameInstance* frame);

 private:
  size_t index(const FrameInstance& frame) const { return static_cast<size_t>(frame.layout - program_.frames.data()); }

  const TokenProgram& program_;
  std::vector<std::vector<std::unique_ptr<IterationState>>> free_;  // by frame
  std::vector<std::unique_ptr<FrameInstance>> frames_, free_frames_;
};

}  // namespace tinytf
