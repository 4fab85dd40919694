#include "ops/data/shared/sql_rows.h"

#include "services/function_calls.h"
#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::SqlQuery;
using ops::SqlRows;
using testing::tensor;

/// The function that reads rows returns these values and writes the numbers of its arguments to `asked`.
Status status;
std::vector<Tensor> answer;
std::vector<int64_t> asked;

Status read_rows(const FunctionCall& call, std::vector<Tensor>& results) {
  EXPECT_EQ(call.token, "sql_rows");
  EXPECT_EQ(*call.inputs[1].value->data<std::string>(), "file");
  EXPECT_EQ(*call.inputs[2].value->data<std::string>(), "query");
  EXPECT_EQ(call.inputs[4].value->int_at(0), static_cast<int64_t>(DType::kInt64));
  asked.push_back(call.inputs[3].value->int_at(0));
  results = answer;
  return status;
}

/// A code, its message, the number of rows, and their columns.
std::vector<Tensor> rows(int64_t code, const std::string& message, int64_t count, std::vector<Tensor> columns) {
  std::vector<Tensor> all = {Tensor::scalar(code), Tensor::scalar(message), Tensor::scalar(count)};
  for (Tensor& column : columns) all.push_back(std::move(column));
  return all;
}

/// A query of one column of numbers, while this lives.
struct Query {
  explicit Query(int64_t row = 0) : rows(query, row) {
    set_function_caller(read_rows);
    status = Status();
    asked.clear();
  }
  ~Query() {
    set_function_caller([](const FunctionCall&, std::vector<Tensor>&) { return failed_precondition("unset"); });
    answer.clear();
  }

  const SqlQuery query{"file", "query", {DType::kInt64}};
  SqlRows rows;
  testing::DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const IteratorContext ctx{step.services, *tasks};
  Element element;
};

TINYTF_TEST(rows_of_a_query_are_read_together) {
  Query query(5);
  answer = rows(0, "", 2, {tensor<int64_t>({2}, {7, 8})});
  for (const int64_t expected : {7, 8}) {
    EXPECT(query.rows.next(query.ctx, query.element).value());
    EXPECT_EQ(testing::number_of(query.element), expected);
  }
  EXPECT_EQ(query.rows.row(), 7);
  answer = rows(0, "", 1, {tensor<int64_t>({1}, {9})});
  EXPECT(query.rows.next(query.ctx, query.element).value());
  EXPECT_EQ(testing::number_of(query.element), 9);
  answer = rows(0, "", 0, {});
  EXPECT(!query.rows.next(query.ctx, query.element).value());
  EXPECT_EQ(query.rows.row(), 8);
  EXPECT(asked == std::vector<int64_t>({5, 7, 8}));
}

TINYTF_TEST(errors_of_a_query_have_its_code) {
  Query query;
  answer = rows(static_cast<int64_t>(Code::kInvalidArgument), "no such table", 0, {});
  const Status found = query.rows.next(query.ctx, query.element).status();
  EXPECT_EQ(found.code(), Code::kInvalidArgument);
  EXPECT_EQ(found.message(), "no such table");
  status = Status(Code::kUnknown, "raised");
  EXPECT_EQ(query.rows.next(query.ctx, query.element).status().message(), "raised");
  status = Status();
  answer = rows(0, "", 1, {tensor<int64_t>({1}, {3})});
  EXPECT(query.rows.next(query.ctx, query.element).value());
  EXPECT(asked == std::vector<int64_t>({0, 0, 0}));
}

TINYTF_TEST(wrong_answers_to_a_query_are_refused) {
  const Tensor one = tensor<int64_t>({1}, {1});
  const auto missing = rows(0, "", 0, {});
  for (const std::vector<Tensor>& wrong :
       {std::vector<Tensor>(), std::vector<Tensor>(missing.begin(), missing.end() - 1), rows(-1, "", 1, {one}),
        rows(1000, "", 1, {one}), rows(0, "", -1, {one}), rows(0, "", 2, {one}), rows(0, "", 1, {}),
        rows(0, "", 1, {one, one}), rows(0, "", 1, {Tensor::scalar(int64_t{1})}),
        rows(0, "", 1, {tensor<float>({1}, {1})}), std::vector<Tensor>{one, one, one, one}}) {
    Query query;
    answer = wrong;
    EXPECT_EQ(query.rows.next(query.ctx, query.element).status().code(), Code::kInternal);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
