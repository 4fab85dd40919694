#pragma once

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/background_stage.h"
#include "data/iterator_server.h"
#include "ops/data/shared/dataset_kernel.h"
#include "tensor/resource_handle.h"

namespace tinytf::ops {

/// The end of a pipeline whose elements are dealt out to several consumers in turn. Buffers for them are filled in the
/// background. A step that has to wait occupies no thread. Thread-safe.
class MultiDeviceServer final : public data::BackgroundStage {
 public:
  using Outcome = data::IteratorServer::Outcome;
  using Done = data::IteratorServer::Done;

  /// `room` is the number of elements in the buffer of each consumer.
  static Result<RefPtr<MultiDeviceServer>> of(const Dataset& dataset, const KernelServices& step, size_t consumers,
                                              int64_t room);

  /// Gets the next element of a consumer, and calls `done` once, on any thread and without a lock of the server. The
  /// caller keeps `step` and the server until then.
  void next(const KernelServices& step, size_t consumer, Done done);
  /// Ends the pipeline's tasks, now and later, and the waiting steps, with Cancelled. With `waits` no task runs any
  /// more afterwards; then the caller holds no lock.
  void stop(bool waits);

 private:
  struct Attempt {
    int64_t ticket = 0;
    const KernelServices* step = nullptr;
    Done done;
    Cancellation::Token token = 0;
  };
  struct Consumer {
    std::deque<Outcome> ready;
    std::list<Attempt> attempts;
  };

  MultiDeviceServer(RefPtr<data::PipelineTasks> tasks, size_t consumers, int64_t room)
      : BackgroundStage(std::move(tasks)), room_(room), consumers_(consumers) {}
  void work(PullContext& ctx) override;
  void end(const Status& error) override;
  void renew(bool was_working) override;

  bool has_room() const;
  bool answer(const KernelServices& step, size_t consumer, Done& done);
  bool pull(PullContext& ctx);
  void deal();
  void end_all(const Outcome& outcome);
  void cancel(size_t consumer, int64_t ticket);

  const int64_t room_;
  IteratorPtr iterator_;           // Used by work().
  std::optional<Outcome> pulled_;  // Used by work(): not dealt out yet, also after a call that lacked memory.
  std::vector<Consumer> consumers_;
  size_t turn_ = 0;  // The consumer that gets the next element.
  bool has_ended_ = false;
  Status ended_;  // Not ok once the server was stopped, or a fork interrupted it.
  int64_t last_ticket_ = 0;
};

/// A MultiDeviceIterator as steps see it. Thread-safe.
class MultiDeviceResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::(anonymous namespace)::MultiDeviceIterator";
  static constexpr const char* kRegistryType = "N10tensorflow4data12_GLOBAL__N_119MultiDeviceIteratorE";
  static constexpr const char* kNoun = "multi-device iterator";

  MultiDeviceResource(ElementSpec spec, std::vector<std::string> devices)
      : spec_(std::move(spec)), devices_(std::move(devices)) {}

  const ElementSpec& spec() const { return spec_; }
  size_t consumers() const { return devices_.size(); }
  /// Starts over with the dataset, and ends the pipeline before. Returns the number of this start, from 1.
  Result<int64_t> start(const Dataset& dataset, const KernelServices& step, int64_t room);
  /// The pipeline of start number `incarnation`. InvalidArgument with TensorFlow's text if it is another one.
  Result<RefPtr<MultiDeviceServer>> server(int64_t incarnation) const;

  std::string debug_string() const override { return str_cat("MultiDeviceIterator for ", devices_.size(), " devices"); }
  void stop() override;

 private:
  ~MultiDeviceResource() override;
  const ElementSpec spec_;
  const std::vector<std::string> devices_;
  mutable std::mutex mutex_;  // Guards the members below. Held briefly, and together with no other lock.
  RefPtr<MultiDeviceServer> server_;
  int64_t incarnation_ = 0;
};

}  // namespace tinytf::ops
