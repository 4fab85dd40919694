#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/session.h"
#include "runtime/slot_uses.h"
#include "runtime/step_loan.h"
#include "runtime/step_watch.h"

namespace tinytf {

/// A step that takes its feeds and gives its fetches bit by bit. Each `go_on` runs every node whose inputs have come,
/// in the plan's order, on the calling thread; each node runs once. Thread-safe; calls of several threads take turns.
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

  DType feed_type(int feed) const { return plan_->feed_types[feed]; }
  const Session& session() const { return *session_; }
  const RefPtr<Plan>& plan() const { return plan_; }
  /// Whether nothing more can be given or taken. Waits for nobody.
  bool over() const { return over_; }

 private:
  ~PartialRun() override;
  Status check(const std::vector<std::pair<int, Tensor>>& feeds, const std::vector<int>& fetches) const;
  /// The nodes, in the plan's order, that can run once `missing` says which slots still wait for feeds.
  std::vector<int32_t> ready_nodes(const std::vector<bool>& missing) const;
  Status take_turn(std::vector<std::pair<int, Tensor>> feeds, const std::vector<int>& fetches,
                   std::vector<Tensor>& values, const RunSettings& settings);
  Status run(const std::vector<int32_t>& nodes, const StepLoan& services, StepWatch& watch);
  void finish();

  const RefPtr<Session> session_;
  const RefPtr<Plan> plan_;
  const std::vector<std::string> feed_names_, fetch_names_;
  std::vector<int32_t> fetch_nodes_;           // which node yields a fetch; -1: it is a constant or fed
  std::mutex mutex_;                           // of the turn
  std::atomic<std::thread::id> whose_turn_{};  // who holds the mutex
  std::atomic<bool> over_{false};
  std::unique_ptr<StepSlots> memory_;  // null when over
  std::unique_ptr<SlotUses> uses_;
  ResourceManager step_resources_;
  std::vector<bool> given_;    // by feed
  std::vector<bool> taken_;    // by fetch
  std::vector<bool> missing_;  // by slot: waits for a feed
  std::vector<bool> done_;     // by node
};

}  // namespace tinytf
