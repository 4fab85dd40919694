#include "runtime/step/dataflow_machine.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "op/async_kernel.h"
#include "runtime/step/cut_nodes.h"
#include "runtime/step/dataflow_frames.h"
#include "runtime/step/fetched_variables.h"
#include "runtime/step/run_node.h"
#include "services/fork_gate.h"

namespace tinytf {

/// Runs a program by tokens. All members are for one thread; started kernels end on others.
class DataflowMachine {
 public:
  /// `stirred`: see RegionRun; for suspend().
  DataflowMachine(const Program& program, const StepServices& services, const Iterations& around,
                  std::vector<Tensor>& fetches, RegionRun::Stirred stirred = {})
      : program_(program),
        tokens_(*program_.tokens),
        services_(services),
        around_(around),
        fetches_(fetches),
        stirred_(stirred),
        frames_(tokens_),
        root_(frames_.make_frame(0, nullptr, 0)) {}

  void begin(std::vector<Slot>& feeds) {
    note(guarded([&] {
      fetches_.assign(program_.fetch_slots.size(), Tensor());
      variables_.assign(program_.snapshots.empty() ? 0 : fetches_.size(), Slot());
      return send_sources(feeds);
    }));
  }

  /// Runs the nodes that are ready. Returns false if started kernels have not ended. `stop_check`: see run_dataflow.
  bool go_on(StepStopCheck* stop_check) {
    stop_check_ = stop_check;
    if (status_.ok()) note(guarded([this] { return run_ready(); }));
    if (!status_.ok()) drop_ended();
    return waiting_ == 0;
  }

  /// After go_on() returned false: sleeps until a kernel has ended or a look is due.
  void sleep() {
    constexpr auto kNever = StepStopCheck::Clock::time_point::max();
    const auto due = stop_check_ != nullptr && status_.ok() ? stop_check_->next_look() : kNever;
    bool has_ended = true;
    {
      const ForkGate::Outside at_rest;
      std::unique_lock lock(mutex_);
      const auto has_some = [this] { return !ended_.empty(); };
      if (due == kNever) {
        changed_.wait(lock, has_some);
      } else {
        has_ended = changed_.wait_until(lock, due, has_some);
      }
    }
    if (!has_ended) note(stop_check_->look());
  }

  /// After go_on() returned false: whether the next kernel that ends calls `stirred`. Else one has ended already. If it
  /// is true, the machine may be in use on another thread at once.
  bool suspend() {
    std::lock_guard lock(mutex_);
    is_suspended_ = ended_.empty();
    return is_suspended_;
  }

  /// The result, after go_on() returned true.
  Status end() {
    if (status_.code() == Code::kDeadlineExceeded && has_ended()) status_ = cut_.told(std::move(status_));
    if (status_.ok()) status_ = read_variables();
    if (!status_.ok()) fetches_.clear();
    return std::move(status_);
  }

  /// The nodes whose kernels failed.
  const CutNodes& cut() const { return cut_; }

 private:
  /// A ready node, which runs or is dead.
  struct Token {
    FrameInstance* frame = nullptr;
    int64_t iteration = 0;
    int32_t node = 0;
    bool is_dead = false;
  };

  /// A started asynchronous kernel. It belongs to the kernel until it is in `ended_`.
  struct Waiting {
    Waiting(DataflowMachine& machine, const Token& token, const PlanNode& node, Slot* slots)
        : machine(machine),
          token(token),
          run(machine.program_, node, machine.services_, slots, kAllRead, machine.iterations_of(token)) {}
    DataflowMachine& machine;
    const Token token;
    NodeRun run;
    Status status;
  };

  static constexpr uint64_t kAllRead = ~uint64_t{0};  // Each slot has one reader.

  /// Keeps the first error, and ends the kernels that wait.
  void note(Status status) {
    if (status.ok()) return;
    status_ = std::move(status);
    services_.cancellation->cancel();
  }

  Status send_sources(std::vector<Slot>& feeds) {
    for (const DataflowSource& constant : tokens_.constants) {
      TINYTF_RETURN_IF_ERROR(give(constant, {constant.value, nullptr}));
    }
    for (size_t i = 0; i < feeds.size(); ++i) {
      const Slot value = std::exchange(feeds[i], Slot());
      TINYTF_RETURN_IF_ERROR(give(tokens_.feeds[i], value));
    }
    for (const int32_t node : tokens_.roots) make_ready({root_, 0, node, false});
    return Status();
  }

