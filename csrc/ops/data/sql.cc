#include <algorithm>
#include <iterator>
#include <optional>

#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/sql_rows.h"

namespace tinytf::ops {
namespace {

class SqlDataset final : public Dataset {
 public:
  SqlDataset(DatasetParts parts, SqlQuery query) : Dataset(std::move(parts)), query_(std::move(query)) {}

  const SqlQuery& query() const { return query_; }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;

 private:
  const SqlQuery query_;
};

class SqlIterator final : public IteratorOf<SqlDataset> {
 public:
  explicit SqlIterator(const SqlDataset& dataset) : IteratorOf(dataset), rows_(std::in_place, dataset.query()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (has_ended_) return Pulled::kEnd;
    TINYTF_ASSIGN_OR_RETURN(const bool has_row, rows_->next(ctx, element));
    has_ended_ = !has_row;
    return has_row ? Pulled::kElement : Pulled::kEnd;
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("row", rows_->row());
    state.put_int("has_ended", has_ended_);
    return Status();
  }
  /// The rows before the position are read again.
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t row, state.get_int("row", 0, INT64_MAX - kMostRows));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    rows_.emplace(dataset().query(), row);
    has_ended_ = has_ended != 0;
    return Status();
  }

 private:
  static constexpr int64_t kMostRows = int64_t{1} << 40;  // That can be read after a position.
  std::optional<SqlRows> rows_;
  bool has_ended_ = false;
};

Result<IteratorPtr> SqlDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<SqlIterator>(*this));
}

Status check_columns_of(const ElementSpec& spec) {
  constexpr DType kColumnTypes[] = {DType::kString, DType::kInt8,   DType::kInt16, DType::kInt32, DType::kInt64,
                                    DType::kUint8,  DType::kUint16, DType::kBool,  DType::kDouble};
  for (const DType type : spec.types) {
    if (std::find(std::begin(kColumnTypes), std::end(kColumnTypes), type) != std::end(kColumnTypes)) continue;
    return invalid_argument(
        "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, "
        "DT_UINT16, DT_BOOL, DT_DOUBLE ");
  }
  for (const PartialShape& shape : spec.shapes) {
    if (shape.rank() != 0) return invalid_argument("Each element of `output_shapes_` must be a scalar.");
  }
  return Status();
}

class SqlKernel final : public DatasetKernel {
 public:
  explicit SqlKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_RETURN_IF_ERROR(check_columns_of(*parts.spec));
    TINYTF_ASSIGN_OR_RETURN(const std::string driver, scalar_input<std::string>(ctx, 0, "driver_name"));
    SqlQuery query;
    TINYTF_ASSIGN_OR_RETURN(query.database, scalar_input<std::string>(ctx, 1, "data_source_name"));
    TINYTF_ASSIGN_OR_RETURN(query.text, scalar_input<std::string>(ctx, 2, "query"));
    query.types = parts.spec->types;
    if (driver != "sqlite") {
      return invalid_argument("The database type, ", driver,
                              ", is not supported by SqlDataset. The set of supported databases is: {'sqlite'}.");
    }
    return RefPtr<const Dataset>(make_ref<SqlDataset>(std::move(parts), std::move(query)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_sql) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<SqlKernel>(name);
    return ops.op(name)
        .input("driver_name: string")
        .input("data_source_name: string")
        .input("query: string")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .shape(shapes::dataset<0, 1, 2>)
        .no_gradient();
  };
  declare("SqlDataset")
      .doc(
          "Makes a dataset of the rows of the result of `query` in the SQLite database `data_source_name`. "
          "`driver_name` must be `sqlite`; values are converted to the dtypes of the columns as SQLite does.");
  declare("ExperimentalSqlDataset").doc("An earlier name of SqlDataset.");
}
