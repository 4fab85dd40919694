#include "data/iterator_resource.h"

#include <utility>

namespace tinytf::data {

namespace {

/// Says what a position has to do with the error, if it may be the reason.
Status misfit(const Status& status) {
  if (status.code() != Code::kDataLoss && status.code() != Code::kInvalidArgument) return status;
  return Status(status.code(), str_cat("The iterator cannot continue at the position in the checkpoint, which may be "
                                       "one of another dataset: ",
                                       status.message()));
}

}  // namespace

IteratorResource::~IteratorResource() {
  if (server_) server_->stop(/*waits=*/false);
}

void IteratorResource::replace(RefPtr<IteratorServer> server, RefPtr<const Dataset> dataset) {
  RefPtr<IteratorServer> measured;
  {
    const std::lock_guard lock(mutex_);
    std::swap(server_, server);
    std::swap(dataset_, dataset);
    if (is_measured_) measured = server_;
  }
  if (measured) (void)measured->measure();
  if (server) server->stop(/*waits=*/false);  // Its tasks end by themselves; they share nothing with the new ones.
}

Status IteratorResource::start(const Dataset& dataset, const KernelServices& step) {
  if (!spec_.types.empty()) TINYTF_RETURN_IF_ERROR(check_compatible(spec_, dataset.spec()));
  TINYTF_ASSIGN_OR_RETURN(RefPtr<IteratorServer> server, IteratorServer::of(dataset, step));
  if (const RefPtr<const IteratorPosition> first = first_position()) {
    StateReader state(first->state(), &step);
    if (const Status status = server->restore(step, state); !status.ok()) return misfit(status);
    const std::lock_guard lock(mutex_);
    if (first_ == first) first_ = nullptr;
  }
  replace(std::move(server), RefPtr<const Dataset>::share(&dataset));
  return Status();
}

RefPtr<const IteratorPosition> IteratorResource::first_position() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

Result<RefPtr<const IteratorPosition>> IteratorResource::position(const KernelServices& step) const {
  if (const auto server = current().first) {
    IteratorState state;
    StateWriter writer(state);
    TINYTF_RETURN_IF_ERROR(server->save(step, writer));
    return RefPtr<const IteratorPosition>(make_ref<IteratorPosition>(std::move(state)));
  }
  if (RefPtr<const IteratorPosition> first = first_position()) return first;
  return RefPtr<const IteratorPosition>(make_ref<IteratorPosition>(IteratorState()));
}

Status IteratorResource::begin_at(const KernelServices& step, RefPtr<const IteratorPosition> position) {
  if (position->state().empty()) return Status();
  {
    const std::lock_guard lock(mutex_);
    if (!server_) {
      first_ = std::move(position);
      return Status();
    }
  }
  StateReader state(position->state(), &step);
  const Status status = restore(step, state);
  return status.ok() ? status : misfit(status);
}

std::pair<RefPtr<IteratorServer>, RefPtr<const Dataset>> IteratorResource::current() const {
  const std::lock_guard lock(mutex_);
  return {server_, dataset_};
}

Result<RefPtr<IteratorServer>> IteratorResource::server() const {
  {
    const std::lock_guard lock(mutex_);
    if (server_) return server_;
  }
  return failed_precondition(
      "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer "
      "operation for this iterator before getting the next element.");
}

Result<RefPtr<IteratorServer>> IteratorResource::measured_server() {
  {
    const std::lock_guard lock(mutex_);
    is_measured_ = true;
  }
  TINYTF_ASSIGN_OR_RETURN(RefPtr<IteratorServer> server, this->server());
  (void)server->measure();
  return server;
}

Status IteratorResource::save(const KernelServices& step, StateWriter& state) const {
  if (const auto server = current().first) return server->save(step, state);
  return failed_precondition(
      "Save() failed because the iterator has not been initialized. Ensure that you have run the initializer operation "
      "for this iterator before saving it.");
}

Status IteratorResource::restore(const KernelServices& step, StateReader& state) {
  const RefPtr<const Dataset> dataset = current().second;
  if (!dataset) {
    return failed_precondition(
        "Restore() failed because the iterator has not been initialized. Ensure that you have run the initializer "
        "operation for this iterator before restoring it.");
  }
  TINYTF_ASSIGN_OR_RETURN(RefPtr<IteratorServer> server, IteratorServer::of(*dataset, step));
  TINYTF_RETURN_IF_ERROR(server->restore(step, state));
  replace(std::move(server), dataset);
  return Status();
}

void IteratorResource::stop() {
  if (const auto server = current().first) server->stop(/*waits=*/true);
}

}  // namespace tinytf::data
