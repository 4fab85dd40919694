#include "ops/data/shared/sql_rows.h"

#include <atomic>

#include "services/function_calls.h"

namespace tinytf::ops {

namespace {

std::atomic<int64_t> next_query_id{1};

/// Under this token the host language registers a function of the id of the iteration, the database, the query, the
/// number of the first row, and the dtypes of the columns. It returns an error code, its message, the number of rows,
/// which is 0 at the end, and the columns of these rows.
const std::string kRowsToken = "sql_rows";
constexpr size_t kBeforeColumns = 3;

Tensor numbers_of(const std::vector<DType>& types, Allocator& allocator, Status& status) {
  auto numbers = Tensor::allocate(allocator, DType::kInt64, Shape({static_cast<int64_t>(types.size())}));
  status = numbers.status();
  if (!status.ok()) return Tensor();
  for (size_t i = 0; i < types.size(); ++i) numbers.value().data<int64_t>()[i] = static_cast<int64_t>(types[i]);
  return numbers.take();
}

Status malformed() { return internal_error("The function that reads rows of a database has returned no rows"); }

}  // namespace

SqlRows::SqlRows(const SqlQuery& query, int64_t row)
    : query_(query), id_(next_query_id.fetch_add(1, std::memory_order_relaxed)), row_(row), first_(row) {}

Status SqlRows::fetch(const data::IteratorContext& ctx) {
  Status status;
  const Tensor id = Tensor::scalar(id_), row = Tensor::scalar(row_), database = Tensor::scalar(query_.database),
               text = Tensor::scalar(query_.text), types = numbers_of(query_.types, ctx.allocator(), status);
  TINYTF_RETURN_IF_ERROR(status);
  const std::vector<FunctionCall::Input> inputs{
      {&id, false}, {&database, false}, {&text, false}, {&row, false}, {&types, false}};
  std::vector<Tensor> results;
  TINYTF_RETURN_IF_ERROR(call_function({kRowsToken, inputs, ctx.allocator()}, results));
  const auto is_scalar = [&](size_t i, DType dtype) { return results[i].dtype() == dtype && results[i].rank() == 0; };
  if (results.size() < kBeforeColumns || !is_scalar(0, DType::kInt64) || !is_scalar(1, DType::kString) ||
      !is_scalar(2, DType::kInt64)) {
    return malformed();
  }
  const int64_t code = results[0].int_at(0), count = results[2].int_at(0);
  if (code < 0 || code > static_cast<int64_t>(Code::kUnauthenticated)) return malformed();
  if (code != 0) return Status(static_cast<Code>(code), *results[1].data<std::string>());
  results.erase(results.begin(), results.begin() + kBeforeColumns);
  if (count < 0 || (count > 0 && results.size() != query_.types.size())) return malformed();
  for (size_t i = 0; count > 0 && i < results.size(); ++i) {
    if (results[i].dtype() != query_.types[i] || results[i].rank() != 1 || results[i].dim(0) != count) {
      return malformed();
    }
  }
  columns_ = std::move(results);
  first_ = row_;
  fetched_ = count;
  return Status();
}

Result<bool> SqlRows::next(const data::IteratorContext& ctx, data::Element& element) {
  if (row_ == first_ + fetched_) TINYTF_RETURN_IF_ERROR(fetch(ctx));
  if (fetched_ == 0) return false;
  element.resize(columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(element[i], columns_[i].view(row_ - first_, Shape()));
  }
  ++row_;
  return true;
}

}  // namespace tinytf::ops
