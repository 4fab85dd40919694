#include "runtime/eager/eager_context.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "op/async_kernel.h"
#include "op/guarded.h"
#include "runtime/eager/eager_functions.h"
#include "runtime/functions/value_graph.h"
#include "runtime/step/step_services.h"
#include "services/float_mode.h"

namespace tinytf {

namespace {

std::atomic<int64_t> next_eager_step_id{int64_t{1} << 40};  // Distinct from step ids of graph sessions.

/// The slot numbers of inputs: input i of every eager operation is in slot i.
const int32_t* identity_slots(int count) {
  static constexpr auto kCommon = [] {
    std::array<int32_t, 64> slots{};
    for (int32_t i = 0; i < static_cast<int32_t>(slots.size()); ++i) slots[i] = i;
    return slots;
  }();
  if (count <= static_cast<int>(kCommon.size())) return kCommon.data();
  thread_local std::vector<int32_t> many;
  if (static_cast<int>(many.size()) < count) {
    many.resize(count);
    std::iota(many.begin(), many.end(), 0);
  }
  return many.data();
}

/// Ends the long loops of one operation when the session is closed or the operation's caller is interrupted.
class InterruptStopCheck final : public LoopStopCheck {
 public:
  InterruptStopCheck(StepStopCheck& stop_check, const Cancellation& session)
      : stop_check_(stop_check), session_(session), caller_(std::this_thread::get_id()) {}
  bool is_over() override {
    if (std::this_thread::get_id() == caller_ && !stop_check_.look().ok()) stopped_ = true;
    return stopped_.load(std::memory_order_relaxed) || session_.cancelled();
  }

 private:
  StepStopCheck& stop_check_;
  const Cancellation& session_;
  const std::thread::id caller_;
  std::atomic<bool> stopped_{false};
};

/// Background tasks of a session; inside its core while they run.
class SessionBackground final : public BackgroundHost {
 public:
  explicit SessionBackground(RefPtr<WeakLink<SessionCore>> core) : core_(std::move(core)) {}
  bool run(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work) override {
    const RefPtr<SessionCore> core = core_->lock();
    if (!core) return false;
    const SessionCore::Entry inside(*core);
    if (inside) static_cast<EagerContext*>(core->operations().attached())->run_background(cancellation, work);
    return static_cast<bool>(inside);
  }

 private:
  const RefPtr<WeakLink<SessionCore>> core_;
};

}  // namespace

EagerContext::EagerContext(RefPtr<Allocator> allocator, EagerOptions options, RefPtr<BackgroundHost> background)
    : allocator_(std::move(allocator)),
      options_(options),
      parallel_(ThreadPool::process(),
                options.intra_op_threads > 0 ? options.intra_op_threads : ThreadPool::process().size()),
      resources_(std::make_shared<ResourceManager>()),
      background_(std::move(background)) {
  provide_value_graph_codec();
}

RefPtr<EagerContext> EagerContext::attach_to(SessionCore& core, EagerOptions options) {
  auto context = make_ref<EagerContext>(RefPtr<Allocator>::share(&core.allocator()), options,
                                        make_ref<SessionBackground>(core.link()));
  core.operations().attach(context);
  return context;
}

EagerContext::~EagerContext() {
  EagerLibrary::of_process().end_session(functions_);
  resources_->clear();
}

KernelServices EagerContext::services() {
  KernelServices services;
  services.allocator = allocator_.get();
  services.parallel = &parallel_;
  services.resources = resources_.get();
  services.step_resources = &step_resources_;
  services.background = background_.get();
  services.step_id = next_eager_step_id.fetch_add(1, std::memory_order_relaxed);
  services.cancellation = &cancellation_;
  return services;
}

void EagerContext::run_background(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work) {
  Cancellation own;
  const CancelledWith with_work(cancellation, own), with_session(of_background_, own);
  StepStopCheck stop_check(0, nullptr);
  StepLoops loops(stop_check, own);
  PoolParallel parallel(ThreadPool::process(), parallel_.threads(), &loops);
  ResourceManager step_resources;
  KernelServices services = this->services();
  services.parallel = &parallel;
  services.step_resources = &step_resources;
  services.cancellation = &own;
  services.stop_check = &loops;
  const FlushDenormals flush;
  const ScratchScope scratch(allocator_.get());
  work(services);
}

Status EagerContext::run(EagerKernel& kernel, EagerCall& call, Interrupt* interrupt) {
  KernelServices services = this->services();
  std::optional<EagerFunctions> functions;
  if (kernel.calls_functions()) services.functions = &functions.emplace(functions_, kernel, parallel_.threads());
  const FlushDenormals flush;
  const ScratchScope scratch(allocator_.get());
  if (!kernel.waits()) {
    Status status = run_at_once(kernel, call, services, interrupt);
    if (!status.ok()) return kernel.calls_functions() ? ended(std::move(status)) : status;
    return take_over_outputs(kernel, call);
  }
  Cancellation cancellation;  // For this operation only: an interrupt must not end others.
  services.cancellation = &cancellation;
  Cancellation::Token token = -1;
  if (!cancellation_.on_cancel(&token, [&cancellation] { cancellation.cancel(); })) cancellation.cancel();
  const int inputs = kernel.num_inputs();
  Slot* const slots = call.slots();
  Status status = guarded([&] {
    KernelContext ctx(kernel.node(), services, slots, identity_slots(inputs), slots + inputs, /*last_use=*/0);
    return run_waiting(kernel, ctx, cancellation, interrupt);
  });
  if (status.ok()) status = take_over_outputs(kernel, call);
  if (token >= 0) cancellation_.remove_and_wait(token);
  return status;
}

Status EagerContext::ended(Status status) const {
  if (status.ok() || !cancellation_.cancelled()) return status;
  return Status(Code::kCancelled, "Run call was cancelled");
}

Status EagerContext::take_over_outputs(const EagerKernel& kernel, EagerCall& call) {
  for (int i = 0; allocator_->is_limited() && i < kernel.num_outputs(); ++i) {
    TINYTF_RETURN_IF_ERROR(take_over(call.output(i)));
  }
  return Status();
}

Status EagerContext::take_over(Tensor& value) {
  if (!allocator_->is_limited() || !value.valid()) return Status();
  const Tensor given = std::move(value);
  value = Tensor();
  Tensor own = given;
  if (!given.buffer()->is_charged_to(*allocator_)) {
    TINYTF_ASSIGN_OR_RETURN(own, given.clone(*allocator_));
  }
  if (!own.buffer()->charge_contents()) return out_of_memory(own.dtype(), own.shape());
  value = std::move(own);
  return Status();
}

Status EagerContext::run_at_once(EagerKernel& kernel, EagerCall& call, KernelServices& services, Interrupt* interrupt) {
  const int inputs = kernel.num_inputs();
  Slot* const slots = call.slots();
  const auto compute = [&] {
    KernelContext ctx(kernel.node(), services, slots, identity_slots(inputs), slots + inputs, /*last_use=*/0);
    return compute_guarded(kernel.kernel(), ctx);
  };
  if (interrupt == nullptr) {
    PoolParallel parallel(ThreadPool::process(), parallel_.threads(), &closed_watch_);
    if (!kernel.takes_state()) services.parallel = &parallel;  // Else loops run to completion.
    return compute();
  }
  StepStopCheck stop_check(0, interrupt);
  InterruptStopCheck loops(stop_check, cancellation_);
  PoolParallel parallel(ThreadPool::process(), parallel_.threads(), &loops);
  if (!kernel.takes_state()) services.parallel = &parallel;
  services.stop_check = &loops;
  return compute();
}

Status EagerContext::run_waiting(EagerKernel& kernel, KernelContext& ctx, Cancellation& cancellation,
                                 Interrupt* interrupt) {
  KernelWait wait;
  TINYTF_RETURN_IF_ERROR(wait.start(static_cast<AsyncKernel&>(kernel.kernel()), ctx));
  StepStopCheck stop_check(0, interrupt);
  while (!wait.wait_until(stop_check.next_look())) {
    if (!stop_check.look().ok()) cancellation.cancel();
  }
  return wait.take_status();
}

}  // namespace tinytf
