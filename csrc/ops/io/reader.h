#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "op/kernel.h"
#include "ops/data_flow/queue.h"
#include "ops/io/reader_state.h"
#include "ops/io/record_source.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// Makes records (pairs of key and value) of work units, mostly names of files, which it takes from a queue when it has
/// finished the one before. Reads are served one after the other; one that waits for a work unit, or behind another,
/// holds no thread.
///
/// Thread-safe. A context handed in must keep reader and queue alive until `done` was called, which happens exactly
/// once, maybe before the call returns, maybe on a thread that enqueues or cancels a step.
class Reader : public Resource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow15ReaderInterfaceE";
  static constexpr const char* kRegistryType = kTypeName;
  static constexpr const char* kNoun = "reader";
  using Done = AsyncKernel::Done;

  /// `name` is what messages call it.
  Reader(std::string name, std::unique_ptr<RecordSource> source);
  ~Reader() override;

  /// Sets the node's outputs to a key and a value, or, with `most`, to vectors of up to so many, of one work unit: no
  /// more than it still has, but one at least if `most` is not 0. InvalidArgument, and nothing is taken, for a queue of
  /// other elements than single texts.
  void read(KernelContext& ctx, Queue& queue, std::optional<int64_t> most, Done done);

  int64_t records_produced() const;
  int64_t work_units_completed() const;
  /// Unimplemented unless the source is resumable.
  Result<std::string> state() const;
  /// The same. A state that cannot be resets the reader.
  Status restore(std::string_view state);
  /// As if it had never read. What waits for a work unit goes on waiting.
  void reset();
  std::string debug_string() const override { return name_; }

 private:
  struct Attempt;
  using AttemptPtr = std::shared_ptr<Attempt>;
  enum class Progress { kMore, kDone, kNeedsUnit };

  void work(AttemptPtr attempt);
  void go_on(AttemptPtr attempt, bool has_unit);
  bool take_unit(Attempt& attempt);
  bool make_records(Attempt& attempt);
  Result<Progress> add_records(Attempt& attempt);
  AttemptPtr next_attempt();
  void cancel(const Attempt* attempt);
  void forget_attempts_of_parent();
  static void deliver(Attempt& attempt);
  void clear();

  const std::string name_;

  mutable std::mutex source_mutex_;  // held while files are read; never with the other
  const std::unique_ptr<RecordSource> source_;
  ReaderState state_;
  bool is_working_ = false;  // a work unit was begun and has not ended

  std::mutex mutex_;
  bool is_busy_ = false;        // somebody reads, or waits for a work unit
  std::list<AttemptPtr> line_;  // who waits for that to end
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops
