#include "io/early_checkpoint_reader.h"

#include <algorithm>

#include "base/crc32c.h"
#include "io/early_checkpoint_writer.h"
#include "io/slice_key.h"
#include "io/table_builder.h"
#include "io/wire.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::TemporaryFolder;
using testing::tensor_of;

ShapeAndSlice whole(const Shape& shape) { return {shape, TensorSlice::whole(shape.rank()), shape}; }

Result<Tensor> read(EarlyCheckpointReader& reader, const std::string& name, const TensorSlice& slice) {
  const auto at = reader.tensors().find(name);
  if (at == reader.tensors().end()) return not_found(name);
  TINYTF_RETURN_IF_ERROR(reader.check(name, at->second, slice));
  TINYTF_ASSIGN_OR_RETURN(const Shape shape, slice.apply(at->second.shape));
  TINYTF_ASSIGN_OR_RETURN(Tensor to, Tensor::allocate(Allocator::process(), at->second.dtype, shape));
  TINYTF_RETURN_IF_ERROR(reader.read(name, at->second, slice, to));
  return to;
}

TINYTF_TEST(early_checkpoints_come_back) {
  const TemporaryFolder folder;
  EarlyCheckpointWriter writer(folder / "m");
  std::vector<std::pair<std::string, Tensor>> saved;
#define TINYTF_X(constant, number, name, type) saved.push_back({name, tensor_of<type>({2}, {type(), type(1)})});
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
  saved.push_back({"none", tensor_of<float>({0, 3}, {})});
  for (const auto& [name, tensor] : saved) static_cast<void>(writer.add(name, whole(tensor.shape()), tensor).ok());
  EXPECT_OK(writer.add("s", whole({2}), testing::strings_of({2}, {"", "text"})));
  EXPECT_OK(writer.finish());
  auto reader = EarlyCheckpointReader::open(folder / "m").take();
  EXPECT_EQ(reader->tensors().size(), saved.size() + 1 - 3);  // except uint32, uint64 and bfloat16
  for (const auto& [name, tensor] : saved) {
    const auto value = read(*reader, name, TensorSlice::whole(tensor.rank()));
    if (value.status().code() == Code::kNotFound) continue;
    EXPECT_OK(value.status());
    EXPECT(std::equal(static_cast<const char*>(value.value().raw()),
                      static_cast<const char*>(value.value().raw()) + tensor.bytes(),
                      static_cast<const char*>(tensor.raw())));
  }
  EXPECT_EQ(read(*reader, "s", TensorSlice::parse("1,1").value()).value().data<std::string>()[0], "text");
}

TINYTF_TEST(slices_of_early_checkpoints_in_several_files) {
  const TemporaryFolder folder;
  for (const int i : {0, 1}) {
    EarlyCheckpointWriter writer(folder / str_cat("m-", i));
    EXPECT_OK(writer.add("p", parse_shape_and_slice(i == 0 ? "4 2 0,2:-" : "4 2 2,2:-").value(),
                         tensor_of<int32_t>({2, 2}, {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3})));
    EXPECT_OK(writer.finish());
  }
  auto reader = EarlyCheckpointReader::open(folder / "m-?").take();
  const Tensor column = read(*reader, "p", TensorSlice::parse("1,2:1,1").value()).take();
  EXPECT_EQ(column.data<int32_t>()[0], 3);
  EXPECT_EQ(column.data<int32_t>()[1], 5);
  EXPECT_EQ(read(*EarlyCheckpointReader::open(folder / "m-0").value(), "p", TensorSlice::whole(2)).status().to_string(),
            "Invalid argument: Does not have sufficient slices for partitioned tensor p to restore in slice_spec: -:-");
}

TINYTF_TEST(files_that_are_no_early_checkpoints) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& name) {
    return EarlyCheckpointReader::open(folder / name).status().to_string();
  };
  EXPECT_EQ(
      error("m"),
      "Not found: Unsuccessful TensorSliceReader constructor: Failed to find any matching files for " + (folder / "m"));
  EXPECT_EQ(error("no/m"),
            "Invalid argument: Unsuccessful TensorSliceReader constructor: Failed to get matching files on " +
                (folder / "no/m") + ": Not found: " + (folder / "no") + "; No such file or directory");
  testing::write(folder / "m", "junk");
  EXPECT_EQ(error("m"), "Data loss: Unable to open table file " + (folder / "m") +
                            ": Data loss: file is too short to be an sstable: perhaps your file is in a different file "
                            "format and you need to use a different restore operator?");
}

TINYTF_TEST(early_checkpoints_that_others_wrote_are_not_believed) {
  const TemporaryFolder folder;
  const std::string key = slice_key("v", TensorSlice::whole(1));
  const auto status = [&](const std::string& meta, const std::string& value) {
    auto file = WritableFile::create(folder / "m").take();
    TableBuilder table(*file);
    EXPECT_OK(table.add("", meta));
    EXPECT_OK(table.add(key, value));
    EXPECT_OK(table.finish());
    EXPECT_OK(file->close());
    auto reader = EarlyCheckpointReader::open(folder / "m");
    return reader.ok() ? read(*reader.value(), "v", TensorSlice::whole(1)).status() : reader.status();
  };
  const auto meta = [](const std::string& shape) {
    std::string bytes;
    WireWriter to(&bytes);
    to.nested(1, [&] {
      to.nested(1, [&] {
        to.bytes(1, "v");
        to.bytes(2, shape);
        to.varint(3, 1);
        to.bytes(4, hex("0a00"));
      });
    });
    return bytes;
  };
  const std::string one = hex("120f 0a0176 12020a00 1a06 2a04 0000803f");
  EXPECT_OK(status(meta(hex("12020801")), one));
  EXPECT_EQ(status(meta(hex("1209 08ffffffffffffff7f")), one).code(), Code::kDataLoss);  // far more elements than bytes
  EXPECT_EQ(status(meta(hex("12020802")), one).code(), Code::kDataLoss);
  EXPECT_EQ(status(meta(hex("120b 08ffffffffffffffffff01")), one).code(), Code::kDataLoss);
  EXPECT_EQ(status(meta(hex("12020801")), "junk").code(), Code::kDataLoss);
  EXPECT_EQ(status("junk", one).code(), Code::kNotFound);  // no tensors
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
