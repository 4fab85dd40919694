#include "op/async_kernel.h"
#include "op/registration.h"
#include "ops/data_flow/shared/staging_area.h"
#include "ops/data_flow/shared/staging_args.h"

namespace tinytf::ops {
namespace {

/// Calls kUse(ctx, area, done).
template <auto kUse>
class StagingKernel final : public AsyncKernel {
 public:
  explicit StagingKernel(KernelInit& init) : args_(init) {}

  void compute_async(KernelContext& ctx, Done done) override {
    Result<RefPtr<StagingArea>> area = args_.area<StagingArea>(ctx, "StagingArea");
    if (!area.ok()) return done(area.status());
    const RefPtr<StagingArea> kept = area.take();  // waiting uses also keep it alive through their callback
    kUse(ctx, *kept, std::move(done));
  }

 private:
  const StagingArgs args_;
};

void put(KernelContext& ctx, StagingArea& area, AsyncKernel::Done done) { area.put(ctx, std::move(done)); }

void take(KernelContext& ctx, StagingArea& area, AsyncKernel::Done done) { area.take(ctx, std::move(done)); }

void peek(KernelContext& ctx, StagingArea& area, AsyncKernel::Done done) {
  const Tensor& index = ctx.input(0);
  if (index.num_elements() != 1) {
    return done(invalid_argument("index must be a scalar, but had shape: ", index.shape().to_string()));
  }
  const int32_t at = *index.data<int32_t>();
  if (at < 0) return done(invalid_argument("index must be >= 0 not ", at));
  area.peek(ctx, at, std::move(done));
}

class StageSizeKernel final : public Kernel {
 public:
  explicit StageSizeKernel(KernelInit& init) : args_(init) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StagingArea> area, args_.area<StagingArea>(ctx, "StagingArea"));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<int32_t>() = static_cast<int32_t>(area->size());
    return Status();
  }

 private:
  const StagingArgs args_;
};

class StageClearKernel final : public Kernel {
 public:
  explicit StageClearKernel(KernelInit& init) : args_(init) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StagingArea> area, args_.area<StagingArea>(ctx, "StagingArea"));
    area->clear();
    return Status();
  }

 private:
  const StagingArgs args_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_staging_ops) {
  using namespace tinytf::ops;
  using tinytf::Trait;
  constexpr const char* kTypes = "dtypes: list(type) >= 1";
  declare_staging(ops.op("Stage").input("values: dtypes"), {kTypes})
      .trait(Trait::kWritesExternalState)
      .shape(shapes::no_outputs)
      .doc(
          "Puts the tuple `values` into the staging area of the node's name, waiting for room. The area holds at most "
          "`capacity` tuples and `memory_limit` bytes; 0 means no limit.");
  kernels.add<StagingKernel<put>>("Stage");

  declare_staging(ops.op("Unstage").output("values: dtypes"), {kTypes})
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shapes::unknown)
      .doc("Takes the first tuple out of the staging area of the node's name, waiting until there is one.");
  kernels.add<StagingKernel<take>>("Unstage");

  declare_staging(ops.op("StagePeek").input("index: int32").output("values: dtypes"), {kTypes})
      .trait(Trait::kReadsExternalState)
      .shape(shapes::unknown)
      .doc(
          "Returns the tuple at position `index` of the staging area of the node's name, waiting until it is there. "
          "The tuple stays in the area.");
  kernels.add<StagingKernel<peek>>("StagePeek");

  declare_staging(ops.op("StageSize").output("size: int32"), {"dtypes: list(type)"})
      .trait(Trait::kReadsExternalState)
      .shape(shapes::scalar)
      .doc("Returns the number of tuples in the staging area of the node's name.");
  kernels.add<StageSizeKernel>("StageSize");

  declare_staging(ops.op("StageClear"), {"dtypes: list(type)"})
      .trait(Trait::kWritesExternalState)
      .shape(shapes::no_outputs)
      .doc("Drops all tuples of the staging area of the node's name.");
  kernels.add<StageClearKernel>("StageClear");
}
