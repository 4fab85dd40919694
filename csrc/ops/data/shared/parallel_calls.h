#pragma once

#include <algorithm>
#include <deque>
#include <memory>

#include "ops/data/shared/served_stage.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// How far ParallelCalls works ahead of its consumer.
struct CallLimits {
  int64_t running = 1;              ///< calls at a time
  int64_t results = 1;              ///< calls and results that were not taken
  bool in_order = true;             ///< else results are taken as they come
  const char* statistic = nullptr;  ///< name of the measured share of calls that run
  /// If not null, the number of calls at a time; then there are at least as many results, too.
  RefPtr<data::TunedNumber> tuned = nullptr;
};

/// Pulls an input ahead of its consumer and calls a function with the elements, with several at a time.
class ParallelCalls final : public ServedStage {
 public:
  /// What became of an element of the input.
  struct Outcome {
    Status status;  ///< an error of the input, or of the function
    Element element;
  };

  ParallelCalls(const IteratorContext& ctx, IteratorPtr input, std::unique_ptr<data::BoundFunction> function,
                CallLimits limits)
      : ServedStage(ctx), limits_(std::move(limits)), input_(std::move(input)), function_(std::move(function)) {}

  /// kElement with an outcome, which may be an error; or an error of the stage.
  Result<Pulled> take(PullContext& ctx, Outcome& outcome);
  data::StageHeld held() const;
  /// Waits until no call runs.
  Status save(IteratorContext& ctx, StateWriter& state);
  /// Of a stage that was not used before; `spec` is that of results.
  Status restore(IteratorContext& ctx, StateReader& state, const ElementSpec& spec);

 private:
  struct Call {
    bool is_done = false;
    Outcome outcome;
  };

  int64_t most_running() const { return limits_.tuned ? limits_.tuned->value() : limits_.running; }
  int64_t most_results() const { return limits_.tuned ? std::max(most_running(), limits_.results) : limits_.results; }
  bool has_room() const;
  bool pop(Outcome& outcome);
  void work(PullContext& ctx) override;
  void add(Status status, Element* argument);
  void call(std::shared_ptr<Call> call, Element argument);
  void finish(Call& call, const Status& status, Element results);

  const CallLimits limits_;
  const IteratorPtr input_;  // Used by work(), or during a pause.
  const std::unique_ptr<data::BoundFunction> function_;
  std::deque<std::shared_ptr<Call>> calls_;
  bool has_ended_ = false;
};

/// The number of threads for parallelism that the program leaves open.
int64_t automatic_parallelism();
/// The parallelism of a stage of the pipeline for which the program leaves it open, and of which it can use at most
/// `most`; null if the pipeline is not tuned.
RefPtr<data::TunedNumber> tuned_parallelism(const IteratorContext& ctx, int64_t most);

}  // namespace tinytf::ops
