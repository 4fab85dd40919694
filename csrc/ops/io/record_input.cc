#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "op/async_kernel.h"
#include "op/registration.h"
#include "ops/io/shared/record_yielder.h"

namespace tinytf::ops {
namespace {

/// Stops a yielder when the resources of its session are destroyed, because the kernel may live longer, for example
/// through a kept error.
class StopAtEnd final : public Resource {
 public:
  explicit StopAtEnd(RefPtr<RecordYielder> yielder) : yielder_(std::move(yielder)) {}
  ~StopAtEnd() override {
    if (renewal_.due()) {
      (void)yielder_.release();  // belongs to the parent process, and its lock may be held
    } else {
      yielder_->stop();
    }
  }
  std::string debug_string() const override { return yielder_->debug_string(); }

 private:
  RefPtr<RecordYielder> yielder_;
  ForkRenewal renewal_;
};

class RecordInputKernel final : public AsyncKernel {
 public:
  explicit RecordInputKernel(KernelInit& init) : batch_size_(init.attr<int64_t>("batch_size")) {
    options_.patterns = init.attr<std::string>("file_pattern");
    options_.seed = init.attr<int64_t>("file_random_seed");
    options_.shift_ratio = init.attr<float>("file_shuffle_shift_ratio");
    options_.buffer_size = static_cast<uint64_t>(positive(init, "file_buffer_size"));
    options_.parallelism = positive(init, "file_parallelism");
    // As in TensorFlow, unknown names mean no compression.
    const auto named = record_compression(init.attr<std::string>("compression_type"));
    if (named.ok()) options_.compression = named.value();
    if (batch_size_ < 0) init.fail(invalid_argument("batch_size must not be negative, got ", batch_size_));
    yielder_ = make_ref<RecordYielder>(options_);
  }

  ~RecordInputKernel() override {
    if (renewal_.due()) {
      (void)yielder_.release();  // belongs to the parent process, and its lock may be held
    } else {
      yielder_->stop();
    }
  }

  void compute_async(KernelContext& ctx, Done done) override {
    const Result<Tensor*> out = ctx.allocate_output(0, Shape({batch_size_}));
    if (!out.ok()) return done(out.status());
    renewal_.run_if_due([this] {
      (void)yielder_.release();
      yielder_ = make_ref<RecordYielder>(options_);
      is_registered_ = false;
    });
    if (!is_registered_.exchange(true)) {
      const auto make = [this] { return Result<RefPtr<Resource>>(RefPtr<Resource>(make_ref<StopAtEnd>(yielder_))); };
      const std::string name = str_cat(ctx.node().name, "/", reinterpret_cast<uintptr_t>(yielder_.get()));
      const auto made = ctx.step().resources->find_or_create(kContainer, kContainer, name, make);
      if (!made.ok()) return done(made.status());
    }
    yielder_->fill(ctx, std::move(done));
  }

 private:
  static constexpr const char* kContainer = "tinytf::RecordInput";

  static int64_t positive(KernelInit& init, const char* attr) {
    const auto value = init.attr<int64_t>(attr);
    if (value < 1) init.fail(invalid_argument(attr, " must be positive, got ", value));
    return std::max<int64_t>(value, 1);
  }

  RecordYielder::Options options_;
  const int64_t batch_size_;
  RefPtr<RecordYielder> yielder_;
  std::atomic<bool> is_registered_{false};
  ForkRenewal renewal_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_record_input) {
  using namespace tinytf::ops;

  ops.op("RecordInput")
      .output("records: string")
      .attr("file_pattern: string")
      .attr("file_random_seed: int = 301")
      .attr("file_shuffle_shift_ratio: float = 0")
      .attr("file_buffer_size: int = 10000")
      .attr("file_parallelism: int = 16")
      .attr("batch_size: int = 32")
      .attr("compression_type: string = ''")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .shape(shapes::unknown)
      .no_gradient()
      .doc(
          "Returns the next `batch_size` records of all files that match `file_pattern`, as a vector. Threads read the "
          "files repeatedly into a buffer of `file_buffer_size` records, from which records are taken at random.");
  kernels.add<RecordInputKernel>("RecordInput");
}
