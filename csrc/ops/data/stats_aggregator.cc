#include "ops/data/shared/resource_input.h"
#include "ops/data/shared/stats_collector.h"
#include "ops/data/shared/unary_stage.h"
#include "ops/data_flow/shared/named_state.h"

namespace tinytf::ops {
namespace {

class StatsDataset final : public UnaryDataset {
 public:
  StatsDataset(DatasetParts parts, RefPtr<const Dataset> input, RefPtr<data::Statistics> statistics)
      : UnaryDataset(std::move(parts), std::move(input)), statistics_(std::move(statistics)) {}

  data::Statistics* statistics() const { return statistics_.get(); }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const RefPtr<data::Statistics> statistics_;
};

/// Lets the stages before it report to its statistics.
class StatsIterator final : public UnaryIterator<StatsDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    PullContext inner = ctx;
    inner.statistics = dataset().statistics();
    return input().next(inner, element);
  }
  Status save(IteratorContext&, StateWriter&) override {
    return unimplemented("SetStatsAggregatorDatasetOp::Dataset does not support checkpointing");
  }
};

Result<IteratorPtr> StatsDataset::make_iterator(IteratorContext& ctx) const {
  IteratorContext inner = ctx;
  inner.statistics = statistics();
  return make_unary_iterator<StatsIterator>(*this, inner);
}

class SetStatsAggregatorKernel final : public DatasetKernel {
 public:
  explicit SetStatsAggregatorKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StatsResource> resource, resource_input<StatsResource>(ctx, 1));
    TINYTF_ASSIGN_OR_RETURN(const std::string tag, scalar_input<std::string>(ctx, 2, "tag"));
    TINYTF_RETURN_IF_ERROR(scalar_input<std::string>(ctx, 3, "counter_prefix").status());
    RefPtr<data::Statistics> statistics = make_ref<TaggedStatistics>(resource->collector(), tag);
    return RefPtr<const Dataset>(make_ref<StatsDataset>(std::move(parts), std::move(input), std::move(statistics)));
  }
};

template <bool kWritesEvents>
struct StatsMaker {
  using State = StatsResource;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kNodeName;

  explicit StatsMaker(KernelInit&) {}
  RefPtr<Resource> make(const std::string&) const { return make_ref<StatsResource>(kWritesEvents); }
  Status check(const State&) const { return Status(); }
};

class StatsSummaryKernel final : public Kernel {
 public:
  explicit StatsSummaryKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StatsResource> resource, resource_input<StatsResource>(ctx, 0));
    ctx.set_output(0, Tensor::scalar(resource->collector()->summary()));
    return Status();
  }
};

class SetStatsWriterKernel final : public Kernel {
 public:
  explicit SetStatsWriterKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<StatsResource> resource, resource_input<StatsResource>(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const ResourceHandle handle, writer_handle(ctx, 1));
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<Resource> file,
                            ctx.step().resources->find(handle.container, SummaryFile::kRegistryType, handle.name));
    resource->collector()->set_writer(RefPtr<SummaryFile>::share(static_cast<SummaryFile*>(file.get())));
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_stats_aggregator) {
  using namespace tinytf::ops;

  const auto declare = [&](const char* name) {
    kernels.add<SetStatsAggregatorKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("stats_aggregator: resource")
        .input("tag: string")
        .input("counter_prefix: string")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .trait(Trait::kReadsResource)
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("SetStatsAggregatorDataset")
      .doc(
          "Makes a dataset of the elements of the input whose stages report their measurements to `stats_aggregator`, "
          "under names that begin with `tag`.");
  declare("ExperimentalSetStatsAggregatorDataset").doc("An earlier name of SetStatsAggregatorDataset.");

  const auto declare_handle = [&](const char* name) {
    kernels.add<NamedStateKernel<StatsMaker<false>>>(name);
    return ops.op(name)
        .output("handle: resource")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare_handle("StatsAggregatorHandle")
      .doc("Returns the handle of a collector of statistics, which lives as long as the session.");
  declare_handle("ExperimentalStatsAggregatorHandle").doc("An earlier name of StatsAggregatorHandle.");

  ops.op("StatsAggregatorHandleV2")
      .output("handle: resource")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of a collector of statistics that writes events to the writer of "
          "StatsAggregatorSetSummaryWriter.");
  kernels.add<NamedStateKernel<StatsMaker<true>>>("StatsAggregatorHandleV2");

  ops.op("StatsAggregatorSetSummaryWriter")
      .input("stats_aggregator: resource")
      .input("summary: resource")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Lets the collector write events to `summary`, if its handle is of StatsAggregatorHandleV2.");
  kernels.add<SetStatsWriterKernel>("StatsAggregatorSetSummaryWriter");

  const auto declare_summary = [&](const char* name) {
    kernels.add<StatsSummaryKernel>(name);
    return ops.op(name)
        .input("iterator: resource")
        .output("summary: string")
        .stateful()
        .trait(Trait::kReadsExternalState)
        .trait(Trait::kWritesExternalState)
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare_summary("StatsAggregatorSummary")
      .doc("Returns the collected statistics as a serialized Summary; empty if they are written as events.");
  declare_summary("ExperimentalStatsAggregatorSummary").doc("An earlier name of StatsAggregatorSummary.");
}
