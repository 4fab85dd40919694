#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/session/session.h"
#include "runtime/step/slot_uses.h"
#include "runtime/step/step_services.h"
#include "runtime/step/stop_check.h"
#include "runtime/step/unit_counts.h"

namespace tinytf {

/// A step that takes its feeds and returns its fetches in several calls. Each `go_on` runs all nodes whose inputs are
/// available, on the calling thread; each node runs once. Keeps the session and the plan alive. Thread-safe: concurrent
/// calls take turns.
class PartialRun : public RefCounted {
 public:
  /// Feeds and fetches are numbered as in the plan's signature. Their names ("node:output") are for messages.
  PartialRun(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<std::string> feed_names,
             std::vector<std::string> fetch_names);

  /// Supplies feeds and takes fetches. InvalidArgument, without any effect, for a feed or fetch of an earlier call, for
  /// a feed of the wrong dtype, and for a fetch that needs other feeds. FailedPrecondition, without any effect, if the
  /// thread is in this method already, as in a signal handler. The run ends with the error of a node, or when
  /// everything is fed and fetched.
  Status go_on(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches, std::vector<Tensor>& values,
               const RunSettings& settings = {});

  DType feed_type(int feed) const { return program().feed_types[feed]; }
  const Session& session() const { return *session_; }
  const RefPtr<Plan>& plan() const { return plan_; }
  /// Whether the run has ended. Does not block.
  bool over() const { return over_; }

 private:
  ~PartialRun() override;
  /// Progress of one unit.
  struct Waits {
    int32_t pending;  ///< Number of units and feeds that it waits for.
    bool is_done;
  };
  const Program& program() const { return plan_->program(); }
  void find_readers();
  /// Progress of all units once everything has run that these new feeds make possible.
  std::vector<Waits> after(const std::vector<int>& feeds) const;
  Status check(const std::vector<std::pair<int, Tensor>>& feeds, const std::vector<int>& fetches,
               const std::vector<Waits>& after) const;
  /// Whether the slot belongs to a feed that was not given.
  bool is_missing(int32_t slot, const std::vector<bool>& given) const;
  Status take_turn(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches,
                   std::vector<Tensor>& values, const RunSettings& settings);
  void finish();

  const RefPtr<Session> session_;
  const RefPtr<Plan> plan_;
  const std::vector<std::string> feed_names_, fetch_names_;
  std::vector<int32_t> fetch_units_;           // By fetch: the unit that yields it; -1: a constant or feed.
  std::mutex mutex_;                           // Held during a turn.
  std::atomic<std::thread::id> whose_turn_{};  // The thread that holds the mutex.
  std::atomic<bool> over_{false};
  std::unique_ptr<StepSlots> memory_;  // Null when the run is over.
  std::unique_ptr<UnitCounts> counts_;
  std::unique_ptr<SlotUses> uses_;
  ResourceManager step_resources_;
  std::vector<bool> given_;                    // By feed.
  std::vector<bool> taken_;                    // By fetch.
  std::vector<std::vector<int32_t>> readers_;  // By feed: units that wait for it.
  std::vector<Waits> waits_;                   // By unit.
  std::vector<int32_t> ready_;                 // Units that are ready and have not run.
};

}  // namespace tinytf
