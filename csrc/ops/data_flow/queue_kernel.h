#pragma once

#include <atomic>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "ops/data_flow/queue.h"
#include "ops/state/resource_name.h"

/// What the kernels of queue ops share.
namespace tinytf::ops {

/// The queue behind input 0; null with an error in `status` if the handle is not a queue's. The context keeps it alive.
inline Queue* input_queue(const KernelContext& ctx, Status* status) {
  if (ctx.input(0).num_elements() == 0) {
    *status = invalid_argument("The handle of a queue must be a scalar, not ", ctx.input(0).shape().to_string());
    return nullptr;
  }
  const ResourceHandle& handle = *ctx.input(0).data<ResourceHandle>();
  if (handle.resource && handle.type_name == Queue::kTypeName) return static_cast<Queue*>(handle.resource.get());
  *status = invalid_argument("Trying to access resource using the wrong type. Expected ", Queue::kTypeName, " got ",
                             handle.type_name);
  return nullptr;
}

/// Queues have no timeouts of their own: attr `timeout_ms` must be -1.
inline void refuse_timeout(KernelInit& init) {
  if (init.attr<int64_t>("timeout_ms") != -1) init.fail(invalid_argument("Timeout not supported yet."));
}

/// What the nodes that make queues are declared with; `own` attrs of the kind come before those that name the queue.
inline void declare_queue(OpDefBuilder& op, std::initializer_list<std::string_view> own = {}) {
  op.output("handle: resource")
      .attr("component_types: list(type) >= 1")
      .attr("shapes: list(shape) = []")
      .attr("capacity: int = -1");
  for (std::string_view attr : own) op.attr(attr);
  op.attr("container: string = ''").attr("shared_name: string = ''").stateful().shape(shapes::scalar).no_gradient();
}

/// The op that makes a queue Q of its Q::Spec, or finds the one that has its shared name, and yields the handle.
/// Without a shared name the queue is the node's own. The handle is built once: it and the queue live as long as the
/// session.
template <class Q>
class QueueHandleKernel final : public Kernel {
 public:
  explicit QueueHandleKernel(KernelInit& init)
      : where_(init, ResourceName::Unnamed::kPrivate), op_(init.node().op->name), spec_(init) {}

  Status compute(KernelContext& ctx) override {
    if (!ready_.load(std::memory_order_acquire)) TINYTF_RETURN_IF_ERROR(make_handle(ctx));
    ctx.set_output(0, handle_);
    return Status();
  }

 private:
  Status make_handle(KernelContext& ctx) {
    std::lock_guard lock(mutex_);
    if (ready_.load(std::memory_order_relaxed)) return Status();
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> found, ctx.step().resources->find_or_create(
                                                        where_.container, Queue::kRegistryType, where_.name,
                                                        [this]() -> Result<RefPtr<Resource>> {
                                                          return RefPtr<Resource>(make_ref<Q>(where_.name, spec_));
                                                        }));
    TINYTF_RETURN_IF_ERROR(static_cast<Queue*>(found.get())->matches(Q::kKind, op_, spec_));
    TINYTF_RETURN_IF_ERROR(static_cast<Q*>(found.get())->options_match(spec_));
    TINYTF_ASSIGN_OR_RETURN(handle_, Tensor::allocate(Allocator::process(), DType::kResource, Shape()));
    *handle_.data<ResourceHandle>() = {where_.container, where_.name, Queue::kTypeName, std::move(found)};
    ready_.store(true, std::memory_order_release);
    return Status();
  }

  const ResourceName where_;
  const std::string op_;
  const typename Q::Spec spec_;
  std::mutex mutex_;
  std::atomic<bool> ready_{false};
  Tensor handle_;
};

}  // namespace tinytf::ops
