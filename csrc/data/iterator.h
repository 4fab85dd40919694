#pragma once

#include "data/element.h"
#include "data/pipeline_tasks.h"
#include "data/stage_profile.h"
#include "data/statistics.h"
#include "op/kernel.h"

namespace tinytf::data {

class BatchRows;
class Dataset;
class StateReader;
class StateWriter;

/// What a pull has yielded.
enum class Pulled : uint8_t {
  kElement,  ///< an element
  kEnd,      ///< nothing: the sequence has ended. Later pulls yield the same
  kPending,  ///< nothing yet: the waker will be called
};

/// Gets told that a pull that was pending is worth repeating. Thread-safe.
class Waker : public RefCounted {
 public:
  /// Called on any thread, without a lock. It only schedules the next pull and does not run it.
  virtual void wake() = 0;
};

/// What stages of a pipeline may use while they are made or pulled. Valid during the call.
struct IteratorContext {
  const KernelServices& step;  ///< of the pulling step, or of the background task that pulls
  PipelineTasks& tasks;        ///< stages that share it with their tasks take a reference
  int nesting = 0;             ///< the levels of the datasets around that functions made of elements
  /// Where stages report what they measure; may be null. Set by the stage of StatsAggregator for those before it.
  Statistics* statistics = nullptr;
  uint64_t place = 0;  ///< of the iterator that is being made; see AtPlace
  /// Of the stage that pulls, if the pipeline is measured; else null. See AtStage.
  StageFrame* frame = nullptr;
  /// The dataset whose stages are made or pulled, if a function made it; null: the dataset of the whole pipeline.
  const Dataset* inner = nullptr;

  Allocator& allocator() const { return *step.allocator; }
  /// Cancelled if the step is over. Loops over elements without a bound call it in each round; see
  /// KernelContext::is_over.
  Status check() const;
};

/// Cancelled, for pulls of an iterator that is gone. It takes no memory, because pipelines also end in destructors.
Status iteration_cancelled();

/// Tells the tuner of a pipeline what its consumer has got.
inline void tell_tuner(const PipelineTasks& tasks, const Result<Pulled>& pulled) {
  if (tasks.tuner() == nullptr || !pulled.ok() || pulled.value() == Pulled::kEnd) return;
  pulled.value() == Pulled::kPending ? tasks.tuner()->note_pending() : tasks.tuner()->note_element();
}

/// The place in the pipeline of iterator `index` of those that one iterator makes of inputs or inner datasets. Stages
/// of one chain have the place of its end. Iterators at equal places, of datasets of equal levels, are versions of one
/// iterator: they share state such as the numbers of rounds (PipelineTasks::shared_state).
uint64_t place_inside(uint64_t place, int levels, int64_t index);

/// Gives a place to the iterators that are made while it lives. An iterator that makes others in pull() stores the
/// place at which it was made.
class AtPlace {
 public:
  AtPlace(IteratorContext& ctx, uint64_t place) : ctx_(ctx), outer_(ctx.place) { ctx.place = place; }
  ~AtPlace() { ctx_.place = outer_; }
  AtPlace(const AtPlace&) = delete;
  AtPlace& operator=(const AtPlace&) = delete;

 private:
  IteratorContext& ctx_;
  const uint64_t outer_;
};

struct PullContext : IteratorContext {
  /// Woken for a pull that returns kPending, maybe before it has returned. The waiting stage keeps a reference.
  Waker& waker;
};

/// A position in a dataset's sequence of elements. One thread at a time uses it; which one is the business of its
/// owner: another stage, or the object at the end of the pipeline.
///
/// Destruction does not wait for background tasks, because a value may be destroyed under locks: tasks own all that
/// they use.
class Iterator {
 public:
  virtual ~Iterator() = default;
  Iterator(const Iterator&) = delete;
  Iterator& operator=(const Iterator&) = delete;

  // Pulls by consumers, which are measured if the pipeline is. They do what pull() and pull_rows() do.
  Result<Pulled> next(PullContext& ctx, Element& element) {
    return ctx.frame == nullptr ? pull(ctx, element) : measured_pull(ctx, element);
  }
  Result<Pulled> next_rows(PullContext& ctx, int64_t size, BatchRows& rows) {
    return ctx.frame == nullptr ? pull_rows(ctx, size, rows) : measured_rows(ctx, size, rows);
  }

  /// Sets `element`, whose former contents mean nothing, to the next element. A stage whose input is pending is pending
  /// itself and must have stored how far it got: the next pull continues there. After an error the next pull continues
  /// behind the element that failed. Consumers call next().
  virtual Result<Pulled> pull(PullContext& ctx, Element& element) = 0;

  /// Collects elements in `rows` until there are `size`: kElement. A consumer that makes batches calls it in place of
  /// pull(). After kPending it repeats the call with the same rows; before kEnd there may be fewer rows. After an error
  /// the rows are lost, as in TensorFlow. An override may make many rows at once; without one, pull() makes each.
  /// Consumers call next_rows().
  virtual Result<Pulled> pull_rows(PullContext& ctx, int64_t size, BatchRows& rows);

  /// Writes the position. No pull is running.
  virtual Status save(IteratorContext& ctx, StateWriter& state) = 0;
  /// Sets the position of a new iterator of an equal dataset. The state may be hostile: DataLoss or InvalidArgument for
  /// one that no such iterator wrote.
  virtual Status restore(IteratorContext& ctx, StateReader& state) = 0;

  /// The dataset over which it iterates; null for a part of another stage, which is not measured by itself.
  virtual const Dataset* made_of() const { return nullptr; }
  /// What it keeps now. No pull is running.
  virtual StageHeld held() const { return {}; }

 protected:
  Iterator() = default;

 private:
  class MeasuredPull;
  Result<Pulled> measured_pull(PullContext& ctx, Element& element);
  Result<Pulled> measured_rows(PullContext& ctx, int64_t size, BatchRows& rows);

  int64_t pending_since_ = 0;  // When a measured pull was pending; else 0.
};

}  // namespace tinytf::data
