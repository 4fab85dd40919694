#include "ops/data_flow/shared/staging_map.h"

#include "op/kept_value.h"

namespace tinytf::ops {

namespace {

bool has_none(const std::vector<Tensor>& tuple) {
  return std::none_of(tuple.begin(), tuple.end(), [](const Tensor& tensor) { return tensor.valid(); });
}
bool has_all(const std::vector<Tensor>& tuple) {
  return std::all_of(tuple.begin(), tuple.end(), [](const Tensor& tensor) { return tensor.valid(); });
}

Status mismatch(DType have, DType wanted) {
  return invalid_argument("Mismatch stage/unstage: ", dtype_name(have), " vs. ", dtype_name(wanted));
}

}  // namespace

void StagingMap::put(StagingMapUse use, const std::vector<DType>& dtypes) {
  use.bytes = counted_bytes(use.tensors);
  {
    const std::lock_guard lock(mutex_);
    if (dtypes_.empty()) dtypes_ = dtypes;
    use.is_whole = use.indices.size() == dtypes_.size();
    use.status = check_put(use);
  }
  use.status.ok() ? submit(std::move(use)) : use.done(use.status);
}

void StagingMap::take(StagingMapUse use) {
  if (use.kind == StagingMapUse::Kind::kTakeFirst) {
    if (Result<Tensor*> key = use.ctx->allocate_output(0, Shape()); !key.ok()) return use.done(key.status());
  }
  submit(std::move(use));
}

Status StagingMap::index_out_of_bounds(const StagingMapUse& use, int32_t index) const {
  return invalid_argument("Index '", static_cast<uint64_t>(int64_t{index}), "' for key '", use.key,
                          "' was out of bounds '", dtypes_.size(), "'.");
}

Status StagingMap::check_put(const StagingMapUse& use) const {
  for (size_t i = 0; i < use.indices.size(); ++i) {
    const auto index = static_cast<size_t>(use.indices[i]);
    if (index >= dtypes_.size()) return index_out_of_bounds(use, use.indices[i]);
    if (use.tensors[i].dtype() != dtypes_[index]) return mismatch(use.tensors[i].dtype(), dtypes_[index]);
  }
  if (memory_limit_ == 0 || use.bytes <= memory_limit_) return Status();
  return Status(Code::kResourceExhausted,
                str_cat("Attempted to insert tensors with combined size of '", use.bytes,
                        "' bytes into Staging Area with a memory limit of '", memory_limit_, "'."));
}

bool StagingMap::has_room(const StagingMapUse& use) const {
  const bool is_full = use.is_whole && capacity_ > 0 && static_cast<int64_t>(tuples_.size()) >= capacity_;
  return !is_full && (memory_limit_ == 0 || bytes_ <= memory_limit_ - use.bytes);
}

bool StagingMap::serve(StagingMapUse& use) {
  using Kind = StagingMapUse::Kind;
  if (use.kind == Kind::kPut) {
    if (!has_room(use)) return false;
    use.is_whole ? put_whole(use) : put_part(use);
    return true;
  }
  const auto found = use.kind == Kind::kTakeFirst ? tuples_.begin() : tuples_.find(use.key);
  if (found == tuples_.end()) return false;
  use.key = found->first;
  Tuple& tuple = found->second;
  use.status = check_take(use, tuple);
  if (!use.status.ok()) return true;
  use.tensors.reserve(use.indices.size());
  for (const int32_t index : use.indices) use.tensors.push_back(tuple[static_cast<size_t>(index)]);
  if (use.kind == Kind::kPeek) return true;
  for (const int32_t index : use.indices) tuple[static_cast<size_t>(index)] = Tensor();
  bytes_ -= counted_bytes(use.tensors);
  if (has_none(tuple)) tuples_.erase(found);
  return true;
}

void StagingMap::put_whole(StagingMapUse& use) {
  if (tuples_.try_emplace(use.key, std::move(use.tensors)).second) bytes_ += use.bytes;
}

void StagingMap::put_part(StagingMapUse& use) {
  const auto found = incomplete_.try_emplace(use.key, dtypes_.size()).first;  // from here on nothing allocates memory
  Tuple& tuple = found->second;
  for (const int32_t index : use.indices) {
    if (!tuple[static_cast<size_t>(index)].valid()) continue;
    use.status = invalid_argument("The tensor for index '", index, "' for key '", use.key,
                                  "' was already initialized '", dtypes_.size(), "'.");
    return;
  }
  for (size_t i = 0; i < use.indices.size(); ++i) {
    tuple[static_cast<size_t>(use.indices[i])] = std::move(use.tensors[i]);
  }
  bytes_ += use.bytes;
  if (!has_all(tuple)) return;
  const int64_t bytes = counted_bytes(tuple);
  if (!tuples_.insert(incomplete_.extract(found)).inserted) bytes_ -= bytes;
}

Status StagingMap::check_take(const StagingMapUse& use, const Tuple& tuple) const {
  const int first_output = use.kind == StagingMapUse::Kind::kTakeFirst ? 1 : 0;
  for (size_t i = 0; i < use.indices.size(); ++i) {
    const auto index = static_cast<size_t>(use.indices[i]);
    if (index >= tuple.size()) return index_out_of_bounds(use, use.indices[i]);
    if (!tuple[index].valid()) {
      return invalid_argument("Tensor at index '", index, "' for key '", use.key, "' has already been removed.");
    }
    const DType wanted = use.ctx->node().outputs[static_cast<size_t>(first_output) + i].dtype;
    if (tuple[index].dtype() != wanted) return mismatch(tuple[index].dtype(), wanted);
  }
  return Status();
}

/// Must not fail, because the tuple would be lost.
Status StagingMap::hand_out(StagingMapUse& use) {
  if (use.kind == StagingMapUse::Kind::kPut) return Status();
  int output = 0;
  if (use.kind == StagingMapUse::Kind::kTakeFirst) {
    *use.ctx->output(output++).tensor.data<int64_t>() = use.key;
  }
  for (Tensor& tensor : use.tensors) use.ctx->set_output(output++, std::move(tensor));
  return Status();
}

int64_t StagingMap::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(tuples_.size());
}

int64_t StagingMap::incomplete_size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(incomplete_.size());
}

void StagingMap::clear() {
  std::map<int64_t, Tuple> tuples, incomplete;  // released without the lock
  change_and_serve([&] {
    tuples.swap(tuples_);
    incomplete.swap(incomplete_);
    bytes_ = 0;
  });
}

}  // namespace tinytf::ops
