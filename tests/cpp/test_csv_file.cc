#include "ops/data/shared/csv_file.h"

#include <fstream>

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::CsvFile;
using ops::CsvFileFormat;
using ops::FileBytes;

/// A file of this text, read by a step.
struct Csv {
  Csv(const std::string& text, CsvFileFormat how) : format(std::move(how)) {
    std::ofstream(folder / "f") << text;
    file.emplace(FileBytes::open(folder / "f", std::nullopt).take(), format);
  }

  /// The fields of the next record, the message of its error, or "end".
  std::string next() {
    const Result<bool> has_record = file->next(ctx, element);
    if (!has_record.ok()) return str_cat("error: ", has_record.status().message());
    if (!has_record.value()) return "end";
    std::string text;
    for (const Tensor& field : element) {
      text += field.dtype() == DType::kString ? str_cat("[", *field.data<std::string>(), "]")
                                              : str_cat("[", field.int_at(0), "]");
    }
    return text;
  }

  testing::TemporaryFolder folder;
  const CsvFileFormat format;
  testing::DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const IteratorContext ctx{step.services, *tasks};
  std::optional<CsvFile> file;
  Element element;
};

CsvFileFormat texts(size_t fields) {
  CsvFileFormat format;
  format.types.assign(fields, DType::kString);
  format.defaults.assign(fields, Tensor::scalar(std::string("none")));
  return format;
}

TINYTF_TEST(records_of_a_csv_file) {
  Csv csv("a,\"b,\"\"c\"\"\"\r\n,\"\"\n\"x\ny\",z", texts(2));
  EXPECT_EQ(csv.next(), "[a][b,\"c\"]");
  EXPECT_EQ(csv.next(), "[none][none]");
  EXPECT_EQ(csv.next(), "[x\ny][z]");
  EXPECT_EQ(csv.file->offset(), 24u);
  EXPECT_EQ(csv.next(), "end");
  EXPECT_EQ(csv.next(), "end");
}

TINYTF_TEST(errors_in_records_of_a_csv_file) {
  Csv csv("a\nb,c,d\ne\"f,g\n\"h\"i\",j\nk,l\n\"m", texts(2));
  EXPECT_EQ(csv.next(), "error: Expect 2 fields but have 1 in record");
  EXPECT_EQ(csv.next(), "error: Expect 2 fields but have more in record");
  EXPECT_EQ(csv.next(), "error: Unquoted fields cannot have quotes inside");
  EXPECT_EQ(csv.next(), "error: Quote inside a string has to be escaped by another quote");
  EXPECT_EQ(csv.next(), "[k][l]");
  EXPECT_EQ(csv.next(), "error: Reached end of file without closing quoted field in record");
  EXPECT_EQ(csv.next(), "end");
}

TINYTF_TEST(selected_fields_of_a_csv_file) {
  CsvFileFormat format;
  format.delimiter = ';';
  format.has_quotes = false;
  format.na_value = "NA";
  format.columns = {1, 3};
  format.types = {DType::kInt64, DType::kInt32};
  format.defaults = {Tensor(), Tensor::scalar(int32_t{-1})};
  Csv csv("\"a;1;b;NA\nc;;d;2\ne;x;f;3\ng;4;h;5;i\n", format);
  EXPECT_EQ(csv.next(), "[1][-1]");
  EXPECT_EQ(csv.next(), "error: Field 0 is required but missing in record!");
  EXPECT_EQ(csv.next(), "error: Field 0 in record is not a valid int64: x");
  EXPECT_EQ(csv.next(), "[4][5]");
}

TINYTF_TEST(headers_of_csv_files) {
  Csv csv("a,b\n1,2\n", texts(2));
  EXPECT_OK(csv.file->skip_header(csv.ctx));
  EXPECT_EQ(csv.next(), "[1][2]");
  Csv empty("", texts(1));
  EXPECT_EQ(empty.file->skip_header(empty.ctx).message(), "Can't read header of file");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
