#include "ops/data_flow/shared/tensor_array.h"

#include <cstring>

#include "base/checked.h"
#include "kernels/table.h"
#include "ops/data_flow/shared/elements.h"

namespace tinytf::ops {

namespace {

Shape joined(const Shape& prefix, const Shape& shape) {
  Dims dims = prefix.dims();
  for (const int64_t d : shape.dims()) dims.push_back(d);
  return Shape(std::move(dims));
}

bool is_iota(const Tensor& indices) {
  for (int64_t i = 0; i < indices.num_elements(); ++i) {
    if (indices.int_at(i) != i) return false;
  }
  return true;
}

}  // namespace

TensorArray::TensorArray(std::string name, Spec spec, int64_t size)
    : name_(std::move(name)), spec_(std::move(spec)), size_(size) {}

std::string TensorArray::debug_string() const {
  return str_cat("TensorArray ", name_, " of ", dtype_name(spec_.dtype));
}

Status TensorArray::check_open() const {
  return closed_ ? invalid_argument("TensorArray ", name_, " has already been closed.") : Status();
}

Result<int64_t> TensorArray::size() const {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  return size_;
}

Status TensorArray::write(KernelContext& ctx, int64_t index, Tensor value) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  return write_element(ctx, index, std::move(value));
}

Status TensorArray::make_room(int64_t index) {
  if (index < 0 || (!spec_.dynamic_size && index >= size_)) {
    return wrong("Tried to write to index ", index, " but array is not resizeable and size is: ", size_);
  }
  if (index >= kMaxSize) return wrong("Tried to write to index ", index, " but the maximum size is ", kMaxSize);
  size_ = std::max(size_, index + 1);
  return Status();
}

/// Checks that a value of this shape may be written. With identical_element_shapes all later values must have this
/// shape.
Status TensorArray::check_shape(int64_t index, const Shape& shape) {
  if (!spec_.element_shape.compatible_with(shape)) {
    return wrong("Could not write to TensorArray index ", index, " because the value shape is ", shape.to_string(),
                 " which is incompatible with the TensorArray's inferred element shape: ",
                 spec_.element_shape.to_string(), " (consider setting infer_shape=False).");
  }
  if (spec_.identical_element_shapes && !spec_.element_shape.fully_defined()) spec_.element_shape = shape;
  return Status();
}

Status TensorArray::write_element(KernelContext& ctx, int64_t index, Tensor value) {
  TINYTF_RETURN_IF_ERROR(make_room(index));
  TINYTF_RETURN_IF_ERROR(check_shape(index, value.shape()));
  const auto refused = [&](const auto&... reason) {
    return wrong("Could not write to TensorArray index ", index, " because ", reason...);
  };
  const ElementRows::State* row = rows_.find(index);
  const Element* known = row == nullptr ? elements_.find(index) : nullptr;
  const bool is_written = row != nullptr || (known != nullptr && known->written);
  if (row != nullptr ? row->read : known != nullptr && known->read) return refused("it has already been read.");
  if (is_written && !is_gradient_) return refused("it has already been written to.");
  if (known == nullptr) {
    TINYTF_ASSIGN_OR_RETURN(const bool done, write_row(ctx, index, value));
    if (done) return Status();
  }
  Element& element = elements_.at(index);
  if (element.written) return add_to(ctx, index, element, std::move(value));
  element.shape = value.shape();
  element.value = std::move(value);
  element.written = true;
  return Status();
}

/// Writes the value to rows_ and returns true if the element is or can be stored there. Otherwise moves an existing
/// element to elements_ and returns false.
Result<bool> TensorArray::write_row(KernelContext& ctx, int64_t index, const Tensor& value) {
  const ElementRows::State* row = rows_.find(index);
  if (row != nullptr) {
    TINYTF_RETURN_IF_ERROR(check_sum(index, rows_.shape(), value.shape()));
    if (row->has_value && rows_.is_own()) {
      TINYTF_RETURN_IF_ERROR(add(rows_.bytes_of(index), value, rows_.bytes_of(index), ctx));
      return true;
    }
  }
  if (row == nullptr || !row->has_value) {
    TINYTF_ASSIGN_OR_RETURN(const bool done, rows_.put(ctx.allocator(), index, value, size_));
    if (done || row == nullptr) return done;
  }
  Element& element = elements_.at(index);
  if (row->has_value) element.value = rows_.row(index);
  element.shape = rows_.shape();
  element.written = true;
  rows_.forget(index);
  return false;
}

Status TensorArray::check_sum(int64_t index, const Shape& sum, const Shape& value) const {
  if (sum == value) return Status();
  return wrong("Could not aggregate to TensorArray index ", index, " because the existing shape is ", sum.to_string(),
               " but the new input shape is ", value.to_string(), ".");
}

