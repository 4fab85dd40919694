#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "op/node_info.h"

namespace tinytf::data {

class Dataset;
struct IteratorContext;

/// What a stage keeps between pulls. Numbers that do not apply are 0.
struct StageHeld {
  int64_t elements = 0;     ///< elements that were made and not taken, or that the stage chooses from
  int64_t most = 0;         ///< how many it keeps at most
  int64_t parallelism = 0;  ///< calls of its function, or datasets, that may be worked on at a time
};

/// What a stage of a pipeline has done since its pipeline is measured. The iterators of datasets that one node made and
/// one stage pulls are one stage. The stage without a node is the pipeline's consumer. Thread-safe.
class StageProfile {
 public:
  /// Times are in nanoseconds.
  struct Counts {
    int64_t elements = 0;
    int64_t own = 0;            ///< time in which the stage worked, without its inputs
    int64_t waited = 0;         ///< time from the consumers' requests to the elements
    int64_t calls = 0;          ///< calls of its functions that run now
    int64_t call_began = 0;     ///< when the last of them began, on the clock of now()
    int64_t element_bytes = 0;  ///< mean size of an element
    StageHeld held;
  };

  StageProfile() = default;
  /// `site`: see Dataset::site.
  StageProfile(std::shared_ptr<const NodeInfo> node, std::shared_ptr<const NodeInfo> site)
      : node_(std::move(node)), site_(std::move(site)) {}
  StageProfile(const StageProfile&) = delete;
  StageProfile& operator=(const StageProfile&) = delete;

  static int64_t now();

  const std::shared_ptr<const NodeInfo>& node() const { return node_; }
  const std::shared_ptr<const NodeInfo>& site() const { return site_; }
  /// The stage of the iterators of such datasets that this stage pulls. It lives as long as this one.
  StageProfile& input(const Dataset& dataset);
  /// The stages that it has pulled so far.
  std::vector<const StageProfile*> inputs() const;
  Counts counts() const;

  void add_time(int64_t own, int64_t waited) {
    own_.fetch_add(own, std::memory_order_relaxed);
    waited_.fetch_add(waited, std::memory_order_relaxed);
  }
  void add_elements(int64_t count) { elements_.fetch_add(count, std::memory_order_relaxed); }
  /// The size of an element, for the mean size.
  void add_size(int64_t bytes) {
    sized_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void set_held(const StageHeld& held) {
    held_elements_.store(held.elements, std::memory_order_relaxed);
    held_most_.store(held.most, std::memory_order_relaxed);
    parallelism_.store(held.parallelism, std::memory_order_relaxed);
  }
  void begin_call() {
    call_began_.store(now(), std::memory_order_relaxed);
    calls_.fetch_add(1, std::memory_order_relaxed);
  }
  void end_call() { calls_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  const std::shared_ptr<const NodeInfo> node_, site_;
  std::atomic<int64_t> elements_{0}, own_{0}, waited_{0}, sized_{0}, bytes_{0}, calls_{0}, call_began_{0};
  std::atomic<int64_t> held_elements_{0}, held_most_{0}, parallelism_{0};
  mutable std::mutex mutex_;  // Guards inputs_. Held briefly, and together with no other lock.
  std::vector<std::unique_ptr<StageProfile>> inputs_;
};

/// The stage on whose behalf a thread works, in a pipeline that is measured. Members of stages that are not measured
/// are null.
struct StageFrame {
  StageProfile* stage = nullptr;
  int64_t inputs = 0;  ///< time that it has spent in its inputs
};

/// While it lives, pulls with the context belong to this stage. Without a stage, it does nothing.
class AtStage {
 public:
  AtStage(IteratorContext& ctx, StageProfile* stage);
  ~AtStage();
  AtStage(const AtStage&) = delete;
  AtStage& operator=(const AtStage&) = delete;

  /// The time since the beginning, without that in inputs.
  int64_t own() const { return StageProfile::now() - began_ - frame_.inputs; }

 protected:
  IteratorContext& ctx_;
  StageFrame frame_;
  StageFrame* outer_ = nullptr;
  const int64_t began_;
};

/// A stage's function runs while it lives. Without a frame, it does nothing.
class MeasuredCall {
 public:
  explicit MeasuredCall(const StageFrame* frame) : stage_(frame != nullptr ? frame->stage : nullptr) {
    if (stage_ != nullptr) stage_->begin_call();
  }
  ~MeasuredCall() {
    if (stage_ != nullptr) stage_->end_call();
  }
  MeasuredCall(const MeasuredCall&) = delete;
  MeasuredCall& operator=(const MeasuredCall&) = delete;

 private:
  StageProfile* const stage_;
};

}  // namespace tinytf::data
