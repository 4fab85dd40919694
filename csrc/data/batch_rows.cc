#include "data/batch_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked.h"

namespace tinytf::data {

namespace {

/// The memory for rows is not larger than this, in bytes of a component, before it is known that they come.
constexpr int64_t kFirstBytes = int64_t{1} << 20;
constexpr int64_t kFirstRows = 64;

Shape row_shape(const Tensor& batch) {
  return Shape(Dims(batch.shape().dims().begin() + 1, batch.shape().dims().end()));
}

bool has_rows(const Element& batch, int64_t rows) {
  return std::all_of(batch.begin(), batch.end(),
                     [&](const Tensor& component) { return component.rank() > 0 && component.dim(0) == rows; });
}

}  // namespace

Shape batch_shape(int64_t rows, const Shape& row) {
  Shape shape({rows});
  for (const int64_t dim : row.dims()) shape.add_dim(dim);
  return shape;
}

ElementSpec batches_of(const ElementSpec& spec) {
  ElementSpec batches = spec;
  for (PartialShape& shape : batches.shapes) shape = PartialShape::vector(kUnknownDim).concatenate(shape);
  return batches;
}

bool has_rows(const Element& batch) {
  return batch.empty() || (batch[0].rank() > 0 && has_rows(batch, batch[0].dim(0)));
}

Status BatchRows::reserve(Allocator& allocator, int64_t rows) {
  Element grown(types_.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(grown[i], Tensor::allocate(allocator, types_[i], batch_shape(rows, row_shapes_[i])));
    if (rows_ > 0) copy_elements(components_[i], 0, grown[i], 0, rows_ * row_shapes_[i].num_elements());
  }
  components_ = std::move(grown);
  room_ = rows;
  return Status();
}

/// Makes room for `needed` rows, and some more, but for at most `most` in all.
Status BatchRows::grow(Allocator& allocator, int64_t needed, int64_t most) {
  if (needed <= room_) return Status();
  int64_t row_bytes = 1;
  for (size_t i = 0; i < types_.size(); ++i) {
    const Size bytes = Size(row_shapes_[i].num_elements()) * static_cast<int64_t>(dtype_size(types_[i]));
    row_bytes = std::max(row_bytes, bytes.value());
  }
  const int64_t few = std::max(kFirstRows, kFirstBytes / row_bytes);
  const Size more = rows_ == 0 ? Size(few) : Size(rows_) * 2;
  const bool takes_all = (had_full_batch_ && rows_ == 0) || !more.ok();
  return reserve(allocator, takes_all ? most : std::max(needed, std::min(most, more.value())));
}

/// Whether the element has the dtypes and shapes of the rows before.
Status BatchRows::check(const Element& element) const {
  if (element.size() != types_.size()) {
    return invalid_argument("Cannot batch elements with different numbers of components: ", types_.size(), " and ",
                            element.size());
  }
  for (size_t i = 0; i < element.size(); ++i) {
    if (element[i].dtype() != types_[i]) {
      return invalid_argument("Cannot batch tensors with different types in component ", i, ". First element had type ",
                              dtype_name(types_[i]), " and element ", rows_, " had type ",
                              dtype_name(element[i].dtype()), ".");
    }
    if (element[i].shape() != row_shapes_[i]) {
      return invalid_argument("Cannot batch tensors with different shapes in component ", i,
                              ". First element had shape ", row_shapes_[i].to_string(), " and element ", rows_,
                              " had shape ", element[i].shape().to_string(), ".");
    }
  }
  return Status();
}

/// Copies `count` rows, which are known to fit.
Status BatchRows::append(Allocator& allocator, const Element& rows, int64_t count, int64_t most) {
  TINYTF_RETURN_IF_ERROR(grow(allocator, (Size(rows_) + count).value(), most));
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t n = row_shapes_[i].num_elements();
    if (n * count == 1 && dtype_size(types_[i]) == sizeof(int64_t) && !is_object(types_[i])) {
      std::memcpy(components_[i].data<int64_t>() + rows_, rows[i].raw(), sizeof(int64_t));
    } else {
      copy_elements(rows[i], 0, components_[i], rows_ * n, n * count);
    }
  }
  rows_ += count;
  if (rows_ == most) had_full_batch_ = true;
  return Status();
}

Status BatchRows::add(Allocator& allocator, const Element& element, int64_t most) {
  if (rows_ > 0) {
    TINYTF_RETURN_IF_ERROR(check(element));
  } else {
    clear();
    for (const Tensor& component : element) {
      types_.push_back(component.dtype());
      row_shapes_.push_back(component.shape());
    }
  }
  return append(allocator, element, 1, most);
}

Status BatchRows::add_batch(Allocator& allocator, Element batch, int64_t most) {
  const int64_t count = batch.empty() || batch[0].rank() == 0 ? 0 : batch[0].dim(0);
  if (count == 0 || count > most - rows_ || !has_rows(batch, count)) {
    return invalid_argument("A batch has components with different numbers of rows");
  }
  Element row;
  for (const Tensor& component : batch) {
    TINYTF_ASSIGN_OR_RETURN(Tensor first, component.view(0, row_shape(component)));
    row.push_back(std::move(first));
  }
  if (rows_ > 0) {
    TINYTF_RETURN_IF_ERROR(check(row));
    return append(allocator, batch, count, most);
  }
  clear();
  for (const Tensor& component : row) {
    types_.push_back(component.dtype());
    row_shapes_.push_back(component.shape());
  }
  if (count < most) return append(allocator, batch, count, most);
  components_ = std::move(batch);
  rows_ = room_ = count;
  return Status();
}

void BatchRows::collect(Allocator& allocator, const Element& element, int64_t most) {
  if (error_.ok()) error_ = add(allocator, element, most);
  if (!error_.ok()) ++misfits_;
}

void BatchRows::collect_batch(Allocator& allocator, Element batch, int64_t most) {
  const int64_t count = batch.empty() || batch[0].rank() == 0 ? 1 : batch[0].dim(0);
  if (error_.ok()) error_ = add_batch(allocator, std::move(batch), most);
  if (!error_.ok()) misfits_ += count;
}

Status BatchRows::take(Element& batch) {
  batch.resize(components_.size());
  for (size_t i = 0; i < components_.size(); ++i) {
    if (rows_ == room_) {
      batch[i] = std::move(components_[i]);
    } else {
      TINYTF_ASSIGN_OR_RETURN(batch[i], components_[i].rows(0, rows_));
    }
  }
  clear();
  return Status();
}

void BatchRows::clear() {
  components_.clear();
  types_.clear();
  row_shapes_.clear();
  rows_ = room_ = misfits_ = 0;
  error_ = Status();
}

Result<Element> BatchRows::copy(Allocator& allocator) const {
  Element copies(components_.size());
  for (size_t i = 0; i < components_.size(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(const Tensor rows, components_[i].rows(0, rows_));
    TINYTF_ASSIGN_OR_RETURN(copies[i], rows.clone(allocator));
  }
  return copies;
}

Status BatchRows::set(Allocator& allocator, const Element& rows, int64_t most) {
  clear();
  if (rows.empty()) return Status();
  const int64_t count = rows[0].rank() == 0 ? 0 : rows[0].dim(0);
  if (count == 0 || count >= most || !has_rows(rows, count)) {
    return Status(Code::kDataLoss, "The saved position of the iterator has a damaged batch");
  }
  return add_batch(allocator, rows, most);
}

}  // namespace tinytf::data
