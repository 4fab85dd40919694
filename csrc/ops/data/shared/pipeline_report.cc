#include "ops/data/shared/pipeline_report.h"

#include <cstdint>

#include "ops/data/shared/iterator_input.h"

namespace tinytf::ops {

namespace {

uint64_t id_of(const NodeInfo& node) { return reinterpret_cast<uintptr_t>(&node); }

ReportedStage stage_of(const NodeInfo& node, const NodeInfo& site) {
  ReportedStage stage;
  stage.op = node.op->name;
  stage.site = id_of(site);
  stage.site_op = site.op->name;
  stage.site_name = site.name;
  for (const auto& [name, value] : node.attrs) {
    if (const auto* function = std::get_if<FuncRef>(&value)) stage.functions.push_back(function->name);
    if (const auto* several = std::get_if<std::vector<FuncRef>>(&value)) {
      for (const FuncRef& one : *several) stage.functions.push_back(one.name);
    }
  }
  return stage;
}

/// The stages that have been pulled.
ReportedStage reported(const data::StageProfile& profile) {
  ReportedStage stage = stage_of(*profile.node(), *profile.site());
  stage.counts = profile.counts();
  for (const data::StageProfile* input : profile.inputs()) stage.inputs.push_back(reported(*input));
  return stage;
}

/// Appends the stages of a dataset, as far as they are known before they are pulled.
void report_dataset(const data::Dataset& dataset, std::vector<ReportedStage>& stages) {
  std::vector<ReportedStage>* inputs = &stages;
  if (dataset.is_stage()) {
    inputs = &stages.emplace_back(stage_of(*dataset.origin().node, *dataset.site())).inputs;
  }
  for (const Tensor& input : dataset.origin().inputs) {
    if (input.dtype() != DType::kVariant) continue;
    for (int64_t i = 0; i < input.num_elements(); ++i) {
      const auto* const inner = input.data<Variant>()[i].get<data::Dataset>();
      if (inner != nullptr) report_dataset(*inner, *inputs);
    }
  }
}

}  // namespace

Result<PipelineReport> report_pipeline(const Tensor& handle) {
  TINYTF_ASSIGN_OR_RETURN(data::IteratorResource* const iterator, iterator_of(handle));
  PipelineReport report;
  const Result<RefPtr<data::IteratorServer>> measured = iterator->measured_server();
  if (!measured.ok() && measured.status().code() == Code::kFailedPrecondition) return report;
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<data::IteratorServer> server, measured);
  for (const data::StageProfile* stage : server->measure().inputs()) report.stages.push_back(reported(*stage));
  report.is_measured = !report.stages.empty();
  if (!report.is_measured) report_dataset(server->dataset(), report.stages);
  return report;
}

Result<uint64_t> node_of_dataset(const Tensor& variant) {
  TINYTF_ASSIGN_OR_RETURN(const data::Dataset* const dataset, data::dataset_of(variant));
  return id_of(*dataset->site());
}

}  // namespace tinytf::ops
