#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "ops/data_flow/shared/named_state.h"
#include "ops/data_flow/shared/queue.h"
#include "ops/data_flow/shared/queue_shapes.h"

/// Declarations shared by the kernels of queue ops.
namespace tinytf::ops {

/// Timeouts are not supported: attr `timeout_ms` must be -1.
inline void refuse_timeout(KernelInit& init) {
  if (init.attr<int64_t>("timeout_ms") != -1) init.fail(invalid_argument("Timeout not supported yet."));
}

/// Declares the output and the attrs of an op that creates a queue, in either generation. The attrs `own` of the kind
/// come before the attrs that name the queue.
inline void declare_queue(OpDefBuilder& op, bool is_early, std::initializer_list<std::string_view> own = {}) {
  op.output(is_early ? "handle: Ref(string)" : "handle: resource")
      .attr("component_types: list(type) >= 1")
      .attr("shapes: list(shape) >= 0 = []")
      .attr("capacity: int = -1");
  for (std::string_view attr : own) op.attr(attr);
  op.attr("container: string = ''").attr("shared_name: string = ''").stateful();
  op.shape(is_early ? text_handle_shape : queue_handle_shape).no_gradient();
}

/// Declares the handle input of an op on a queue. In early graphs it is a reference, which already marks the op as
/// having side effects, so such ops are not stateful.
inline OpDefBuilder& declare_queue_input(OpDefBuilder& op, bool is_early) {
  op.input(is_early ? "handle: Ref(string)" : "handle: resource");
  return is_early ? op : op.stateful();
}

/// Makes a queue of class Q, specified by a Q::Spec.
template <class Q>
class QueueMaker {
 public:
  using State = Queue;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kPrivate;

  explicit QueueMaker(KernelInit& init) : op_(init.node().op->name), spec_(init) {}

  RefPtr<Resource> make(const std::string& name) const { return RefPtr<Resource>(make_ref<Q>(name, spec_)); }
  Status check(Queue& found) const {
    TINYTF_RETURN_IF_ERROR(found.matches(Q::kKind, op_, spec_));
    return static_cast<Q&>(found).options_match(spec_);
  }

 private:
  const std::string op_;
  const typename Q::Spec spec_;
};

template <class Q>
using QueueHandleKernel = NamedStateKernel<QueueMaker<Q>>;

}  // namespace tinytf::ops