/// sum = old + value; `sum` may be `old`.
Status TensorArray::add(const void* old, const Tensor& value, void* sum, KernelContext& ctx) const {
  const auto& loops = kernels::table().elementwise;
  if (spec_.dtype == DType::kBool || loops.add_n[static_cast<int>(spec_.dtype)] == nullptr) {
    return invalid_argument("tensor_array::AddToTensor type not supported: ", dtype_name(spec_.dtype));
  }
  const void* parts[] = {old, value.raw()};
  kernels::run_add_n(loops, spec_.dtype, parts, 2, sum, value.num_elements(), ctx.parallel());
  return Status();
}

Status TensorArray::add_to(KernelContext& ctx, int64_t index, Element& element, Tensor value) {
  TINYTF_RETURN_IF_ERROR(check_sum(index, element.shape, value.shape()));
  if (!element.value.valid() || element.value.num_elements() == 0) {
    element.value = std::move(value);
    return Status();
  }
  Tensor sum = element.value.writable_in_place() ? element.value : Tensor();
  if (!sum.valid()) {
    TINYTF_ASSIGN_OR_RETURN(sum, ctx.allocate(spec_.dtype, element.shape));
  }
  TINYTF_RETURN_IF_ERROR(add(element.value.raw(), value, sum.raw(), ctx));
  element.value = std::move(sum);
  return Status();
}

Status TensorArray::read(KernelContext& ctx, int64_t index) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  ElementRows::State* row = rows_.find(index);
  if (row == nullptr || !row->has_value || !rows_.is_small()) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, read_element(ctx, index));
    ctx.set_output(0, std::move(value));
    return Status();
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, rows_.shape()));
  std::memcpy(out->raw(), rows_.bytes_of(index), out->bytes());
  note_read(index, *row);
  return Status();
}

void TensorArray::note_read(int64_t index, ElementRows::State& row) {
  row.read = true;
  if (!spec_.clear_after_read) return;
  row.cleared = true;
  rows_.clear(index);
}

Result<Tensor> TensorArray::read_element(KernelContext& ctx, int64_t index) {
  if (index < 0 || index >= size_) {
    return invalid_argument("Tried to read from index ", index, " but array size is: ", size_);
  }
  const auto read_twice = [&] {
    return wrong(
        "Could not read index ", index,
        " twice because it was cleared after a previous read (perhaps try setting clear_after_read = false?).");
  };
  if (ElementRows::State* row = rows_.find(index)) {
    if (row->cleared) return read_twice();
    Tensor value;
    if (row->has_value) {
      value = rows_.row(index);
    } else {
      TINYTF_ASSIGN_OR_RETURN(value, zeros(ctx, rows_.shape()));
    }
    note_read(index, *row);
    return value;
  }
  const Element* known = elements_.find(index);
  if (known == nullptr || !known->written) {
    if (!spec_.element_shape.fully_defined()) {
      return wrong("Could not read from TensorArray index ", index,
                   ".  Furthermore, the element shape is not fully defined: ", spec_.element_shape.to_string(),
                   ".  It is possible you are working with a resizeable TensorArray and stop_gradients is not allowing"
                   " the gradients to be written.  If you set the full element_shape property on the forward"
                   " TensorArray, the proper all-zeros tensor will be returned instead of incurring this error.");
    }
    Element& element = elements_.at(index);
    element.shape = spec_.element_shape.to_shape();
    element.written = true;
  }
  Element& element = *elements_.find(index);
  if (element.cleared) return read_twice();
  if (!element.value.valid()) {
    TINYTF_ASSIGN_OR_RETURN(element.value, zeros(ctx, element.shape));
  }
  element.read = true;
  if (!spec_.clear_after_read) return element.value;
  element.cleared = true;
  return std::exchange(element.value, Tensor());
}

/// Zeros are shared by all elements without a value.
Result<Tensor> TensorArray::zeros(KernelContext& ctx, const Shape& shape) {
  if (zeros_.valid() && zeros_.shape() == shape) return zeros_;
  if (dtype_size(spec_.dtype) == 0 && shape.num_elements() != 0) {
    return invalid_argument("tensor_array::TensorSetZero type not supported: ", dtype_name(spec_.dtype));
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor made, ctx.allocate(spec_.dtype, shape));
  if (made.num_elements() > 0) std::memset(made.raw(), 0, made.bytes());
  zeros_ = made;
  return made;
}

Status TensorArray::scatter(KernelContext& ctx, const Tensor& indices, const Tensor& value) {
  const int64_t count = indices.num_elements();
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  int64_t last = -1;
  for (int64_t i = 0; i < count; ++i) last = std::max(last, indices.int_at(i));
  if (!spec_.dynamic_size && last >= size_) {
    return invalid_argument("Max scatter index must be < array size (", last, " vs. ", size_, ")");
  }
  if (is_iota(indices)) {
    TINYTF_ASSIGN_OR_RETURN(const bool done, unpack_rows(value));
    if (done) return Status();
  }
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor row, row_of(value, i));
    TINYTF_RETURN_IF_ERROR(write_element(ctx, indices.int_at(i), std::move(row)));
  }
  return Status();
}

