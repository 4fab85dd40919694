#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "op/async_kernel.h"
#include "op/kernel.h"
#include "ops/data_flow/shared/queue.h"
#include "ops/io/shared/reader_state.h"
#include "ops/io/shared/record_source.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// Produces records (pairs of key and value) from work units, mostly file names. It dequeues a work unit from a queue
/// when the previous one is finished. Reads are served one after another; a read that waits for a work unit, or for
/// other reads, does not block a thread.
///
/// Thread-safe. A context passed in must keep the reader and the queue alive until `done` has been called. `done` is
/// called exactly once, possibly before the call returns, possibly on a thread that enqueues or cancels a step.
class Reader : public Resource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow15ReaderInterfaceE";
  static constexpr const char* kRegistryType = kTypeName;
  static constexpr const char* kNoun = "reader";
  using Done = AsyncKernel::Done;

  /// `name` identifies the reader in messages.
  Reader(std::string name, std::unique_ptr<RecordSource> source);
  ~Reader() override;

  /// Sets the node's outputs to a key and a value, or with `most` to vectors of at most `most` keys and values from one
  /// work unit: as many as are left in it, but at least one unless `most` is 0. InvalidArgument, without any effect, if
  /// the elements of the queue are not single strings. If memory is exhausted, the work unit and its records are kept
  /// for the next read.
  void read(KernelContext& ctx, Queue& queue, std::optional<int64_t> most, Done done);

  int64_t records_produced() const;
  int64_t work_units_completed() const;
  /// The serialized state. Unimplemented unless the source is resumable.
  Result<std::string> state() const;
  /// Restores a serialized state. Unimplemented unless the source is resumable. An invalid state resets the reader.
  Status restore(std::string_view state);
  /// Resets the reader to its initial state. A read that waits for a work unit keeps waiting.
  void reset();
  std::string debug_string() const override { return name_; }

 private:
  struct Attempt;
  struct Record {
    std::string key, value;
  };
  using Records = std::list<Record>;  // moved from one list to another without requests for memory
  using AttemptPtr = std::shared_ptr<Attempt>;
  enum class Progress { kMore, kDone, kNeedsUnit };

  void work(AttemptPtr attempt);
  void go_on(AttemptPtr attempt, bool has_unit);
  bool take_unit(Attempt& attempt);
  Status begin_unit();
  Status resume_unit();
  bool make_records(Attempt& attempt);
  Result<Progress> add_records(Attempt& attempt);
  AttemptPtr next_attempt();
  void cancel(const Attempt* attempt);
  void forget_attempts_of_parent();
  void deliver(Attempt& attempt);
  static Status set_outputs(Attempt& attempt);
  void give_back(Attempt& attempt) noexcept;
  void clear();

  const std::string name_;

  mutable std::mutex source_mutex_;  // held while files are read; never held together with mutex_
  const std::unique_ptr<RecordSource> source_;
  ReaderState state_;
  std::optional<Tensor> unit_;  // a dequeued work unit that has not begun
  bool is_working_ = false;     // whether a work unit has begun and not ended
  int64_t read_ = 0;            // number of records read from the work unit
  bool is_torn_ = false;        // whether the source was interrupted by an exception while it read
  Records returned_;            // records that could not be delivered
  int64_t resets_ = 0;          // number of times that the reader was reset or restored

  std::mutex mutex_;
  bool is_busy_ = false;        // whether a read is running or waiting for a work unit
  std::list<AttemptPtr> line_;  // reads that wait for the running one
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops
