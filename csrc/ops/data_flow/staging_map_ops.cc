#include "op/async_kernel.h"
#include "op/kept_value.h"
#include "op/registration.h"
#include "ops/data_flow/shared/staging_args.h"
#include "ops/data_flow/shared/staging_map.h"

namespace tinytf::ops {
namespace {

using MapKind = StagingMapUse::Kind;

/// The staging map of a node. OrderedMap… ops have maps of their own, although all maps are ordered here.
class MapArgs {
 public:
  explicit MapArgs(KernelInit& init)
      : args_(init), type_(init.node().op->name.rfind("Ordered", 0) == 0 ? "OrderedStagingMap" : "StagingMap") {}

  Result<RefPtr<StagingMap>> map(const KernelContext& ctx) const { return args_.area<StagingMap>(ctx, type_); }

 private:
  const StagingArgs args_;
  const char* const type_;
};

/// Reads the key (unless the use has none) and the indices of the use from the inputs from index `input` on.
Status read_place(const KernelContext& ctx, int input, StagingMapUse* use) {
  if (use->kind != MapKind::kTakeFirst) {
    const Tensor& key = ctx.input(input++);
    if (key.num_elements() != 1) {
      return invalid_argument("key must be a scalar, but had shape: ", key.shape().to_string());
    }
    use->key = *key.data<int64_t>();
  }
  const Tensor& indices = ctx.input(input);
  use->indices.assign(indices.data<int32_t>(), indices.data<int32_t>() + indices.num_elements());
  const auto is_behind = [](int32_t a, int32_t b) { return a >= b; };
  if (std::adjacent_find(use->indices.begin(), use->indices.end(), is_behind) != use->indices.end()) {
    return invalid_argument("Indices are not strictly ordered");
  }
  return Status();
}

class MapStageKernel final : public AsyncKernel {
 public:
  explicit MapStageKernel(KernelInit& init) : args_(init), dtypes_(init.attr<std::vector<DType>>("dtypes")) {}

  void compute_async(KernelContext& ctx, Done done) override {
    StagingMapUse use{&ctx, {}, MapKind::kPut};
    Status status = read(ctx, &use);
    if (!status.ok()) return done(std::move(status));
    Result<RefPtr<StagingMap>> map = args_.map(ctx);
    if (!map.ok()) return done(map.status());
    const RefPtr<StagingMap> kept = map.take();  // waiting uses also keep it alive through their callback
    use.done = std::move(done);
    kept->put(std::move(use), dtypes_);
  }

 private:
  static Status read(const KernelContext& ctx, StagingMapUse* use) {
    TINYTF_RETURN_IF_ERROR(read_place(ctx, 0, use));
    const int values = ctx.num_inputs() - 2;
    if (static_cast<int64_t>(use->indices.size()) != values) {
      return invalid_argument("There are ", use->indices.size(), " indices for ", values, " values");
    }
    for (int i = 0; i < values; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor value, kept_value(ctx, ctx.input(2 + i)));
      use->tensors.push_back(std::move(value));
    }
    return Status();
  }

  const MapArgs args_;
  const std::vector<DType> dtypes_;
};

template <MapKind kKind>
class MapTakeKernel final : public AsyncKernel {
 public:
  explicit MapTakeKernel(KernelInit& init) : args_(init) {}

  void compute_async(KernelContext& ctx, Done done) override {
    StagingMapUse use{&ctx, {}, kKind};
    Status status = read_place(ctx, 0, &use);
    const int outputs = ctx.num_outputs() - (kKind == MapKind::kTakeFirst ? 1 : 0);
    if (status.ok() && static_cast<int64_t>(use.indices.size()) != outputs) {
      status = invalid_argument("output/indices size mismatch: ", outputs, " vs. ", use.indices.size());
    }
    if (!status.ok()) return done(std::move(status));
    Result<RefPtr<StagingMap>> map = args_.map(ctx);
    if (!map.ok()) return done(map.status());
    const RefPtr<StagingMap> kept = map.take();
    use.done = std::move(done);
    kept->take(std::move(use));
  }

