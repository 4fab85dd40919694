#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "io/event_writer.h"
#include "io/summary_fields.h"
#include "io/wire.h"
#include "op/kernel.h"
#include "tensor/resource_handle.h"

/// Shared by the kernels that write events: the writer behind a handle, and the events.
namespace tinytf::ops {

/// A writer of events, owned by the session. Its destructor writes pending events, for at most two seconds.
class SummaryFile final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::SummaryWriterInterface";
  static constexpr const char* kRegistryType = "N10tensorflow22SummaryWriterInterfaceE";

  SummaryFile(const std::string& folder, const std::string& suffix, std::chrono::milliseconds delay)
      : folder_(folder), writer_(folder, suffix, delay) {}
  ~SummaryFile() override { (void)writer_.close(nullptr, std::chrono::seconds(2)); }

  EventWriter& writer() { return writer_; }
  std::string debug_string() const override { return str_cat("SummaryFileWriter(", folder_, ")"); }

 private:
  const std::string folder_;
  EventWriter writer_;
};

/// The handle in an input.
inline Result<ResourceHandle> writer_handle(const KernelContext& ctx, int input = 0) {
  const Tensor& handles = ctx.input(input);
  if (handles.num_elements() != 1) {
    return invalid_argument("The handle of a writer must be a scalar, not ", handles.shape().to_string());
  }
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.type_name == SummaryFile::kTypeName) return handle;
  return invalid_argument("Trying to access resource using the wrong type. Expected ", SummaryFile::kTypeName, " got ",
                          handle.type_name);
}

/// The writer created for the handle in input 0. NotFound if it was not created or has been closed.
inline Result<RefPtr<Resource>> writer_of(const KernelContext& ctx) {
  TINYTF_ASSIGN_OR_RETURN(const ResourceHandle handle, writer_handle(ctx));
  return ctx.step().resources->find(handle.container, SummaryFile::kRegistryType, handle.name);
}

/// The only element of an input of any rank. InvalidArgument, with the input's name, for other element counts.
template <class T>
Result<T> only_element(const KernelContext& ctx, int input, const char* name) {
  const Tensor& tensor = ctx.input(input);
  if (tensor.num_elements() == 1) return *tensor.data<T>();
  return invalid_argument(name, " must be a scalar, got: ", tensor.shape().to_string());
}

/// Adds an event with the current time and the step in input 1; `write(WireWriter&)` writes its other fields.
template <class Write>
Status add_event(const KernelContext& ctx, Write write) {
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<Resource> file, writer_of(ctx));
  TINYTF_ASSIGN_OR_RETURN(const int64_t step, only_element<int64_t>(ctx, 1, "step"));
  std::string event;
  WireWriter to(&event);
  to.float64(kEventWallTime, wall_time_now());
  if (step != 0) to.int64(kEventStep, step);
  TINYTF_RETURN_IF_ERROR(write(to));
  return static_cast<SummaryFile*>(file.get())->writer().add(event);
}

/// Adds an event with a Summary, whose Values are written by `write(WireWriter&)`.
template <class Write>
Status add_summary_event(const KernelContext& ctx, Write write) {
  return add_event(ctx, [&](WireWriter& to) {
    Status status;
    to.nested(kEventSummary, [&] { status = write(to); });
    return status;
  });
}

}  // namespace tinytf::ops
