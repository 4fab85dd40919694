#include "ops/data_flow/barrier.h"

#include <string_view>

namespace tinytf::ops {

namespace {

Status refused(const std::string& text) { return Status(Code::kCancelled, text); }

}  // namespace

/// What would come of the keys one after the other: a key may be there twice, if its element is complete in between.
Status Barrier::check_insert(const Tensor& keys, int component) const {
  const int64_t count = keys.num_elements();
  if (closed_ && (cancelled_pending_ || (count > 0 && incomplete_.empty()))) {
    return refused(str_cat("Barrier ", name_, " is closed.  Pending enqueues cancelled: ", int{cancelled_pending_},
                           ".  Number of new insertions: ", count, ".  Number of incomplete keys: ", incomplete_.size(),
                           "."));
  }
  /// Whether the key is among the incomplete ones by then, and has the component.
  enum class State : uint8_t { kAbsent, kPresent };
  std::unordered_map<std::string_view, State> changed;
  size_t incomplete = incomplete_.size();
  for (int64_t i = 0; i < count; ++i) {
    const std::string& key = keys.data<std::string>()[i];
    const auto known = incomplete_.find(key);
    const auto before = changed.find(key);
    const bool is_new = before != changed.end() ? before->second == State::kAbsent : known == incomplete_.end();
    if (is_new && closed_) {
      return refused(str_cat("Barrier ", name_, " is closed, but attempted to insert a brand new key: ", key,
                             ".  Pending enqueues cancelled: 0.  Insertion index: ", i,
                             ".  Number of incomplete keys: ", incomplete, "."));
    }
    const bool has_component =
        before != changed.end() ? !is_new : !is_new && known->second.components[static_cast<size_t>(component)].valid();
    if (has_component) {
      return invalid_argument("Key ", key, " already has a value for component ", component, " in barrier ", name_);
    }
    const bool completes = is_new ? dtypes_.size() == 1 : known->second.missing == 1;
    changed[key] = completes ? State::kAbsent : State::kPresent;
    if (is_new != completes) incomplete += is_new ? 1 : size_t(-1);
  }
  return Status();
}

Status Barrier::insert(const Tensor& keys, int component, const Tensor& values) {
  Status status;
  change_and_serve([&] {
    status = check_insert(keys, component);
    if (!status.ok()) return;
    status = guarded([&]() -> Status {
      const int64_t index = next_index_;
      Shape shape = values.shape();
      shape.remove_dim(0);
      for (int64_t i = 0; i < keys.num_elements(); ++i) {
        TINYTF_ASSIGN_OR_RETURN(Tensor row, values.rows(i, i + 1));
        const std::string& key = keys.data<std::string>()[i];
        const auto [found, is_new] = incomplete_.try_emplace(key, Element{index, 0, {}});
        if (is_new) {
          next_index_ = index + 1;
          found->second.missing = static_cast<int>(dtypes_.size());
          found->second.components.resize(dtypes_.size());
        }
        add(key, component, row.reshaped(shape));
      }
      return Status();
    });
  });
  return status;
}

void Barrier::add(const std::string& key, int component, Tensor value) {
  const auto found = incomplete_.find(key);
  Element& element = found->second;
  element.components[static_cast<size_t>(component)] = std::move(value);
  if (--element.missing > 0) return;
  ready_.push_back({element.index, arrivals_++, key, std::move(element.components)});
  std::push_heap(ready_.begin(), ready_.end());
  incomplete_.erase(found);
}

void Barrier::take(BarrierTake use) { submit(std::move(use)); }

/// What comes when the barrier is closed is refused if there will never be enough, whoever waits before it, and makes
/// do with what is ready if it may.
Status Barrier::arrive(BarrierTake& use) {
  if (!closed_) return Status();
  const auto ready = static_cast<int64_t>(ready_.size());
  if (use.allows_fewer) use.count = std::min(use.count, ready);
  const int64_t available = ready + (use.allows_fewer ? 0 : static_cast<int64_t>(incomplete_.size()));
  if (available >= std::max<int64_t>(use.count, 1)) return Status();
  return Status(Code::kOutOfRange, str_cat("Barrier '", name_, "' is closed and has insufficient elements (requested ",
                                           use.count, ", total size ", available, ")"));
}

/// What has come in is told of the queue that TensorFlow keeps ready elements in.
bool Barrier::serve(BarrierTake& use) {
  const auto ready = static_cast<int64_t>(ready_.size());
  const bool nothing_comes = closed_ && incomplete_.empty();
  if (nothing_comes && ready < (use.allows_fewer ? 1 : use.count)) {
    use.status = Status(Code::kOutOfRange,
                        str_cat("PriorityQueue '", name_, "_queue' is closed and has insufficient elements (requested ",
                                use.count, ", current size ", ready, ")"));
    return true;
  }
  const int64_t count = nothing_comes && use.allows_fewer ? std::min(use.count, ready) : use.count;
  if (ready < count) return false;
  use.indices.reserve(static_cast<size_t>(count));
  use.keys.reserve(static_cast<size_t>(count));
  use.values.reserve(static_cast<size_t>(count) * dtypes_.size());
  for (int64_t i = 0; i < count; ++i) {  // nothing here needs memory
    std::pop_heap(ready_.begin(), ready_.end());
    Ready& first = ready_.back();
    use.indices.push_back(first.index);
    use.keys.push_back(std::move(first.key));
    for (Tensor& component : first.components) use.values.push_back(std::move(component));
    ready_.pop_back();
  }
  return true;
}

Status Barrier::hand_out(BarrierTake& use) {
  KernelContext& ctx = *use.ctx;
  const auto count = static_cast<int64_t>(use.keys.size());
  TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(0, Shape({count})));
  std::copy(use.indices.begin(), use.indices.end(), indices->data<int64_t>());
  TINYTF_ASSIGN_OR_RETURN(Tensor * keys, ctx.allocate_output(1, Shape({count})));
  std::move(use.keys.begin(), use.keys.end(), keys->data<std::string>());
  for (size_t c = 0; c < shapes_.size(); ++c) {
    Shape shape = shapes_[c];
    const int64_t row = shape.num_elements();
    shape.insert_dim(0, count);
    TINYTF_ASSIGN_OR_RETURN(Tensor * batch, ctx.allocate_output(2 + static_cast<int>(c), shape));
    for (int64_t i = 0; i < count; ++i) {
      copy_elements(use.values[static_cast<size_t>(i) * shapes_.size() + c], 0, *batch, i * row, row);
    }
  }
  use.values.clear();
  return Status();
}

Status Barrier::close(bool cancel_pending) {
  Status status;
  change_and_serve([&] {
    if (closed_ && (cancelled_pending_ || !cancel_pending)) {
      status = refused(str_cat("Barrier '", name_, "' is already closed."));
      return;
    }
    closed_ = true;
    cancelled_pending_ = cancel_pending;
    if (cancel_pending) incomplete_.clear();
  });
  return status;
}

int64_t Barrier::ready() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(ready_.size());
}

int64_t Barrier::incomplete() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(incomplete_.size());
}

}  // namespace tinytf::ops