  Status give(const DataflowSource& source, const Slot& value) {
    for (int32_t e = source.edges_begin; e < source.edges_end; ++e) {
      TINYTF_RETURN_IF_ERROR(arrive(tokens_.edges[e], &value, !has_value(&value), ControlFlow::kNone, *root_, 0));
    }
    return Status();
  }

  Status run_ready() {
    for (uint64_t count = 1;; ++count) {
      if (next_ == ready_.size()) {
        ready_.clear();
        next_ = 0;
        if (waiting_ == 0) return services_.cancellation->cancelled() ? step_cancelled() : Status();
        const int before = waiting_;
        TINYTF_RETURN_IF_ERROR(take_ended());
        if (waiting_ == before) return Status();
        continue;
      }
      if (next_ >= kMostPassed) {
        ready_.erase(ready_.begin(), ready_.begin() + static_cast<ptrdiff_t>(next_));
        next_ = 0;
      }
      const Token token = ready_[next_++];
      if (services_.cancellation->cancelled()) return why_ended(step_cancelled());
      Status status = process(token);
      if (!status.ok()) return why_ended(std::move(status));
      if (stop_check_ != nullptr && (stop_check_->has_deadline() || count % 16 == 0)) {
        TINYTF_RETURN_IF_ERROR(stop_check_->look());
      }
      if (waiting_ > 0) TINYTF_RETURN_IF_ERROR(take_ended());
    }
  }

  bool has_ended() const { return stop_check_ != nullptr && !stop_check_->ended().ok(); }
  Status why_ended(Status status) const { return has_ended() ? stop_check_->ended() : std::move(status); }

  Status process(const Token& token) {
    if (token.is_dead) return conclude(token);
    const PlanNode& node = program_.nodes[token.node];
    Slot* const slots = token.frame->iteration(token.iteration).slots.data();
    if (node.kernel->is_async()) return start(token, node, slots);
    Status status = services_.observer == nullptr
                        ? run_node(program_, node, services_, slots, kAllRead)
                        : run_watched_node(program_, node, services_, slots, kAllRead, iterations_of(token));
    return status.ok() ? conclude(token) : in_iterations(std::move(status), iterations_of(token));
  }

  Iterations iterations_of(const Token& token) const {
    Iterations iterations;
    int64_t number = token.iteration;
    for (const FrameInstance* frame = token.frame; frame->parent != nullptr; frame = frame->parent) {
      iterations.loops.push_back({&frame->layout->name, number});
      number = frame->parent_iteration;
    }
    std::reverse(iterations.loops.begin(), iterations.loops.end());
    iterations.loops.insert(iterations.loops.begin(), around_.loops.begin(), around_.loops.end());
    return iterations;
  }

  /// Handles a node that has run or is dead.
  Status conclude(const Token& token) {
    const DataflowNode& node = tokens_.nodes[token.node];
    FrameInstance& frame = *token.frame;
    IterationState& state = frame.iteration(token.iteration);
    Slot* const outputs = state.slots.data() + program_.nodes[token.node].first_output;
    TINYTF_RETURN_IF_ERROR(pass_on(token, node, outputs));
    for (int32_t s = node.slots_begin; s < node.slots_end; ++s) {
      state.slots[s].tensor = Tensor();
      state.slots[s].ref = nullptr;
    }
    --state.nodes_left;
    return clean_up(&frame);
  }

  Status pass_on(const Token& token, const DataflowNode& node, Slot* outputs) {
    FrameInstance& frame = *token.frame;
    switch (node.kind) {
      case ControlFlow::kEnter: return enter(token, node, outputs);
      case ControlFlow::kExit:
        if (!token.is_dead) return leave(token, node, outputs);
        if (token.iteration == frame.last) frame.dead_exits.push_back(token.node);
        return Status();
      case ControlFlow::kNextIteration:
        if (token.is_dead) return Status();
        if (token.iteration == frame.last) {
          if (static_cast<int64_t>(frame.iterations.size()) >= frame.most_at_once) {
            frame.deferred.push_back({token.node, outputs[0], false});
            return Status();
          }
          TINYTF_RETURN_IF_ERROR(next_iteration(frame));
        }
        return send(token.node, outputs, false, frame, token.iteration + 1);
      default: return send(token.node, outputs, token.is_dead, frame, token.iteration);
    }
  }

