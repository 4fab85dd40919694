#pragma once

#include <string>
#include <vector>

#include "data/iterator.h"

namespace tinytf::ops {

/// A query of a database, and the dtypes of the columns of its result.
struct SqlQuery {
  std::string database, text;
  std::vector<DType> types;
};

/// Reads the rows of the result of a query, with the SQLite of the host language. One thread at a time.
class SqlRows {
 public:
  /// Begins with row number `row`. `query` must outlive it.
  explicit SqlRows(const SqlQuery& query, int64_t row = 0);

  /// Moves the next row to `element`; false at the end. Fails with TensorFlow's codes and texts.
  Result<bool> next(const data::IteratorContext& ctx, data::Element& element);
  /// The number of the next row.
  int64_t row() const { return row_; }

 private:
  Status fetch(const data::IteratorContext& ctx);

  const SqlQuery& query_;
  const int64_t id_;
  int64_t row_;
  data::Element columns_;  // Of the rows that were read together.
  int64_t first_ = 0;      // The number of the first of these rows.
  int64_t fetched_ = 0;    // Their count.
};

}  // namespace tinytf::ops
