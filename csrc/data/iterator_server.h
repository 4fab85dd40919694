#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "base/function_ref.h"
#include "data/background_stage.h"
#include "data/dataset.h"
#include "data/iterator_state.h"

namespace tinytf::data {

/// The end of a pipeline: hands the elements of an iterator to steps, in the order in which they ask. A step pulls on
/// its own thread if no other step is being served. A step whose pull is pending waits in the line and occupies no
/// thread: when the pipeline wakes the server, a background task repeats the pull and answers the step. Thread-safe.
class IteratorServer final : public BackgroundStage {
 public:
  struct Outcome {
    Result<Pulled> pulled = Pulled::kEnd;  ///< never kPending
    Element element;
    Status early_end = {};  ///< at the end: an error with which the function of a stage has ended the sequence
  };
  /// May be called on any thread, also on the one that cancels a step, without a lock of the server.
  using Done = std::function<void(Outcome)>;

  /// Makes an iterator of the dataset. Fails as Dataset::make_iterator does.
  static Result<RefPtr<IteratorServer>> of(const Dataset& dataset, const KernelServices& step);

  /// Gets the next element for a step: returns what became of it, or, if the step has to wait, nothing. In that case
  /// the result of `make_done`, which is called at most once, gets it; the caller keeps `step` and the server until
  /// then.
  std::optional<Outcome> next(const KernelServices& step, FunctionRef<Done()> make_done);
  /// Calls get(done). A step on the thread of a background task occupies the thread until `done` is called, so it runs
  /// the tasks of the pipeline meanwhile: all other threads may be occupied in the same way.
  static void get_with_tasks(PipelineTasks& tasks, Done done, FunctionRef<void(Done)> get);
  /// Begins to measure the pipeline, unless that is done, and returns the consumer's profile, which lives as long as
  /// the server.
  const StageProfile& measure() { return tasks().measure(); }
  const Dataset& dataset() const { return *dataset_; }
  /// Ends the pipeline's tasks, now and later, and the waiting steps, with Cancelled. With `waits` no task runs any
  /// more afterwards; then the caller holds no lock.
  void stop(bool waits);
  /// Writes or sets the position of the iterator, when no pull runs.
  Status save(const KernelServices& step, StateWriter& state);
  Status restore(const KernelServices& step, StateReader& state);

 private:
  /// A step that waits.
  struct Attempt {
    int64_t ticket = 0;
    const KernelServices* step = nullptr;
    Done done;
    Cancellation::Token token = 0;
  };

  IteratorServer(RefPtr<PipelineTasks> tasks, RefPtr<const Dataset> dataset)
      : BackgroundStage(std::move(tasks)), dataset_(std::move(dataset)) {}

  void work(PullContext& ctx) override;
  void end(const Status& error) override;
  void renew(bool was_working) override;

  std::optional<Outcome> get(const KernelServices& step, FunctionRef<Done()> make_done);
  std::optional<Outcome> take_ready();
  Attempt take_first();
  Outcome pull(PullContext& ctx);
  bool hand_over(Outcome& outcome, Attempt& attempt);
  std::optional<Outcome> serve(const KernelServices& step, FunctionRef<Done()> make_done);
  void release();
  bool wait_in_line(const KernelServices& step, Done& done, bool is_puller);
  void cancel(int64_t ticket);
  Status use_alone(const KernelServices& step, FunctionRef<Status(IteratorContext&)> use);
  bool begin_pulling();
  Status ended() const;
  Status save_ready(StateWriter& state) const;
  Status restore_ready(const StateReader& state);

  const RefPtr<const Dataset> dataset_;
  std::unique_ptr<Iterator> iterator_;  // Used by the thread that set is_pulling_.
  bool is_pulling_ = false;
  bool was_woken_ = false;  // While a step's thread was pulling.
  Status ended_;            // Not ok once the server was stopped, or a fork interrupted a pull.
  int64_t last_ticket_ = 0;
  std::list<Attempt> attempts_;
  std::deque<Outcome> ready_;  // Pulled for steps that were cancelled meanwhile. A part of the position.
  Status lost_;                // The error in place of an outcome that could not be kept.
  std::condition_variable released_;
};

}  // namespace tinytf::data
