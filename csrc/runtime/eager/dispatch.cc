#include "runtime/eager/dispatch.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/eager/eager_devices.h"
#include "runtime/eager/eager_memory.h"
#include "runtime/eager/eager_node.h"
#include "runtime/eager/eager_values.h"
#include "runtime/eager/value_sites.h"

namespace tinytf {

namespace {

/// Queues an operation for the session's thread.
Status submit(SessionCore& core, EagerContext& context, const EagerOperation& operation, EagerOutputs& outputs) {
  EagerKernel& kernel = operation.kernel;
  std::vector<EagerNode::Input> values;
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    std::optional<SessionCore::Entry> other;
    TensorHandle& handle = *operation.inputs[i];
    if (&handle.core() != &core) other.emplace(handle.core());
    if ((other && !*other) || !handle.live()) return freed_value(handle);
    if (handle.ready()) {
      if (handle.pending()) TINYTF_RETURN_IF_ERROR(handle.wait());
      values.push_back({handle.tensor(), nullptr});
    } else {
      values.push_back({Tensor(), handle.pending()});
    }
  }
  auto node = std::make_unique<EagerNode>(RefPtr<EagerContext>::share(&context), RefPtr<EagerKernel>::share(&kernel),
                                          std::move(values), operation.name,
                                          RefPtr<AsyncQueue>::share(&core.operations().async()));
  for (int i = 0; i < kernel.num_outputs(); ++i) {
    outputs.add(core.make_handle(kernel.node().outputs[i].dtype, node->outputs()[i]));
  }
  return core.operations().async().push(std::move(node));
}

/// Estimates the bytes of a value that an operation may read. For strings only the first few are counted.
int64_t bytes_to_read(const Tensor& value) {
  if (value.dtype() != DType::kString) return static_cast<int64_t>(value.bytes());
  const auto* const texts = value.data<std::string>();
  int64_t bytes = value.num_elements() * static_cast<int64_t>(sizeof(std::string));
  for (int64_t i = 0, n = std::min<int64_t>(value.num_elements(), 16); i < n; ++i) {
    bytes += static_cast<int64_t>(texts[i].size());
  }
  return bytes;
}

/// Runs an operation on the calling thread.
Status run_now(SessionCore& core, EagerContext& context, const EagerOperation& operation, EagerHost& host,
               EagerOutputs& outputs) {
  EagerKernel& kernel = operation.kernel;
  EagerCall call(kernel);
  int64_t input_bytes = 0;
  for (int i = 0; i < kernel.num_inputs(); ++i) {
    const TensorHandle& handle = *operation.inputs[i];
    if (&handle.core() == &core && handle.live() && handle.pending() == nullptr) {
      call.input(i) = handle.tensor();
    } else {
      TINYTF_ASSIGN_OR_RETURN(call.input(i), read_value(handle, &core, host));
    }
    input_bytes += bytes_to_read(call.input(i));
  }
  const Status status = with_memory(core, host, [&] {
    if (kernel.is_brief(input_bytes)) return context.run(kernel, call, nullptr);
    return host.without_lock([&](Interrupt* interrupt) { return context.run(kernel, call, interrupt); });
  });
  if (!status.ok()) return of_operation(status, kernel.node().op->name, operation.name);
  int64_t output_bytes = 0;
  for (int i = 0; i < kernel.num_outputs(); ++i) {
    output_bytes += static_cast<int64_t>(call.output(i).bytes());
    outputs.add(core.make_handle(std::move(call.output(i))));
  }
  kernel.note_output(output_bytes);
  return Status();
}

/// Sets the device of an operation's outputs, and their site if the session tracks sites.
void mark(const EagerOutputs& outputs, const EagerContext& context, const EagerKernel& kernel, int device,
          EagerHost& host) {
  for (TensorHandle* handle : outputs) {
    if (handle == nullptr) continue;
    handle->device = device;
    if (context.options().track_sites) note_site(*handle, {kernel.node().op->name, host.place()});
  }
}

}  // namespace

int64_t bytes_of(const EagerOutputs& outputs) {
  int64_t bytes = 0;
  for (const TensorHandle* handle : outputs) {
    if (handle != nullptr && handle->pending() == nullptr) bytes += static_cast<int64_t>(handle->tensor().bytes());
  }
  return bytes;
}

Status dispatch(SessionCore& core, EagerContext& context, const EagerOperation& operation, EagerHost& host,
                EagerOutputs& outputs) {
  int device = 0;
  if (!context.is_plain() || operation.device != 0) {
    TINYTF_ASSIGN_OR_RETURN(device, device_of_operation(context.options(), operation.device));
    TINYTF_RETURN_IF_ERROR(check_devices(context.options(), operation.kernel, operation.inputs, device, host));
  }
  TINYTF_RETURN_IF_ERROR(context.options().asynchronous ? submit(core, context, operation, outputs)
                                                        : run_now(core, context, operation, host, outputs));
  mark(outputs, context, operation.kernel, device, host);
  return Status();
}

}  // namespace tinytf
