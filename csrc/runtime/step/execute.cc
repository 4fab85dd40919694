#include "runtime/step/execute.h"

#include <optional>

#include "runtime/step/dataflow_machine.h"
#include "runtime/step/fetched_variables.h"

namespace tinytf {

namespace {

/// Runs the nodes on several threads.
Status run_together(Plan& plan, const StepServices& services, StepSlots& memory, StepThreads threads,
                    StepStopCheck& stop_check) {
  const Program& program = plan.program();
  UnitCounts counts(program, memory);
  SlotUses uses(program, memory);
  std::optional<MeasuredStep> measured;
  if (program.may_wait) measured.emplace(program, plan.profile());  // Other steps are measured by interpret().
  const ScheduledStep step{plan, services, memory, counts, uses};
  Status status = run_scheduled(step, program.roots, threads, stop_check, measured ? &*measured : nullptr);
  if (measured && status.ok()) measured->end();
  return status;
}

/// InvalidArgument if a fetched value is dead.
Status check_fetches(std::vector<Tensor>& fetches) {
  for (size_t i = 0; i < fetches.size(); ++i) {
    if (fetches[i].valid()) continue;
    fetches.clear();
    return invalid_argument("Retval[", i, "] does not have value");
  }
  return Status();
}

}  // namespace

Status execute(Plan& plan, const StepServices& services, StepSlots& memory, StepThreads threads,
               StepStopCheck& stop_check, std::vector<Tensor>& feeds, std::vector<Tensor>& fetches) {
  const Program& program = plan.program();
  if (program.tokens != nullptr) {
    std::vector<Slot> fed(feeds.size());
    for (size_t i = 0; i < feeds.size(); ++i) fed[i].tensor = std::move(feeds[i]);
    const Status status = run_dataflow(program, services, &stop_check, {}, fed, fetches);
    return status.ok() ? check_fetches(fetches) : status;
  }
  std::vector<Slot>& slots = memory.slots;
  for (size_t i = 0; i < feeds.size(); ++i) {
    if (program.feed_slots[i] >= 0) slots[program.feed_slots[i]].tensor = std::move(feeds[i]);
  }
  std::optional<Trial> trial;
  if (!program.may_wait && threads.pool != nullptr && plan.profile().use_threads.load(std::memory_order_relaxed)) {
    trial.emplace(plan.profile());
  }
  Status status = program.may_wait || (trial && trial->together())
                      ? run_together(plan, services, memory, threads, stop_check)
                      : interpret(plan, services, memory, stop_check);
  if (trial && status.ok()) trial->end();
  if (status.ok() && !program.snapshots.empty()) status = read_fetched_variables(program, slots, *services.allocator);
  if (!status.ok()) {
    memory.clear(program);
    return status;
  }
  fetches.reserve(program.fetch_slots.size());
  for (int32_t slot : program.fetch_slots) fetches.push_back(slots[slot].tensor);
  if (program.code != nullptr) {
    memory.clear(program);
    return check_fetches(fetches);
  }
  for (int32_t slot : program.fetch_slots) slots[slot].tensor = Tensor();
  // Fetched constants were cleared with the rest.
  for (const auto& [slot, value] : program.constants) {
    if (!slots[slot].tensor.valid()) slots[slot].tensor = value;
  }
  return status;
}

}  // namespace tinytf
