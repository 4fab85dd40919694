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
#include "runtime/step/step_loan.h"
#include "runtime/step/step_watch.h"
#include "runtime/step/unit_counts.h"

namespace tinytf {

/// A step that takes its feeds and gives its fetches bit by bit. Each `go_on` runs every node whose inputs have come,
/// on the calling thread; each node runs once. Thread-safe; calls of several threads take turns.
/// Keeps the session and the plan.
class PartialRun : public RefCounted {
 public:
  /// Feeds and fetches are numbered as in the plan's signature; their names ("node:output") are for messages.
  PartialRun(RefPtr<Session> session, RefPtr<Plan> plan, std::vector<std::string> feed_names,
             std::vector<std::string> fetch_names);

  /// Gives feeds, of the right types, and takes fetches. InvalidArgument, and nothing done, for what was given or taken
  /// before and for fetches that need other feeds. FailedPrecondition, and nothing done, on a thread that is in this
  /// call already: in a signal handler. An error of a node ends the run; so does the last feed and fetch.
  Status go_on(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches, std::vector<Tensor>& values,
               const RunSettings& settings = {});

  DType feed_type(int feed) const { return program().feed_types[feed]; }
  const Session& session() const { return *session_; }
  const RefPtr<Plan>& plan() const { return plan_; }
  /// Whether nothing more can be given or taken. Waits for nobody.
  bool over() const { return over_; }

 private:
  ~PartialRun() override;
  /// How far one unit of the plan is.
  struct Waits {
    int32_t pending;  ///< units and feeds that it waits for
    bool is_done;
  };
  const Program& program() const { return plan_->program(); }
  void find_readers();
  /// How far the units are when all has run that can once these feeds, new ones, are given.
  std::vector<Waits> after(const std::vector<int>& feeds) const;
  Status check(const std::vector<std::pair<int, Tensor>>& feeds, const std::vector<int>& fetches,
               const std::vector<Waits>& after) const;
  /// Whether the slot is that of a feed which is not among those given.
  bool is_missing(int32_t slot, const std::vector<bool>& given) const;
  Status take_turn(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches,
                   std::vector<Tensor>& values, const RunSettings& settings);
  void finish();

  const RefPtr<Session> session_;
  const RefPtr<Plan> plan_;
  const std::vector<std::string> feed_names_, fetch_names_;
  std::vector<int32_t> fetch_units_;           // which unit yields a fetch; -1: it is a constant or fed
  std::mutex mutex_;                           // of the turn
  std::atomic<std::thread::id> whose_turn_{};  // who holds the mutex
  std::atomic<bool> over_{false};
  std::unique_ptr<StepSlots> memory_;  // null when over
  std::unique_ptr<UnitCounts> counts_;
  std::unique_ptr<SlotUses> uses_;
  ResourceManager step_resources_;
  std::vector<bool> given_;                    // by feed
  std::vector<bool> taken_;                    // by fetch
  std::vector<std::vector<int32_t>> readers_;  // by feed: units that wait for it
  std::vector<Waits> waits_;                   // by unit
  std::vector<int32_t> ready_;                 // units that wait for nothing and have not run
};

}  // namespace tinytf