  /// Sends a value out of the loop. Consumers outside expect one value: a second one would count as another input.
  Status leave(const Token& token, const DataflowNode& node, Slot* outputs) {
    FrameInstance& frame = *token.frame;
    TINYTF_RETURN_IF_ERROR(send(token.node, outputs, false, *frame.parent, frame.parent_iteration));
    if (!frame.has_left[node.place]) {
      frame.has_left[node.place] = true;
      return Status();
    }
    return internal_error("The loop passes a second value to its Exit ", program_.nodes[token.node].info->name, ".");
  }

  Status enter(const Token& token, const DataflowNode& node, Slot* outputs) {
    IterationState& around = token.frame->iteration(token.iteration);
    FrameInstance*& child = around.children[tokens_.frames[node.enters].child_place];
    if (child == nullptr) {
      child = frames_.make_frame(node.enters, token.frame, token.iteration);
      ++around.frames_left;
    }
    FrameInstance& frame = *child;
    frame.most_at_once = std::max(frame.most_at_once, node.at_once);
    --frame.enters_left;
    if (!node.is_constant) {
      TINYTF_RETURN_IF_ERROR(send(token.node, outputs, token.is_dead, frame, 0));
    } else {
      frame.constants.push_back({token.node, outputs[0], token.is_dead});
      for (int64_t i = frame.oldest; i <= frame.last; ++i) {
        TINYTF_RETURN_IF_ERROR(send(token.node, outputs, token.is_dead, frame, i));
      }
    }
    return clean_up(&frame);  // The frame may have nothing that waits.
  }

  Status next_iteration(FrameInstance& frame) {
    frame.dead_exits.clear();
    frames_.begin_iteration(frame);
    TINYTF_RETURN_IF_ERROR(send_held(std::exchange(frame.deferred, {}), frame));
    return send_held(frame.constants, frame);
  }

  /// Sends to the newest iteration.
  Status send_held(const std::vector<HeldToken>& tokens, FrameInstance& frame) {
    for (const HeldToken& held : tokens) {
      TINYTF_RETURN_IF_ERROR(send(held.node, &held.value, held.is_dead, frame, frame.last));
    }
    return Status();
  }

  /// Sends a node's outputs to its consumers in an iteration of a frame.
  Status send(int32_t from, const Slot* outputs, bool is_dead, FrameInstance& frame, int64_t iteration) {
    const DataflowNode& node = tokens_.nodes[from];
    for (int32_t e = node.edges_begin; e < node.edges_end; ++e) {
      const DataflowEdge& edge = tokens_.edges[e];
      const Slot* const value = edge.output == DataflowEdge::kControl || is_dead ? nullptr : &outputs[edge.output];
      TINYTF_RETURN_IF_ERROR(arrive(edge, value, is_dead, node.kind, frame, iteration));
    }
    return Status();
  }

  static bool has_value(const Slot* slot) { return slot != nullptr && (slot->tensor.valid() || slot->ref != nullptr); }

  Status arrive(const DataflowEdge& edge, const Slot* value, bool is_dead, ControlFlow from, FrameInstance& frame,
                int64_t iteration) {
    const bool is_control = edge.output == DataflowEdge::kControl;
    const bool brings_value = !is_control && has_value(value);
    if (edge.node == DataflowEdge::kFetch) {
      if (is_control && !is_dead) fetches_[edge.slot] = Tensor::scalar(true);
      return brings_value ? fetch(edge.slot, *value) : Status();
    }
    const DataflowNode& node = tokens_.nodes[edge.node];
    IterationState& state = frame.iteration(iteration);
    DataflowCounts& counts = state.counts[node.place];
    bool is_ready = false, becomes_dead = false, takes_value = brings_value;
    if (node.kind == ControlFlow::kMerge) {
      // Control inputs count as arrived, dead or not. The first live value decides, or all data inputs being dead.
      if (is_control) {
        counts.pending -= 2;
        becomes_dead = counts.dead == node.data_inputs;
        is_ready = counts.pending == 0 || (counts.pending == 1 && becomes_dead);
      } else if (brings_value) {
        is_ready = counts.pending == 1;
        takes_value = (counts.pending & 1) != 0;
        counts.pending &= ~1;
      } else {
        ++counts.dead;
        // If the loop is not entered, no value comes from a next iteration.
        becomes_dead = counts.dead == node.data_inputs || from == ControlFlow::kEnter;
        is_ready = counts.pending == 1 && becomes_dead;
      }
    } else {
      counts.dead += is_dead || !(is_control || brings_value);
      is_ready = --counts.pending == 0;
      becomes_dead = counts.dead > 0 && node.kind != ControlFlow::kTrigger;
    }
    if (takes_value) state.slots[edge.slot] = *value;
    if (is_ready) make_ready({&frame, iteration, edge.node, becomes_dead});
    return Status();
  }

