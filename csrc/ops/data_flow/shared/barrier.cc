#include "ops/data_flow/shared/barrier.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "op/kept_value.h"

namespace tinytf::ops {

namespace {

Status refused(const std::string& text) { return Status(Code::kCancelled, text); }

}  // namespace

/// A key may occur twice if its element is completed in between.
Result<Barrier::Outcome> Barrier::check_insert(const Tensor& keys, int component) const {
  const int64_t count = keys.num_elements();
  if (closed_ && (cancelled_pending_ || (count > 0 && incomplete_.empty()))) {
    return refused(str_cat("Barrier ", name_, " is closed.  Pending enqueues cancelled: ", int{cancelled_pending_},
                           ".  Number of new insertions: ", count, ".  Number of incomplete keys: ", incomplete_.size(),
                           "."));
  }
  /// Whether the key is among the incomplete elements at that point of the insertion, and has the component.
  enum class State : uint8_t { kAbsent, kPresent };
  std::unordered_map<std::string_view, State> changed;
  size_t incomplete = incomplete_.size();
  Outcome outcome;
  outcome.begins.reserve(static_cast<size_t>(count));
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
    outcome.begins.push_back(is_new);
    outcome.completed += completes ? 1 : 0;
  }
  return outcome;
}

Status Barrier::insert(Allocator& allocator, const Tensor& keys, int component, const Tensor& values) {
  std::vector<Tensor> rows;
  rows.reserve(static_cast<size_t>(keys.num_elements()));
  const KeptRows kept(values);
  for (int64_t i = 0; i < keys.num_elements(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor row, kept.row(allocator, i));
    rows.push_back(std::move(row));
  }
  Status status;
  change_and_serve([&] { status = guarded([&] { return insert_rows(keys, component, std::move(rows)); }); });
  return status;
}

/// Called with the lock held. Allocates everything first, so that a failure changes nothing.
Status Barrier::insert_rows(const Tensor& keys, int component, std::vector<Tensor> rows) {
  TINYTF_ASSIGN_OR_RETURN(const Outcome outcome, check_insert(keys, component));
  const auto* const texts = keys.data<std::string>();
  std::vector<Elements::node_type> begun(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!outcome.begins[i]) continue;
    Elements one;
    one.emplace(texts[i], Element{next_index_, static_cast<int>(dtypes_.size()), std::vector<Tensor>(dtypes_.size())});
    begun[i] = one.extract(one.begin());
  }
  WholeElements whole;
  for (size_t i = 0; i < outcome.completed; ++i) whole.emplace(std::pair(0, i), WholeElement());

  const bool begins_any = std::find(outcome.begins.begin(), outcome.begins.end(), true) != outcome.begins.end();
  next_index_ += begins_any ? 1 : 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (outcome.begins[i]) incomplete_.insert(std::move(begun[i]));
    const auto found = incomplete_.find(texts[i]);
    found->second.components[static_cast<size_t>(component)] = std::move(rows[i]);
    if (--found->second.missing > 0) continue;
    Elements::node_type done = incomplete_.extract(found);
    WholeElements::node_type ready = whole.extract(whole.begin());
    ready.key() = {done.mapped().index, arrivals_++};
    ready.mapped().key.swap(done.key());
    ready.mapped().components.swap(done.mapped().components);
    ready_.insert(std::move(ready));
  }
  return Status();
}

void Barrier::take(BarrierTake use) { submit(std::move(use)); }

/// A take that arrives at a closed barrier is refused at once if there will never be enough elements, regardless of
/// waiting takes; with allows_fewer it takes only elements that are ready now.
Status Barrier::arrive(BarrierTake& use) {
  if (!closed_) return Status();
  const auto ready = static_cast<int64_t>(ready_.size());
  if (use.allows_fewer) use.count = std::min(use.count, ready);
  const int64_t available = ready + (use.allows_fewer ? 0 : static_cast<int64_t>(incomplete_.size()));
  if (available >= std::max<int64_t>(use.count, 1)) return Status();
  return Status(Code::kOutOfRange, str_cat("Barrier '", name_, "' is closed and has insufficient elements (requested ",
                                           use.count, ", total size ", available, ")"));
}

/// The error names the queue in which TensorFlow keeps ready elements. With allows_fewer a take from a closed barrier
/// does not wait for incomplete elements, because their values may depend on the elements taken.
bool Barrier::serve(BarrierTake& use) {
  const auto ready = static_cast<int64_t>(ready_.size());
  const bool nothing_comes = closed_ && incomplete_.empty();
  if (nothing_comes && ready < (use.allows_fewer ? 1 : use.count)) {
    use.status = Status(Code::kOutOfRange,
                        str_cat("PriorityQueue '", name_, "_queue' is closed and has insufficient elements (requested ",
                                use.count, ", current size ", ready, ")"));
    return true;
  }
  const bool makes_do = closed_ && use.allows_fewer && ready > 0;
  const int64_t count = makes_do ? std::min(use.count, ready) : use.count;
  if (ready < count) return false;
  use.elements.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) use.elements.push_back(ready_.extract(ready_.begin()));  // allocates no memory
  return true;
}

void Barrier::take_back(BarrierTake& use) noexcept {
  for (WholeElements::node_type& element : use.elements) ready_.insert(std::move(element));
  use.elements.clear();
}

Status Barrier::hand_out(BarrierTake& use) {
  KernelContext& ctx = *use.ctx;
  const auto count = static_cast<int64_t>(use.elements.size());
  TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(0, Shape({count})));
  TINYTF_ASSIGN_OR_RETURN(Tensor * keys, ctx.allocate_output(1, Shape({count})));
  for (size_t c = 0; c < shapes_.size(); ++c) {
    Shape shape = shapes_[c];
    const int64_t row = shape.num_elements();
    shape.insert_dim(0, count);
    TINYTF_ASSIGN_OR_RETURN(Tensor * batch, ctx.allocate_output(2 + static_cast<int>(c), shape));
    for (int64_t i = 0; i < count; ++i) {
      if (i % 1024 == 1023 && ctx.is_over()) return refused("Step was cancelled");
      copy_elements(use.elements[static_cast<size_t>(i)].mapped().components[c], 0, *batch, i * row, row);
    }
  }
  for (int64_t i = 0; i < count; ++i) {  // last, so that a failed take gives back whole elements
    WholeElements::node_type& element = use.elements[static_cast<size_t>(i)];
    indices->data<int64_t>()[i] = element.key().first;
    keys->data<std::string>()[i].swap(element.mapped().key);
  }
  use.elements.clear();
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
