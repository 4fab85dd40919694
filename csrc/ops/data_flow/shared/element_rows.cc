#include "ops/data_flow/shared/element_rows.h"

#include <algorithm>
#include <cstring>

namespace tinytf::ops {

namespace {

/// Limits of the memory allocated in advance, before it is known whether all elements will be written.
constexpr int64_t kBytesAtOnce = int64_t{1} << 20;
constexpr int64_t kFewestRows = 64;

}  // namespace

void ElementRows::adopt(const Tensor& values) {
  Shape shape = values.shape();
  shape.remove_dim(0);
  note_written(static_cast<size_t>(values.dim(0)), values.dtype(), shape);
  for (State& state : states_) state.has_value = true;
  values_ = size();
  rows_ = values;
}

void ElementRows::note_written(size_t n, DType dtype, const Shape& shape) {
  states_.assign(n, State());
  for (State& state : states_) state.written = true;
  dtype_ = dtype;
  shape_ = shape;
  row_bytes_ = shape.num_elements() * static_cast<int64_t>(dtype_size(dtype));
}

Result<bool> ElementRows::put(Allocator& allocator, int64_t i, const Tensor& value, int64_t count) {
  if (rows_.valid() && !is_own_) return false;
  if (states_.empty()) {
    dtype_ = value.dtype();
    shape_ = value.shape();
    row_bytes_ = static_cast<int64_t>(value.bytes());
  }
  if (!is_small() || is_object(dtype_) || value.shape() != shape_) return false;
  if (i >= size() || !rows_.valid()) {
    const bool at_once = count * row_bytes_ <= kBytesAtOnce;
    if (!at_once && i > 2 * size() + kFewestRows) return false;
    TINYTF_RETURN_IF_ERROR(make_room(allocator, i, at_once ? count : kFewestRows));
  }
  State& state = states_[static_cast<size_t>(i)];
  std::memcpy(bytes_of(i), value.raw(), static_cast<size_t>(row_bytes_));
  state.written = state.has_value = true;
  ++values_;
  return true;
}

/// Allocates rows for at least `wanted` elements and for element i. Memory that becomes too small is doubled, so that
/// an array that grows one element at a time is not copied every time.
Status ElementRows::make_room(Allocator& allocator, int64_t i, int64_t wanted) {
  wanted = std::max({wanted, i + 1, i >= size() ? 2 * size() : size()});
  Shape shape = shape_;
  shape.insert_dim(0, wanted);
  TINYTF_ASSIGN_OR_RETURN(Tensor rows, Tensor::allocate(allocator, dtype_, shape));
  if (rows_.valid()) std::memcpy(rows.raw(), rows_.raw(), rows_.bytes());
  states_.resize(static_cast<size_t>(wanted));
  rows_ = std::move(rows);
  is_own_ = true;
  return Status();
}

void ElementRows::forget(int64_t i) {
  clear(i);
  states_[static_cast<size_t>(i)] = State();
}

Tensor ElementRows::row(int64_t i) const {
  auto row = rows_.view(i * shape_.num_elements(), shape_);
  TINYTF_CHECK(row.ok());
  return row.take();
}

void ElementRows::clear(int64_t i) {
  State& state = states_[static_cast<size_t>(i)];
  if (!state.has_value) return;
  state.has_value = false;
  if (--values_ == 0) rows_ = Tensor();
}

Tensor ElementRows::stacked(int64_t n) const {
  if (n > values_ || n < rows_.dim(0) / 2) return Tensor();
  if (!std::all_of(states_.begin(), states_.begin() + n, [](const State& state) { return state.has_value; })) {
    return Tensor();
  }
  auto rows = rows_.rows(0, n);
  return rows.ok() ? rows.take() : Tensor();
}

}  // namespace tinytf::ops
