#pragma once

#include <cstdint>
#include <vector>

#include "data/element.h"

namespace tinytf::data {

/// Elements that are being stacked along a new first dimension. Each is copied once, into its row of the batch. Not
/// thread-safe.
class BatchRows {
 public:
  /// Rows that are in the batch.
  int64_t size() const { return rows_; }
  /// Appends an element, for a batch of at most `most` elements. InvalidArgument with TensorFlow's text if its shapes
  /// differ from the first element's; then the rows are unchanged.
  Status add(Allocator& allocator, const Element& element, int64_t most);
  /// Appends the rows of a batch, of which there are at least one and at most `most` in all.
  Status add_batch(Allocator& allocator, Element batch, int64_t most);

  /// As add, but keeps the first error. As in TensorFlow, a batch with an element that does not fit fails as a whole,
  /// after all its elements.
  void collect(Allocator& allocator, const Element& element, int64_t most);
  void collect_batch(Allocator& allocator, Element batch, int64_t most);
  /// Elements that were collected or added, also those that did not fit.
  int64_t collected() const { return rows_ + misfits_; }
  const Status& error() const { return error_; }

  /// Takes the batch of all rows, of which there is at least one.
  Status take(Element& batch);
  /// Removes the rows and the error.
  void clear();
  /// A copy of the components, with size() rows, for saving.
  Result<Element> copy(Allocator& allocator) const;
  /// Sets the rows to such components, which may have any shapes: DataLoss unless they have equally many rows, fewer
  /// than `most`.
  Status set(Allocator& allocator, const Element& rows, int64_t most);

 private:
  Status check(const Element& element) const;
  Status reserve(Allocator& allocator, int64_t rows);
  Status grow(Allocator& allocator, int64_t needed, int64_t most);
  Status append(Allocator& allocator, const Element& rows, int64_t count, int64_t most);

  Element components_;             // With room for more rows.
  std::vector<DType> types_;       // Of the components.
  std::vector<Shape> row_shapes_;  // Of the components.
  int64_t rows_ = 0;
  int64_t room_ = 0;
  int64_t misfits_ = 0;
  Status error_;
  bool had_full_batch_ = false;
};

/// The spec of batches of any size of such elements.
ElementSpec batches_of(const ElementSpec& spec);
/// Whether all components have rows, and equally many.
bool has_rows(const Element& batch);
/// Shape of a batch with that many rows.
Shape batch_shape(int64_t rows, const Shape& row);

}  // namespace tinytf::data
