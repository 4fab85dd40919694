#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "io/file_system.h"
#include "op/registration.h"
#include "ops/state/shared/resource_name.h"
#include "ops/summary/shared/summary_file.h"

namespace tinytf::ops {
namespace {

/// Outputs a handle; another op creates the writer behind it.
class SummaryWriterKernel final : public Kernel {
 public:
  explicit SummaryWriterKernel(KernelInit& init) : where_(init) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<ResourceHandle>() = {where_.container, where_.name, SummaryFile::kTypeName, nullptr};
    return Status();
  }

 private:
  const ResourceName where_;
};

class CreateSummaryFileWriterKernel final : public Kernel {
 public:
  explicit CreateSummaryFileWriterKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    constexpr int kFolder = 1, kMaxQueue = 2, kFlushMillis = 3, kSuffix = 4;
    constexpr int32_t kLongestWait = 100;  // upper limit, in milliseconds, of the time for which events are collected
    TINYTF_ASSIGN_OR_RETURN(const ResourceHandle handle, writer_handle(ctx));
    TINYTF_ASSIGN_OR_RETURN(const std::string folder, only_element<std::string>(ctx, kFolder, "logdir"));
    TINYTF_RETURN_IF_ERROR(only_element<int32_t>(ctx, kMaxQueue, "max_queue").status());
    TINYTF_ASSIGN_OR_RETURN(const int32_t millis, only_element<int32_t>(ctx, kFlushMillis, "flush_millis"));
    TINYTF_ASSIGN_OR_RETURN(const std::string suffix, only_element<std::string>(ctx, kSuffix, "filename_suffix"));
    TINYTF_RETURN_IF_ERROR(make_folders(folder));
    const std::chrono::milliseconds delay(std::clamp(millis, 0, kLongestWait));
    return ctx.step()
        .resources
        ->find_or_create(handle.container, SummaryFile::kRegistryType, handle.name,
                         [&]() -> Result<RefPtr<Resource>> {
                           auto file = make_ref<SummaryFile>(folder, suffix, delay);
                           TINYTF_RETURN_IF_ERROR(file->writer().begin_file());
                           return RefPtr<Resource>(std::move(file));
                         })
        .status();
  }
};

class FlushSummaryWriterKernel final : public Kernel {
 public:
  explicit FlushSummaryWriterKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<Resource> file, writer_of(ctx));
    return static_cast<SummaryFile*>(file.get())->writer().flush([&ctx] { return ctx.is_over(); });
  }
};

class CloseSummaryWriterKernel final : public Kernel {
 public:
  explicit CloseSummaryWriterKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const ResourceHandle handle, writer_handle(ctx));
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<Resource> file, writer_of(ctx));
    TINYTF_RETURN_IF_ERROR(ctx.step().resources->remove(handle.container, SummaryFile::kRegistryType, handle.name));
    return static_cast<SummaryFile*>(file.get())->writer().close([&ctx] { return ctx.is_over(); });
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(summary_writer) {
  using namespace tinytf::ops;
  using tinytf::Trait;
  ops.op("SummaryWriter")
      .output("writer: resource")
      .attr("shared_name: string = ''")
      .attr("container: string = ''")
      .stateful()
      .shape(tinytf::shapes::scalar)
      .no_gradient()
      .doc("Returns the handle of an event writer, which is identified by `container` and `shared_name`.");
  kernels.add<SummaryWriterKernel>("SummaryWriter");
  ops.op("CreateSummaryFileWriter")
      .input("writer: resource")
      .input("logdir: string")
      .input("max_queue: int32")
      .input("flush_millis: int32")
      .input("filename_suffix: string")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc(
          "Creates the event writer behind the handle `writer`, unless it exists, and its file in `logdir`, a "
          "directory that is created if necessary. Events are collected for `flush_millis` milliseconds, but at most "
          "100, before they are written; `max_queue` has no effect.");
  kernels.add<CreateSummaryFileWriterKernel>("CreateSummaryFileWriter");
  ops.op("FlushSummaryWriter")
      .input("writer: resource")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc("Waits until all events of the writer are in its file.");
  kernels.add<FlushSummaryWriterKernel>("FlushSummaryWriter");
  ops.op("CloseSummaryWriter")
      .input("writer: resource")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc("Writes all events of the writer to its file and removes the writer.");
  kernels.add<CloseSummaryWriterKernel>("CloseSummaryWriter");
}
