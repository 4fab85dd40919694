#include "runtime/step/bytecode_interpreter.h"

#include <algorithm>
#include <utility>

#include "runtime/step/dataflow_machine.h"
#include "runtime/step/run_node.h"

namespace tinytf {

namespace {

Status no_scalar(const Predicate& predicate, const Tensor& value) {
  return invalid_argument("The second input must be a scalar, but it has shape ", value.shape().to_string())
      .at_node(predicate.by->name);
}

/// Whether a released tensor should keep its memory for the next iteration: a new allocation costs more than a small
/// node.
bool is_small(const Tensor& tensor) {
  return tensor.rank() == 0 && !is_object(tensor.dtype()) && tensor.writable_in_place();
}

/// Number of nodes between two looks at the step's stop check while they take negligible time.
constexpr int32_t kFarLook = 64, kNearLook = 16;

/// Moves `from` to `to`. The memory of a small `to` is handed back for the next value of `from`. If both shared their
/// memory, because a node wrote in place, `from` gets new memory.
void hand_over(Tensor& from, Tensor& to, Allocator& allocator) {
  std::swap(from, to);
  if (is_small(from)) return;
  const bool was_written_in_place = from.buffer() == to.buffer() && to.rank() == 0 && to.valid();
  from = Tensor();
  if (!was_written_in_place || is_object(to.dtype())) return;
  if (auto fresh = Tensor::allocate(allocator, to.dtype(), Shape()); fresh.ok()) from = fresh.take();
}

/// The instruction pointer, which can be kept in a register. The destructor writes it back.
struct Kept {
  Kept(const Instruction* first, int32_t& number) : at(first + number), first(first), number(number) {}
  ~Kept() { number = static_cast<int32_t>(at - first); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  const Instruction* at;
  const Instruction* const first;
  int32_t& number;
};

}  // namespace

BytecodeInterpreter::BytecodeInterpreter(Plan& plan, const StepServices& services, StepSlots& memory, int32_t unit,
                                         StepStopCheck* stop_check, bool watchful, MapRunner map_runner)
    : plan_(plan),
      program_(plan.program()),
      code_(*program_.code),
      profile_(plan.profile()),
      services_(services),
      memory_(memory),
      slots_(memory.slots.data()),
      iterations_(memory.iterations.data()),
      unit_(unit),
      stop_check_(stop_check),
      watchful_(watchful),
      map_runner_(services.observer == nullptr && services.parallel->threads() > 1 ? map_runner : nullptr),
      look_every_(nearest_look()),
      until_look_(look_every_) {}

int32_t BytecodeInterpreter::nearest_look() const { return watchful_ ? 1 : kNearLook; }

Status BytecodeInterpreter::run(BytecodePlace& place, int32_t end) {
  return unit_ == kAllUnits ? run_code<true>(place, end) : run_code<false>(place, end);
}

template <bool kAll>
Status BytecodeInterpreter::run_code(BytecodePlace& place, int32_t end) {
  const Instruction* const first = code_.instructions.data();
  Kept kept(first, place.at);
  const Instruction*& at = kept.at;
  if (place.waiting != nullptr) {
    release<kAll>(*std::exchange(place.waiting, nullptr));
    ++at;
  } else if (place.region != nullptr) {
    place.region = nullptr;
    ++at;
  }
  while (at != first + end) {
    const Instruction& instruction = *at;
    switch (instruction.what) {
      case Instruction::kRun: {
        const PlanNode& node = program_.nodes[instruction.a];
        if (!kAll && node.kernel->is_async()) {
          place.waiting = &node;
          return Status();
        }
        const uint64_t last_use = kAll ? node.last_use : node.unit_last_use;
        if (services_.cancellation->cancelled()) return cancelled();
        Status status = services_.observer == nullptr
                            ? run_node(program_, node, services_, slots_, last_use)
                            : run_watched_node(program_, node, services_, slots_, last_use,
                                               iterations_at(static_cast<int32_t>(at - first)));
        if (!status.ok()) return failed(std::move(status), static_cast<int32_t>(at - first));
        release<kAll>(node);
        if (--until_look_ <= 0) TINYTF_RETURN_IF_ERROR(look());
        ++at;
        break;
      }
      case Instruction::kGuard:
      case Instruction::kTest: {
        const Predicate& predicate = code_.predicates[instruction.a];
        const Tensor& value = slots_[predicate.slot].tensor;
        if (value.rank() != 0) return failed(no_scalar(predicate, value), static_cast<int32_t>(at - first));
        if (value.data<bool>()[0] == predicate.value) {
          ++at;
          break;
        }
        if (instruction.what == Instruction::kTest) iterations_[predicate.loop] = 0;
        at = first + instruction.b;
        break;
      }
      case Instruction::kMove:
        move<kAll>(code_.moves[instruction.a]);
        ++at;
        break;
      case Instruction::kSelect:
        if (Status status = select<kAll>(code_.selects[instruction.a]); !status.ok()) {
          return failed(std::move(status), static_cast<int32_t>(at - first));
        }
        ++at;
        break;
      case Instruction::kBack:
        move_back<kAll>(code_.loops[instruction.a]);
        ++iterations_[instruction.a];
        if (code_.loops[instruction.a].map != nullptr && map_runner_ != nullptr) {
          TINYTF_RETURN_IF_ERROR(end_iteration(instruction.a));
        }
        if (services_.cancellation->cancelled()) return cancelled();
        if (--until_look_ <= 0) TINYTF_RETURN_IF_ERROR(look());
        at = first + instruction.b;
        break;
      case Instruction::kRegion:
        if (!kAll && code_.regions[instruction.a].program->may_wait) {
          place.region = &code_.regions[instruction.a];
          return Status();
        }
        TINYTF_RETURN_IF_ERROR(region(instruction.a, static_cast<int32_t>(at - first)));
        ++at;
        break;
      case Instruction::kClear:
        for (int32_t i = instruction.a; i < instruction.b; ++i) {
          if (owns<kAll>(code_.cleared[i])) slots_[code_.cleared[i]].tensor = Tensor();
        }
        ++at;
        break;
    }
  }
  return Status();
}

template <bool kAll>
bool BytecodeInterpreter::owns(int32_t slot) const {
  return kAll || code_.writers[slot] == unit_;
}

Status BytecodeInterpreter::failed(Status status, int32_t at) const {
  if (stop_check_ != nullptr && !stop_check_->ended().ok()) return stop_check_->ended();
  return in_iterations(std::move(status), iterations_at(at));
}

/// Not inlined, so that it does not slow down the loop over instructions.
[[gnu::noinline]] Status BytecodeInterpreter::region(int32_t number, int32_t at) {
  if (services_.cancellation->cancelled()) return cancelled();
  Status status = run_region(code_.regions[number], services_, stop_check_, iterations_at(at), slots_);
  if (!status.ok()) return stop_check_ == nullptr || stop_check_->ended().ok() ? status : stop_check_->ended();
  return --until_look_ <= 0 ? look() : Status();
}

template <bool kAll>
void BytecodeInterpreter::release(const PlanNode& node) {
  for (int32_t i = node.releases_begin; i < node.releases_end; ++i) {
    const int32_t slot = program_.releases[i];
    if (owns<kAll>(slot) && !is_small(slots_[slot].tensor)) slots_[slot].tensor = Tensor();
  }
}

template <bool kAll>
void BytecodeInterpreter::move(const Move& move) {
  Slot& from = slots_[move.from];
  Slot& to = slots_[move.to];
  to.ref = from.ref;
  if (move.is_last && owns<kAll>(move.from)) {
    hand_over(from.tensor, to.tensor, *services_.allocator);
  } else {
    to.tensor = from.tensor;
  }
}

template <bool kAll>
void BytecodeInterpreter::move_back(const BytecodeLoop& loop) {
  if (!loop.is_parallel) {
    for (int32_t i = loop.moves_begin; i < loop.moves_end; ++i) move<kAll>(code_.moves[i]);
    return;
  }
  held_.clear();
  for (int32_t i = loop.moves_begin; i < loop.moves_end; ++i) held_.push_back(slots_[code_.moves[i].from]);
  for (int32_t i = loop.moves_begin; i < loop.moves_end; ++i) {
    const Move& move = code_.moves[i];
    if (move.is_last && owns<kAll>(move.from)) slots_[move.from].tensor = Tensor();
  }
  for (int32_t i = loop.moves_begin; i < loop.moves_end; ++i) {
    slots_[code_.moves[i].to] = std::move(held_[i - loop.moves_begin]);
  }
}

/// Measures the first iterations of a loop with independent iterations. If they are expensive, several threads may run
/// the rest.
Status BytecodeInterpreter::end_iteration(int32_t loop) {
  using Clock = std::chrono::steady_clock;
  constexpr int64_t kTried = 4;  // Besides the first one, which may include one-time setup.
  const int64_t iteration = iterations_[loop];
  if (iteration == 1) map_begin_ = Clock::now();
  if (iteration != 1 + kTried) return Status();
  const double cost = std::chrono::duration<double, std::nano>(Clock::now() - map_begin_).count() / kTried;
  if (cost < kWorthMapping) return Status();
  Status status = map_runner_(plan_, services_, memory_, unit_, loop, cost, stop_check_);
  return status.ok() || stop_check_ == nullptr || stop_check_->ended().ok() ? status : stop_check_->ended();
}

Status BytecodeInterpreter::run_iteration(const BytecodeLoop& loop) {
  BytecodePlace place;
  place.at = loop.code_begin;
  TINYTF_RETURN_IF_ERROR(run(place, loop.code_end - 1));  // Up to its kBack.
  unit_ == kAllUnits ? move_back<true>(loop) : move_back<false>(loop);
  return Status();
}

template <bool kAll>
Status BytecodeInterpreter::select(const Select& select) {
  const Predicate& predicate = code_.predicates[select.predicate];
  const Tensor& value = slots_[predicate.slot].tensor;
  if (value.rank() != 0) return no_scalar(predicate, value);
  const bool is_true = value.data<bool>()[0];
  move<kAll>(is_true ? select.if_true : select.if_false);
  if (select.index_slot >= 0) {
    slots_[select.index_slot].tensor =
        Tensor::scalar<int32_t>(is_true ? select.index_if_true : 1 - select.index_if_true);
  }
  return Status();
}

Status BytecodeInterpreter::look() {
  until_look_ = kFarLook;
  if (stop_check_ == nullptr) return Status();
  TINYTF_RETURN_IF_ERROR(stop_check_->look());
  const int64_t passed = stop_check_->since_last_look().count();
  // Larger feeds than before can make a short step long.
  if (!watchful_ && passed >= kLongStepNs) profile_.is_long = true;
  look_every_ = passed > 0 ? nearest_look() : std::min(look_every_ * 2, kFarLook);
  until_look_ = look_every_;
  return Status();
}

Status BytecodeInterpreter::cancelled() const {
  return stop_check_ == nullptr || stop_check_->ended().ok() ? step_cancelled() : stop_check_->ended();
}

Iterations BytecodeInterpreter::iterations_at(int32_t at) const {
  Iterations iterations;
  for (size_t i = 0; i < code_.loops.size(); ++i) {
    const BytecodeLoop& loop = code_.loops[i];
    if (loop.code_begin <= at && at < loop.code_end) iterations.loops.push_back({&loop.frame, iterations_[i]});
  }
  return iterations;
}

}  // namespace tinytf
