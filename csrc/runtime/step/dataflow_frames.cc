#include "runtime/step/dataflow_frames.h"

#include <algorithm>

namespace tinytf {

FrameInstance* DataflowFrames::make_frame(int32_t frame, FrameInstance* parent, int64_t parent_iteration) {
  if (free_frames_.empty()) free_frames_.push_back(std::make_unique<FrameInstance>());
  frames_.push_back(std::move(free_frames_.back()));
  free_frames_.pop_back();
  FrameInstance& made = *frames_.back();
  made.layout = &program_.frames[frame];
  made.parent = parent;
  made.parent_iteration = parent_iteration;
  made.enters_left = made.layout->enters;
  made.last = -1;
  made.oldest = 0;
  made.most_at_once = 1;
  made.has_left.assign(made.layout->nodes.size(), false);
  begin_iteration(made);
  return &made;
}

void DataflowFrames::begin_iteration(FrameInstance& frame) {
  const DataflowFrame& layout = *frame.layout;
  auto& free = free_[index(frame)];
  std::unique_ptr<IterationState> state;
  if (free.empty()) {
    state = std::make_unique<IterationState>();
    state->slots.resize(layout.slot_count);
    state->counts.resize(layout.nodes.size());
    state->children.resize(layout.children);
  } else {
    state = std::move(free.back());
    free.pop_back();
  }
  for (size_t i = 0; i < layout.nodes.size(); ++i) {
    const DataflowNode& node = program_.nodes[layout.nodes[i]];
    const bool is_merge = node.kind == ControlFlow::kMerge;
    state->counts[i] = {is_merge ? 1 + 2 * node.control_inputs : node.data_inputs + node.control_inputs, 0};
  }
  frame.iterations.push_back(std::move(state));
  ++frame.last;
}

void DataflowFrames::end_oldest(FrameInstance& frame) {
  for (Slot& slot : frame.iterations.front()->slots) slot = Slot();  // Nodes that did not get all of their inputs.
  free_[index(frame)].push_back(std::move(frame.iterations.front()));
  frame.iterations.pop_front();
  ++frame.oldest;
}

void DataflowFrames::forget(FrameInstance* frame) {
  frame->constants.clear();
  frame->deferred.clear();
  frame->dead_exits.clear();
  const auto found =
      std::find_if(frames_.begin(), frames_.end(), [frame](const auto& other) { return other.get() == frame; });
  free_frames_.push_back(std::move(*found));
  *found = std::move(frames_.back());
  frames_.pop_back();
}

}  // namespace tinytf