  Status fetch(int32_t number, const Slot& value) {
    Tensor& kept = fetches_[number];
    if (kept.valid()) {
      const int32_t of_step = tokens_.fetch_numbers.empty() ? number : tokens_.fetch_numbers[number];
      // An Exit that passes on a second value fails otherwise.
      return of_step < 0 ? Status() : internal_error("Retval[", of_step, "] has already been set.");
    }
    kept = value.tensor;
    if (value.ref != nullptr) variables_[number].ref = value.ref;
    return Status();
  }

  Status read_variables() {
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].ref == nullptr) continue;
      TINYTF_RETURN_IF_ERROR(read_fetched_variable(variables_[i], *services_.allocator));
      fetches_[i] = std::move(variables_[i].tensor);
    }
    return Status();
  }

  void make_ready(const Token& token) {
    ++token.frame->iteration(token.iteration).nodes_left;
    ready_.push_back(token);
  }

  /// Ends iterations and frames in which nothing more can happen, from inner to outer ones.
  Status clean_up(FrameInstance* frame) {
    while (frame->parent != nullptr) {
      while (!frame->iterations.empty() && frame->is_oldest_done()) {
        frames_.end_oldest(*frame);
        if (!frame->deferred.empty()) TINYTF_RETURN_IF_ERROR(next_iteration(*frame));
      }
      if (!frame->is_done()) return Status();
      FrameInstance& parent = *frame->parent;
      const int64_t iteration = frame->parent_iteration;
      IterationState& around = parent.iteration(iteration);
      around.children[frame->layout->child_place] = nullptr;
      for (const int32_t exit : frame->dead_exits) TINYTF_RETURN_IF_ERROR(send(exit, nullptr, true, parent, iteration));
      frames_.forget(frame);
      --around.frames_left;
      frame = &parent;
    }
    return Status();
  }

  // -- Kernels that wait ----------------------------------------------------------------------------------------------

  Status start(const Token& token, const PlanNode& node, Slot* slots) {
    auto waiting = std::make_unique<Waiting>(*this, token, node, slots);
    if (Status status = waiting->run.begin(); !status.ok()) {
      return in_iterations(std::move(status), waiting->run.iterations());
    }
    {
      std::lock_guard lock(mutex_);
      ended_.reserve(static_cast<size_t>(waiting_) + 1);  // So that end() does not allocate.
    }
    Waiting* const started = waiting.get();
    Status status = start_guarded(static_cast<AsyncKernel&>(*node.kernel), started->run.context(),
                                  [started](Status ended) { started->machine.end(started, std::move(ended)); });
    if (!status.ok()) return in_iterations(tagged(std::move(status), node.info->name), started->run.iterations());
    (void)waiting.release();  // Owned by the kernel, then by `ended_`.
    ++waiting_;
    return Status();
  }

  /// Called by the kernel, on any thread.
  void end(Waiting* waiting, Status status) {
    waiting->status = std::move(status);
    bool is_suspended = false;
    {
      std::lock_guard lock(mutex_);
      ended_.push_back(waiting);
      is_suspended = std::exchange(is_suspended_, false);
      if (!is_suspended) changed_.notify_one();  // With the lock held, since the step may be over right after.
    }
    if (!is_suspended) return;
    const RegionRun::Stirred stirred = stirred_;  // The machine may be gone before the call returns.
    stirred.call(stirred.with);
  }

  /// Moves the kernels that have ended to `ended`.
  void take_ended(std::vector<Waiting*>& ended) {
    std::lock_guard lock(mutex_);
    if (ended_.empty()) return;
    ended.reserve(static_cast<size_t>(waiting_));
    ended.swap(ended_);
  }

  Status take_ended() {
    std::vector<Waiting*> ended;
    take_ended(ended);
    Status status;
    for (Waiting* one : ended) {
      const std::unique_ptr<Waiting> waiting(one);
      --waiting_;
      if (!waiting->status.ok()) cut_.note(waiting->run.node().info->name);
      if (!status.ok()) continue;
      status = guarded([&] {
        Status yielded = waiting->run.end(std::move(waiting->status));
        return yielded.ok() ? conclude(waiting->token) : in_iterations(std::move(yielded), waiting->run.iterations());
      });
      if (!status.ok()) status = why_ended(std::move(status));
    }
    return status;
  }

  /// After an error: forgets the kernels that have ended.
  void drop_ended() {
    std::lock_guard lock(mutex_);
    waiting_ -= static_cast<int>(ended_.size());
    for (Waiting* one : ended_) {
      if (!one->status.ok()) cut_.note(one->run.node().info->name);
      delete one;
    }
    ended_.clear();
  }

  static constexpr size_t kMostPassed = 4096;  // Finished tokens in `ready_` before their space is reclaimed.

  const Program& program_;
  const DataflowProgram& tokens_;
  const StepServices& services_;
  StepStopCheck* stop_check_ = nullptr;  // Of the thread that runs the machine now; may be null.
  const Iterations& around_;
  std::vector<Tensor>& fetches_;
  const RegionRun::Stirred stirred_;
  std::vector<Slot> variables_;  // By fetch: set if a variable itself is fetched.
  DataflowFrames frames_;
  FrameInstance* const root_;
  std::vector<Token> ready_;
  size_t next_ = 0;  // In `ready_`.
  int waiting_ = 0;  // Started kernels whose end was not handled yet.
  Status status_;    // The first error.
  CutNodes cut_;
  std::mutex mutex_;  // Guards the following.
  std::condition_variable changed_;
  std::vector<Waiting*> ended_;
  bool is_suspended_ = false;
};