 private:
  const MapArgs args_;
};

template <auto kQuery>
class MapSizeKernel final : public Kernel {
 public:
  explicit MapSizeKernel(KernelInit& init) : args_(init) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StagingMap> map, args_.map(ctx));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<int32_t>() = static_cast<int32_t>((map.get()->*kQuery)());
    return Status();
  }

 private:
  const MapArgs args_;
};

class MapClearKernel final : public Kernel {
 public:
  explicit MapClearKernel(KernelInit& init) : args_(init) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StagingMap> map, args_.map(ctx));
    map->clear();
    return Status();
  }

 private:
  const MapArgs args_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_staging_map_ops) {
  using namespace tinytf::ops;
  using tinytf::Trait;
  constexpr const char* kTypes = "dtypes: list(type) >= 1";
  constexpr const char* kAnyTypes = "dtypes: list(type)";
  for (const std::string prefix : {"Map", "OrderedMap"}) {
    declare_staging(ops.op(prefix + "Stage").input("key: int64").input("indices: int32").input("values: fake_dtypes"),
                    {kAnyTypes, "fake_dtypes: list(type) >= 1"})
        .trait(Trait::kWritesExternalState)
        .shape(shapes::no_outputs)
        .doc(
            "Puts the components `indices` of the tuple with key `key` into the staging map of the node's name, "
            "waiting for room. The map holds at most `capacity` complete tuples and `memory_limit` bytes; 0 means no "
            "limit.");
    kernels.add<MapStageKernel>(prefix + "Stage");

    declare_staging(ops.op(prefix + "Peek").input("key: int64").input("indices: int32").output("values: dtypes"),
                    {kTypes})
        .trait(Trait::kReadsExternalState)
        .shape(shapes::unknown)
        .doc(
            "Returns the components `indices` of the tuple with key `key` from the staging map of the node's name, "
            "waiting until the tuple is complete. The components stay in the map.");
    kernels.add<MapTakeKernel<MapKind::kPeek>>(prefix + "Peek");

    declare_staging(ops.op(prefix + "Unstage").input("key: int64").input("indices: int32").output("values: dtypes"),
                    {kTypes})
        .trait(Trait::kReadsExternalState)
        .trait(Trait::kWritesExternalState)
        .shape(shapes::unknown)
        .doc(
            "Takes the components `indices` of the tuple with key `key` out of the staging map of the node's name, "
            "waiting until the tuple is complete.");
    kernels.add<MapTakeKernel<MapKind::kTake>>(prefix + "Unstage");

    declare_staging(
        ops.op(prefix + "UnstageNoKey").input("indices: int32").output("key: int64").output("values: dtypes"), {kTypes})
        .trait(Trait::kReadsExternalState)
        .trait(Trait::kWritesExternalState)
        .shape(shapes::unknown)
        .doc(
            "Takes the components `indices` of the tuple with the smallest key out of the staging map of the node's "
            "name, waiting for a complete tuple.");
    kernels.add<MapTakeKernel<MapKind::kTakeFirst>>(prefix + "UnstageNoKey");

    declare_staging(ops.op(prefix + "Size").output("size: int32"), {kAnyTypes})
        .trait(Trait::kReadsExternalState)
        .shape(shapes::scalar)
        .doc(
            "Returns the number of tuples in the staging map of the node's name that have been completed and of which "
            "some components are left.");
    kernels.add<MapSizeKernel<&StagingMap::size>>(prefix + "Size");

    declare_staging(ops.op(prefix + "IncompleteSize").output("size: int32"), {kAnyTypes})
        .trait(Trait::kReadsExternalState)
        .shape(shapes::scalar)
        .doc("Returns the number of incomplete tuples in the staging map of the node's name.");
    kernels.add<MapSizeKernel<&StagingMap::incomplete_size>>(prefix + "IncompleteSize");

    declare_staging(ops.op(prefix + "Clear"), {kAnyTypes})
        .trait(Trait::kWritesExternalState)
        .shape(shapes::no_outputs)
        .doc("Drops all tuples of the staging map of the node's name.");
    kernels.add<MapClearKernel>(prefix + "Clear");
  }
}