Status TensorArray::unpack(KernelContext& ctx, const Tensor& value) {
  const int64_t count = value.dim(0);
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t size = spec_.dynamic_size ? std::max(size_, count) : size_;
  if (size != count) {
    return invalid_argument("Input value must have first dimension equal to the array size (", count, " vs. ", size,
                            ")");
  }
  if (!is_gradient_) split_ = count;
  TINYTF_ASSIGN_OR_RETURN(const bool done, unpack_rows(value));
  for (int64_t i = 0; !done && i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor row, row_of(value, i));
    TINYTF_RETURN_IF_ERROR(write_element(ctx, i, std::move(row)));
  }
  return Status();
}

/// Adopts the rows of `value` as the first elements without a copy, if no element has been accessed yet; else returns
/// false.
Result<bool> TensorArray::unpack_rows(const Tensor& value) {
  const int64_t count = value.dim(0);
  if (count == 0 || !rows_.empty() || !elements_.empty()) return false;
  TINYTF_RETURN_IF_ERROR(make_room(count - 1));
  Shape shape = value.shape();
  shape.remove_dim(0);
  TINYTF_RETURN_IF_ERROR(check_shape(0, shape));
  rows_.adopt(value);
  return true;
}

Status TensorArray::split(KernelContext& ctx, const Tensor& value, const Tensor& lengths) {
  const int64_t count = lengths.num_elements();
  std::vector<int64_t> ends;
  Size total = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = lengths.int_at(i);
    if (length < 0) return invalid_argument("Expected lengths to be >= 0, but lengths[", i, "] is ", length);
    total += length;
    ends.push_back(total.value());
  }
  if (!total.within(value.dim(0), value.dim(0))) {
    return invalid_argument("Expected sum of lengths to be equal to values.shape[0], but sum of lengths is ",
                            to_string(total), " and value's shape is: ", value.shape().to_string());
  }
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t size = spec_.dynamic_size ? std::max(size_, count) : size_;
  if (size != count) {
    return invalid_argument("TensorArray's size is not equal to the size of lengths (", size, " vs. ", count,
                            "), and the TensorArray is not marked as dynamically resizeable");
  }
  if (!is_gradient_) split_ = count;
  int64_t begin = 0;
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor piece, value.rows(begin, ends[i]));
    begin = ends[i];
    TINYTF_RETURN_IF_ERROR(write_element(ctx, i, std::move(piece)));
  }
  return Status();
}

Status TensorArray::merge_element_shape(const PartialShape& shape) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  TINYTF_ASSIGN_OR_RETURN(spec_.element_shape, merge_shapes(spec_.element_shape, shape));
  return Status();
}

Status TensorArray::read_many(KernelContext& ctx, const Tensor* indices, std::vector<Tensor>* values) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t count = indices != nullptr ? indices->num_elements() : readable();
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, read_element(ctx, indices != nullptr ? indices->int_at(i) : i));
    values->push_back(std::move(value));
  }
  return Status();
}

Result<Tensor> TensorArray::read_stacked(const Tensor* indices) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t count = indices != nullptr ? indices->num_elements() : readable();
  if (count == 0 || (indices != nullptr && !is_iota(*indices))) return Tensor();
  Tensor stacked = rows_.stacked(count);
  if (!stacked.valid()) return stacked;
  for (int64_t i = 0; i < count; ++i) note_read(i, *rows_.find(i));
  return stacked;
}

void TensorArray::close() {
  ElementRows rows;  // released, like `elements`, without the lock
  ElementTable elements;
  std::lock_guard lock(mutex_);
  closed_ = true;
  std::swap(rows, rows_);
  std::swap(elements, elements_);
  zeros_ = Tensor();
}

Result<RefPtr<TensorArray>> TensorArray::gradient(const std::string& source, const Shape& prefix) {
  std::lock_guard lock(mutex_);
  RefPtr<TensorArray>& made = gradients_[source];
  if (made) return made;
  if (Status open = check_open(); !open.ok()) {
    gradients_.erase(source);
    return open;
  }
  spec_.dynamic_size = false;
  Spec spec = spec_;
  spec.clear_after_read = true;
  spec.element_shape = PartialShape(prefix).concatenate(spec_.element_shape);
  made = make_ref<TensorArray>(str_cat(name_, "@", source), std::move(spec), size_);
  made->is_gradient_ = true;
  made->split_ = split_;
  // Elements written in this array count as written in the gradient's, but have no value yet.
  int64_t rows = 0;
  while (rows_.find(rows) != nullptr) ++rows;
  if (rows > 0) made->rows_.note_written(static_cast<size_t>(rows), spec_.dtype, joined(prefix, rows_.shape()));
  const auto note_written = [&](int64_t i, const Shape& shape) {
    Element& element = made->elements_.at(i);
    element.shape = joined(prefix, shape);
    element.written = true;
  };
  for (int64_t i = rows; i < rows_.size(); ++i) {
    if (rows_.find(i) != nullptr) note_written(i, rows_.shape());
  }
  elements_.for_each([&](int64_t i, const Element& element) {
    if (element.written) note_written(i, element.shape);
  });
  return made;
}

}  // namespace tinytf::ops
