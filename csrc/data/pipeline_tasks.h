#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/status.h"
#include "data/shared_state.h"
#include "data/stage_profile.h"
#include "data/tuner.h"
#include "op/background_work.h"

namespace tinytf::data {

/// The background work of one pipeline: of an initialized iterator with all its stages, or of an operation that
/// iterates over a dataset, such as a reduction; and what its stages share. Owned by the stages and their tasks.
/// Thread-safe.
class PipelineTasks final : public RefCounted {
 public:
  /// The session in which tasks run is the one whose step used the pipeline last. May be null: then tasks do not start.
  void set_host(BackgroundHost* host) {
    if (latest_host_.load(std::memory_order_relaxed) == host) return;
    RefPtr<BackgroundHost> before;  // Released after the lock.
    const std::lock_guard lock(mutex_);
    before = std::exchange(host_, RefPtr<BackgroundHost>::share(host));
    latest_host_.store(host, std::memory_order_relaxed);
  }
  RefPtr<BackgroundHost> host() const {
    const std::lock_guard lock(mutex_);
    return host_;
  }
  BackgroundWork& work() { return work_; }

  /// What is known about the end of the pipeline (pipeline_end.h); null unless set_end() was called, which is done
  /// once, before iterators are made. Valid as long as this object.
  RefCounted* end() const {
    const std::lock_guard lock(mutex_);
    return end_.get();
  }
  void set_end(RefPtr<RefCounted> end) {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = std::move(end);
  }

  /// The state that all iterators of datasets of these levels at this place share; the first one makes it.
  Result<RefPtr<SharedState>> shared_state(uint64_t place, int levels, MakeSharedState make);
  /// Keeps an object, such as the pause of a stage, until release_held().
  void hold(std::shared_ptr<const void> object) {
    const std::lock_guard lock(mutex_);
    held_.push_back(std::move(object));
  }
  void release_held() {
    std::vector<std::shared_ptr<const void>> held;  // Released after the lock.
    const std::lock_guard lock(mutex_);
    held.swap(held_);
  }

  /// Writes the shared states. The stages do not work meanwhile.
  Status save_shared(StateWriter& state) const;
  /// Sets the shared states to saved ones, which may be hostile; those that are not made yet will be made of them.
  Status restore_shared(const StateReader& state);

  /// The profile of the consumer, which has the stages inside it; null as long as the pipeline is not measured.
  StageProfile* profile() const { return profile_.load(std::memory_order_acquire); }
  /// Begins to measure the pipeline, unless that is done.
  StageProfile& measure() {
    const std::lock_guard lock(mutex_);
    if (!own_profile_) own_profile_ = std::make_unique<StageProfile>();
    profile_.store(own_profile_.get(), std::memory_order_release);
    return *own_profile_;
  }

  /// Chooses what stages leave open; null: they choose by themselves.
  Tuner* tuner() const { return tuner_.load(std::memory_order_acquire); }
  /// Sets the tuner for stages that are made from now on, unless there is one.
  void set_tuner(RefPtr<Tuner> tuner) {
    const std::lock_guard lock(mutex_);
    if (own_tuner_) return;
    own_tuner_ = std::move(tuner);
    tuner_.store(own_tuner_.get(), std::memory_order_release);
  }

  /// Keeps the error with which the function of a stage has ended the sequence, without its origin, which may refer to
  /// this pipeline.
  void note_early_end(const Status& error) {
    Status kept(error.code(), error.message());
    const std::lock_guard lock(mutex_);
    std::swap(early_end_, kept);
  }
  /// The last such error; ok without one.
  Status early_end() const {
    const std::lock_guard lock(mutex_);
    return early_end_;
  }

 private:
  using Key = std::pair<uint64_t, int>;

  mutable std::mutex mutex_;  // Guards the members below. Held briefly, and together with no lock of a stage.
  RefPtr<BackgroundHost> host_;
  std::atomic<BackgroundHost*> latest_host_{nullptr};  // The object of host_, for steps that find themselves there.
  std::map<Key, RefPtr<SharedState>> states_;
  std::map<Key, IteratorState> saved_;  // Of states that were not made since they were restored.
  std::vector<std::shared_ptr<const void>> held_;
  RefPtr<RefCounted> end_;
  BackgroundWork work_;
  std::atomic<StageProfile*> profile_{nullptr};
  std::unique_ptr<StageProfile> own_profile_;
  Status early_end_;
  std::atomic<Tuner*> tuner_{nullptr};
  RefPtr<Tuner> own_tuner_;
};

}  // namespace tinytf::data
