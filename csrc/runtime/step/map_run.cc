#include "runtime/step/map_run.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "op/guarded.h"
#include "runtime/step/bytecode_interpreter.h"
#include "runtime/step/stop_check.h"

namespace tinytf {

namespace {

/// The value of an int32 scalar; null for any other tensor, which an imported graph may contain.
const int32_t* scalar_of(const Slot& slot) {
  const Tensor& tensor = slot.tensor;
  return tensor.dtype() == DType::kInt32 && tensor.rank() == 0 ? tensor.data<int32_t>() : nullptr;
}

const Resource* array_of(const Slot& slot) {
  const Tensor& tensor = slot.tensor;
  return tensor.dtype() == DType::kResource && tensor.num_elements() > 0 ? tensor.data<ResourceHandle>()->resource.get()
                                                                         : nullptr;
}

class MapRun {
 public:
  MapRun(Plan& plan, const StepServices& services, StepSlots& memory, int32_t unit, int32_t loop,
         StepStopCheck* stop_check)
      : plan_(plan),
        services_(services),
        memory_(memory),
        unit_(unit),
        number_(loop),
        loop_(plan.program().code->loops[loop]),
        map_(*loop_.map),
        stop_check_(stop_check),
        caller_(std::this_thread::get_id()) {}

  Status run(double cost) {
    const int64_t n = iterations_left();
    if (n < 2 || !arrays_differ()) return Status();
    TINYTF_RETURN_IF_ERROR(guarded([&] {
      services_.parallel->run(n, 1, cost, [&](int64_t begin, int64_t end) {
        Status status = guarded([&] { return run_some(begin, end); });
        if (!status.ok()) fail(begin, std::move(status));
      });
      return Status();
    }));
    if (!error_.ok()) return std::move(error_);
    if (services_.cancellation->cancelled()) return step_cancelled();
    memory_.iterations[number_] += n;
    return set_counters(memory_, n);
  }

 private:
  /// 0 if a counter's step is not positive, or if a value is not an int32 scalar.
  int64_t iterations_left() {
    int64_t left = std::numeric_limits<int64_t>::max();
    for (const MapLoop::Counter& counter : map_.counters) {
      const int32_t* const value = scalar_of(memory_.slots[counter.variable]);
      const int32_t* const step = scalar_of(memory_.slots[counter.step]);
      if (value == nullptr || step == nullptr) return 0;
      starts_.push_back(*value);
      steps_.push_back(*step);
    }
    for (const MapLoop::Bound& bound : map_.bounds) {
      const int32_t* const limit = scalar_of(memory_.slots[bound.limit]);
      const int64_t value = starts_[bound.counter], step = steps_[bound.counter];
      if (limit == nullptr || step <= 0) return 0;
      left = std::min(left, (*limit - value + step - 1) / step);
    }
    return left;
  }

  /// Whether no array is both read and written, and the written arrays accept writes in any order.
  bool arrays_differ() const {
    for (const int32_t written : map_.arrays_written) {
      const Resource* const array = array_of(memory_.slots[written]);
      if (array == nullptr || !array->takes_any_order()) return false;
      for (const int32_t read : map_.arrays_read) {
        if (array_of(memory_.slots[read]) == array) return false;
      }
    }
    return true;
  }

  Status set_counters(StepSlots& memory, int64_t iterations) const {
    for (size_t i = 0; i < map_.counters.size(); ++i) {
      Tensor& variable = memory.slots[map_.counters[i].variable].tensor;
      TINYTF_ASSIGN_OR_RETURN(variable, Tensor::allocate(*services_.allocator, DType::kInt32, Shape()));
      // Wraps around as int32 addition does.
      variable.data<int32_t>()[0] = static_cast<int32_t>(
          static_cast<uint32_t>(starts_[i]) + static_cast<uint32_t>(iterations) * static_cast<uint32_t>(steps_[i]));
    }
    return Status();
  }

  /// Runs the remaining iterations [begin, end) on any thread, in its own step memory.
  Status run_some(int64_t begin, int64_t end) {
    auto memory = plan_.take_slots();
    for (const int32_t slot : map_.taken) memory->slots[slot] = memory_.slots[slot];
    memory->iterations = memory_.iterations;
    Status status = set_counters(*memory, begin);
    StepStopCheck* const stop_check = std::this_thread::get_id() == caller_ ? stop_check_ : nullptr;
    BytecodeInterpreter interpreter(plan_, services_, *memory, unit_, stop_check, false, nullptr);
    for (int64_t i = begin; i < end && status.ok() && i < failed_.load(std::memory_order_relaxed); ++i) {
      memory->iterations[number_] = memory_.iterations[number_] + i;
      status = interpreter.run_iteration(loop_);
      if (!status.ok()) fail(i, std::move(status));
    }
    memory->clear(plan_.program());
    plan_.return_slots(std::move(memory));
    return Status();
  }

  void fail(int64_t iteration, Status status) {
    std::lock_guard lock(mutex_);
    if (iteration >= failed_.load(std::memory_order_relaxed)) return;
    failed_.store(iteration, std::memory_order_relaxed);
    error_ = std::move(status);
  }

  Plan& plan_;
  const StepServices& services_;
  StepSlots& memory_;
  const int32_t unit_, number_;
  const BytecodeLoop& loop_;
  const MapLoop& map_;
  StepStopCheck* const stop_check_;
  const std::thread::id caller_;
  std::vector<int32_t> starts_, steps_;  // By counter.
  std::atomic<int64_t> failed_{std::numeric_limits<int64_t>::max()};
  std::mutex mutex_;  // Guards `error_` and modifications of `failed_`.
  Status error_;
};

}  // namespace

Status run_map(Plan& plan, const StepServices& services, StepSlots& memory, int32_t unit, int32_t loop, double cost,
               StepStopCheck* stop_check) {
  return MapRun(plan, services, memory, unit, loop, stop_check).run(cost);
}

}  // namespace tinytf
