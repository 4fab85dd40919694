#include <algorithm>

#include "base/parse_number.h"
#include "op/registration.h"
#include "ops/parsing/shared/csv_record.h"

namespace tinytf::ops {
namespace {

constexpr int64_t kCsvRowCost = 64;  // number of records that a thread decodes at a time
constexpr double kFieldCost = 50;    // approximate, in nanoseconds

Status decode_csv_shape(ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) {
    PartialShape value;
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(i, 1, &value));
    if (value.rank() == 1 && value.dim(0) > 1) {
      return invalid_argument("Shape of a default must be a length-0 or length-1 vector, or a scalar.");
    }
  }
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, c.input(0));
  return Status();
}

class DecodeCSVKernel final : public Kernel {
 public:
  explicit DecodeCSVKernel(KernelInit& init)
      : types_(init.attr<std::vector<DType>>("OUT_TYPE")), na_value_(init.attr<std::string>("na_value")) {
    const auto delimiter = init.attr<std::string>("field_delim");
    if (delimiter.size() != 1) {
      init.fail(invalid_argument("field_delim should be only 1 char"));
    } else {
      format_.delimiter = delimiter[0];
    }
    format_.has_quotes = init.attr<bool>("use_quote_delim");
    format_.selected = init.attr<std::vector<int64_t>>("select_cols");
    init.fail(check_selected());
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& records = ctx.input(0);
    const auto columns = static_cast<int>(types_.size());
    for (int i = 0; i < columns; ++i) {
      if (ctx.input(i + 1).num_elements() > 1) {
        return invalid_argument("There should only be 1 default per field but field ", i, " has ",
                                ctx.input(i + 1).num_elements());
      }
    }
    std::vector<Tensor*> outputs(types_.size());
    for (int i = 0; i < columns; ++i) {
      TINYTF_ASSIGN_OR_RETURN(outputs[i], ctx.allocate_output(i, records.shape()));
    }
    const int64_t count = records.num_elements(), rows = (count + kCsvRowCost - 1) / kCsvRowCost;
    std::vector<Status> statuses(static_cast<size_t>(rows));
    ctx.parallel().run(rows, 1, kCsvRowCost * kFieldCost * columns, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        statuses[row] = decode_rows(ctx, row * kCsvRowCost, std::min(count, (row + 1) * kCsvRowCost), outputs);
      }
    });
    for (const Status& status : statuses) TINYTF_RETURN_IF_ERROR(status);
    return Status();
  }

 private:
  Status check_selected() const {
    if (format_.selected.empty()) return Status();
    if (format_.selected.size() != types_.size()) return invalid_argument("select_cols should match output size");
    for (size_t i = 0; i < format_.selected.size(); ++i) {
      if (format_.selected[i] < 0) return invalid_argument("select_cols should be non-negative indices");
      if (i > 0 && format_.selected[i] <= format_.selected[i - 1]) {
        return invalid_argument("select_cols should be strictly increasing indices");
      }
    }
    return Status();
  }

  Status decode_rows(const KernelContext& ctx, int64_t begin, int64_t end, const std::vector<Tensor*>& outputs) const {
    std::vector<std::string> fields;
    for (int64_t i = begin; i < end; ++i) {
      size_t found = 0;
      TINYTF_RETURN_IF_ERROR(split_record(ctx.input(0).data<std::string>()[i], format_, fields, &found));
      if (found != types_.size()) {
        return invalid_argument("Expect ", types_.size(), " fields but have ", found, " in record ", i);
      }
      for (size_t field = 0; field < found; ++field) {
        TINYTF_RETURN_IF_ERROR(decode_field(ctx, i, field, fields[field], *outputs[field]));
      }
    }
    return Status();
  }

  Status decode_field(const KernelContext& ctx, int64_t record, size_t field, std::string& text, Tensor& out) const {
    if (text.empty() || text == na_value_) {
      const Tensor& value = ctx.input(static_cast<int>(field) + 1);
      if (value.num_elements() == 0) {
        return invalid_argument("Field ", field, " is required but missing in record ", record, "!");
      }
      copy_elements(value, 0, out, record, 1);
      return Status();
    }
    bool is_number = true;
    switch (types_[field]) {
      case DType::kString: out.data<std::string>()[record] = text; break;
      case DType::kFloat: is_number = parse_number(text, out.data<float>()[record]); break;
      case DType::kDouble: is_number = parse_number(text, out.data<double>()[record]); break;
      case DType::kInt32: is_number = parse_number(text, out.data<int32_t>()[record]); break;
      default: is_number = parse_number(text, out.data<int64_t>()[record]);
    }
    if (is_number) return Status();
    return invalid_argument("Field ", field, " in record ", record, " is not a valid ", dtype_name(types_[field]), ": ",
                            text);
  }

  const std::vector<DType> types_;
  const std::string na_value_;
  CsvFormat format_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_decode_csv) {
  using namespace tinytf::ops;
  ops.op("DecodeCSV")
      .input("records: string")
      .input("record_defaults: OUT_TYPE")
      .output("output: OUT_TYPE")
      .attr("OUT_TYPE: list({float, double, int32, int64, string}) >= 1")
      .attr("field_delim: string = ','")
      .attr("use_quote_delim: bool = true")
      .attr("na_value: string = ''")
      .attr("select_cols: list(int) = []")
      .shape(decode_csv_shape)
      .no_gradient()
      .doc(
          "Splits each string in `records` into fields and returns a tensor for each selected field. `record_defaults` "
          "determines the dtypes and the values of fields that are empty or equal to `na_value`; an empty default "
          "makes the field required. `select_cols` holds the indices of the selected fields in ascending order; if it "
          "is empty, all fields are selected.");
  kernels.add<DecodeCSVKernel>("DecodeCSV");
}