Status run_dataflow(const Program& program, const StepServices& services, StepStopCheck* stop_check,
                    const Iterations& around, std::vector<Slot>& feeds, std::vector<Tensor>& fetches) {
  DataflowMachine machine(program, services, around, fetches);
  machine.begin(feeds);
  while (!machine.go_on(stop_check)) machine.sleep();
  return machine.end();
}

struct RegionRun::State {
  State(const BytecodeRegion& region, const StepServices& services, Iterations around, Slot* slots, Stirred stirred)
      : region(region),
        slots(slots),
        around(std::move(around)),
        machine(*region.program, services, this->around, fetches, stirred) {}

  /// Takes the inputs from their slots.
  void begin() {
    std::vector<Slot> feeds(region.inputs.size());
    for (size_t i = 0; i < feeds.size(); ++i) {
      const BytecodeRegion::Taken& input = region.inputs[i];
      if (input.slot < 0) continue;
      feeds[i] = input.is_own ? std::exchange(slots[input.slot], Slot()) : slots[input.slot];
    }
    machine.begin(feeds);
  }

  const BytecodeRegion& region;
  Slot* const slots;
  const Iterations around;
  std::vector<Tensor> fetches;
  DataflowMachine machine;
};

RegionRun::RegionRun(const BytecodeRegion& region, const StepServices& services, Iterations around, Slot* slots,
                     Stirred stirred)
    : state_(std::make_unique<State>(region, services, std::move(around), slots, stirred)) {
  state_->begin();
}

RegionRun::~RegionRun() = default;

bool RegionRun::go_on(StepStopCheck* stop_check) {
  while (!state_->machine.go_on(stop_check)) {
    if (state_->machine.suspend()) return false;
  }
  return true;
}

Status RegionRun::end() {
  TINYTF_RETURN_IF_ERROR(state_->machine.end());
  for (const BytecodeRegion::Given& output : state_->region.outputs) {
    const Tensor& fetched = state_->fetches[output.fetch];
    state_->slots[output.slot].tensor = output.is_flag ? Tensor::scalar(fetched.valid()) : fetched;
  }
  return Status();
}

const CutNodes& RegionRun::cut() const { return state_->machine.cut(); }

Status run_region(const BytecodeRegion& region, const StepServices& services, StepStopCheck* stop_check,
                  Iterations around, Slot* slots) {
  RegionRun run(region, services, std::move(around), slots, {});
  TINYTF_CHECK(run.go_on(stop_check));
  return run.end();
}

}  // namespace tinytf
