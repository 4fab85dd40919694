#pragma once

#include <string>
#include <vector>

#include "data/stage_profile.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// A stage of a pipeline, for reports.
struct ReportedStage {
  std::string op;                      ///< of the node that made its dataset
  std::vector<std::string> functions;  ///< that it calls
  /// The node of the program: another one if the pipeline was rewritten. `site` identifies it as long as the pipeline
  /// lives.
  uint64_t site = 0;
  std::string site_op, site_name;
  data::StageProfile::Counts counts;
  std::vector<ReportedStage> inputs;
};

struct PipelineReport {
  bool is_measured = false;           ///< Whether a stage has been pulled since measuring began. Else all counts are 0.
  std::vector<ReportedStage> stages;  ///< that the consumer pulls
};

/// Begins to measure the pipeline of the iterator with this handle, and reports what is known: nothing if the iterator
/// was not initialized. Does not wait for pulls. InvalidArgument if it is no handle of an iterator.
Result<PipelineReport> report_pipeline(const Tensor& handle);
/// The number by which reports identify the node that made the dataset in the variant. InvalidArgument if there is
/// none.
Result<uint64_t> node_of_dataset(const Tensor& variant);

}  // namespace tinytf::ops
