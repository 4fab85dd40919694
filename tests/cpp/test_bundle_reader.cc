#include "io/bundle_reader.h"

#include <algorithm>

#include "base/crc32c.h"
#include "io/bundle_index_writer.h"
#include "io/bundle_writer.h"
#include "io/file_system.h"
#include "io/slice_key.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::strings_of;
using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

std::vector<float> counted(int count, float from = 0) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(from + static_cast<float>(i));
  return values;
}

Status save_slice(BundleWriter& writer, const std::string& text, const Tensor& value) {
  return writer.add_slice("p", parse_shape_and_slice(text).value(), value, serial);
}

/// The contents of a slice of the tensor "p", as a vector.
Result<std::vector<float>> slice_of(BundleReader& reader, const std::string& slice) {
  TINYTF_ASSIGN_OR_RETURN(const BundleEntry entry, reader.index().find("p"));
  TINYTF_ASSIGN_OR_RETURN(const StoredTensor stored, reader.locate("p", entry, TensorSlice::parse(slice).value()));
  TINYTF_ASSIGN_OR_RETURN(Tensor to, Tensor::allocate(Allocator::process(), stored.dtype, stored.shape));
  reader.add(stored, to);
  TINYTF_RETURN_IF_ERROR(reader.run(serial));
  return std::vector<float>(to.data<float>(), to.data<float>() + to.num_elements());
}

TINYTF_TEST(all_types_come_back) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  std::vector<std::pair<std::string, Tensor>> saved;
#define TINYTF_X(constant, number, name, type) saved.push_back({name, tensor_of<type>({2}, {type(), type(1)})});
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
  for (const DType dtype : {DType::kQint8, DType::kQuint8, DType::kQint16, DType::kQuint16, DType::kQint32}) {
    Tensor tensor = Tensor::allocate(Allocator::process(), dtype, {3}).take();
    std::fill_n(static_cast<char*>(tensor.raw()), tensor.bytes(), '\x11');
    saved.push_back({std::string(dtype_name(dtype)), tensor});
  }
  saved.push_back({"none", tensor_of<float>({0, 3}, {})});
  for (const auto& [name, tensor] : saved) EXPECT_OK(writer->add(name, tensor, serial));
  EXPECT_OK(writer->finish());
  auto reader = BundleReader::open(folder / "m").take();
  for (const auto& [name, tensor] : saved) {
    const Tensor read = reader->read(name, Allocator::process(), serial).take();
    EXPECT_EQ(read.dtype(), tensor.dtype());
    EXPECT(read.shape() == tensor.shape());
    EXPECT(std::equal(static_cast<const char*>(read.raw()), static_cast<const char*>(read.raw()) + read.bytes(),
                      static_cast<const char*>(tensor.raw())));
  }
}

TINYTF_TEST(strings_come_back) {
  const TemporaryFolder folder;
  const std::vector<std::string> texts{"", std::string(1 << 20, 'x'), std::string("\0\xff", 2), "short"};
  std::vector<std::string> many;
  for (int i = 0; i < 100000; ++i) many.push_back(str_cat("text ", i));
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add("few", strings_of({2, 2}, texts), serial));
  EXPECT_OK(writer->add("none", strings_of({0}, {}), serial));
  EXPECT_OK(writer->add("many", strings_of({100000}, many), serial));
  EXPECT_OK(writer->finish());
  auto reader = BundleReader::open(folder / "m").take();
  const Tensor few = reader->read("few", Allocator::process(), serial).take();
  EXPECT(few.shape() == Shape({2, 2}));
  EXPECT(std::equal(texts.begin(), texts.end(), few.data<std::string>()));
  EXPECT_EQ(reader->read("none", Allocator::process(), serial).value().num_elements(), 0);
  const Tensor read = reader->read("many", Allocator::process(), serial).take();
  EXPECT(std::equal(many.begin(), many.end(), read.data<std::string>()));
}

TINYTF_TEST(slices_are_put_together_of_any_that_cover_them) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(save_slice(*writer, "4 4 0,2:0,4", tensor_of<float>({2, 4}, counted(8))));
  EXPECT_OK(save_slice(*writer, "4 4 2,2:0,1", tensor_of<float>({2, 1}, {8, 12})));
  EXPECT_OK(save_slice(*writer, "4 4 2,2:1,3", tensor_of<float>({2, 3}, {9, 10, 11, 13, 14, 15})));
  EXPECT_OK(writer->finish());
  auto reader = BundleReader::open(folder / "m").take();
  EXPECT(slice_of(*reader, "-:-").value() == counted(16));
  EXPECT(slice_of(*reader, "0,4:0,4").value() == counted(16));
  EXPECT(slice_of(*reader, "1,2:1,2").value() == std::vector<float>({5, 6, 9, 10}));
  EXPECT(slice_of(*reader, "3,1:-").value() == counted(4, 12));
  EXPECT(slice_of(*reader, "-:2,1").value() == std::vector<float>({2, 6, 10, 14}));
}

TINYTF_TEST(slices_of_a_tensor_that_was_saved_whole) {
  const TemporaryFolder folder;
  constexpr int kRows = 600, kColumns = 1000;  // more than the buffer holds
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add("p", tensor_of<float>({kRows, kColumns}, counted(kRows * kColumns)), serial));
  EXPECT_OK(writer->finish());
  auto reader = BundleReader::open(folder / "m").take();
  const auto column = slice_of(*reader, "-:3,2").take();
  for (int i = 0; i < kRows; ++i)
    EXPECT_EQ(column[static_cast<size_t>(2 * i + 1)], static_cast<float>(i * kColumns + 4));
  EXPECT(slice_of(*reader, "200,300:-").value() == counted(300 * kColumns, 200 * kColumns));
}

TINYTF_TEST(slices_that_nobody_saved_are_missed) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(save_slice(*writer, "5 0,2", tensor_of<float>({2}, {0, 1})));
  EXPECT_OK(save_slice(*writer, "5 3,2", tensor_of<float>({2}, {3, 4})));
  EXPECT_OK(writer->finish());
  auto reader = BundleReader::open(folder / "m").take();
  EXPECT_EQ(slice_of(*reader, "0,5").status().to_string(),
            "Invalid argument: Does not have sufficient slices for partitioned tensor p to restore in slice_spec: 0,5");
  EXPECT(slice_of(*reader, "3,2").value() == std::vector<float>({3, 4}));
  EXPECT_EQ(slice_of(*reader, "4,2").status().code(), Code::kInternal);
}

/// Writes a checkpoint with one arbitrary entry.
void write_entry(const TemporaryFolder& folder, const BundleEntry& entry, const std::string& data,
                 bool big_endian = false) {
  auto file = AtomicFile::create(folder / "m.index").take();
  BundleHeader header = BundleHeader::of(1);
  header.big_endian = big_endian;
  EXPECT_OK(write_index(*file, header, {{"p", entry}}));
  EXPECT_OK(file->keep());
  testing::write(folder / "m.data-00000-of-00001", data);
}

TINYTF_TEST(numbers_of_the_other_byte_order_are_turned_around) {
  const TemporaryFolder folder;
  const std::string data = testing::hex("3f800000 40000000 40400000 40800000");
  BundleEntry entry;
  entry.dtype = DType::kFloat;
  entry.shape = Shape({4});
  entry.size = 16;
  entry.masked_crc = masked_crc32c(data.data(), data.size());
  write_entry(folder, entry, data, true);
  auto reader = BundleReader::open(folder / "m").take();
  EXPECT(slice_of(*reader, "-").value() == counted(4, 1));
  EXPECT(slice_of(*reader, "1,2").value() == counted(2, 2));
}

TINYTF_TEST(sizes_are_not_believed) {
  const TemporaryFolder folder;
  BundleEntry entry;
  entry.dtype = DType::kFloat;
  entry.shape = Shape({int64_t{1} << 40});
  entry.size = 4;
  write_entry(folder, entry, "data");
  const auto status = [&] {
    return BundleReader::open(folder / "m").value()->read("p", Allocator::process(), serial).status();
  };
  EXPECT_EQ(status().to_string(),
            "Data loss: Invalid size in bundle entry: key p; stored size 4; expected size 4398046511104");
  entry.size = int64_t{4} << 40;
  write_entry(folder, entry, "data");
  EXPECT_EQ(status().to_string().rfind("Out of range: Read less bytes than requested: ", 0), 0u);
  entry.shape = Shape({1});
  entry.size = 4;
  entry.offset = 1;
  write_entry(folder, entry, "data");
  EXPECT_EQ(status().code(), Code::kOutOfRange);
  entry.offset = -4;
  write_entry(folder, entry, "data");
  EXPECT_EQ(status().code(), Code::kOutOfRange);
  entry.offset = 0;
  write_entry(folder, entry, "data");
  EXPECT_EQ(status().code(), Code::kDataLoss);  // wrong checksum
  EXPECT_EQ(status().message().substr(0, 24), "Checksum does not match:");
  entry.dtype = DType::kString;
  entry.shape = Shape({int64_t{1} << 40});
  write_entry(folder, entry, "data");
  EXPECT_EQ(status().code(), Code::kDataLoss);
  entry.shape = Shape({1});
  entry.size = 6;
  write_entry(folder, entry, testing::hex("ff7f 00000000"));
  EXPECT_EQ(status().code(), Code::kDataLoss);
  for (const DType dtype : {DType::kVariant, DType::kResource, DType::kInvalid}) {
    entry.dtype = dtype;
    write_entry(folder, entry, "data");
    EXPECT_EQ(status().code(), Code::kUnimplemented);
  }
  entry.dtype = DType::kFloat;
  entry.data_file = 7;
  entry.size = 4;
  write_entry(folder, entry, "data");
  EXPECT_EQ(status().to_string(), "Not found: " + (folder / "m.data-00007-of-00001") + "; No such file or directory");
}

TINYTF_TEST(slices_that_others_wrote_are_not_believed) {
  const TemporaryFolder folder;
  const auto of = [&](const std::vector<std::string>& slices, const Shape& part) {
    BundleEntry whole, stored;
    whole.dtype = stored.dtype = DType::kFloat;
    whole.shape = Shape({4});
    stored.shape = part;
    stored.size = part.num_elements() * 4;
    std::map<std::string, BundleEntry> entries;
    for (const std::string& slice : slices) {
      whole.slices.push_back(TensorSlice::parse(slice).value());
      entries[slice_key("p", whole.slices.back())] = stored;
    }
    entries["p"] = whole;
    auto file = AtomicFile::create(folder / "m.index").take();
    EXPECT_OK(write_index(*file, BundleHeader::of(1), entries));
    EXPECT_OK(file->keep());
    testing::write(folder / "m.data-00000-of-00001", std::string(64, 'x'));
    return slice_of(*BundleReader::open(folder / "m").value(), "-").status().code();
  };
  EXPECT_EQ(of({"0,2", "1,2"}, {2}), Code::kInvalidArgument);         // 1 is covered twice, 3 never
  EXPECT_EQ(of({"0,2", "2,2", "1,1"}, {2}), Code::kInvalidArgument);  // 1 is covered twice
  EXPECT_EQ(of({"0,2", "2,9"}, {2}), Code::kDataLoss);
  EXPECT_EQ(of({"0,2", "2,2"}, {3}), Code::kDataLoss);  // stored with another shape
  EXPECT_EQ(of({"0,2:-", "2,2"}, {2}), Code::kDataLoss);
}

TINYTF_TEST(a_reader_goes_on_after_an_error) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  for (const char* name : {"a", "b"}) EXPECT_OK(writer->add(name, tensor_of<float>({3}, {1, 2, 3}), serial));
  EXPECT_OK(writer->finish());
  std::string data = testing::content(folder / "m.data-00000-of-00001");
  data[0] = 'x';
  testing::write(folder / "m.data-00000-of-00001", data);
  auto reader = BundleReader::open(folder / "m").take();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(reader->read("a", Allocator::process(), serial).status().code(), Code::kDataLoss);
    EXPECT_EQ(reader->read("b", Allocator::process(), serial).value().data<float>()[2], 3.0f);
  }
}

TINYTF_TEST(every_damaged_byte_of_a_checkpoint_is_found) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add("a", tensor_of<float>({3}, {1, 2, 3}), serial));
  EXPECT_OK(save_slice(*writer, "3 0,1", tensor_of<float>({1}, {4})));
  EXPECT_OK(save_slice(*writer, "3 1,2", tensor_of<float>({2}, {5, 6})));
  EXPECT_OK(writer->add("s", strings_of({2}, {"one", "two"}), serial));
  EXPECT_OK(writer->finish());
  const auto status = [&] {
    auto reader = BundleReader::open(folder / "m");
    for (const char* name : {"a", "p", "s"}) {
      if (reader.ok()) TINYTF_RETURN_IF_ERROR(reader.value()->read(name, Allocator::process(), serial).status());
    }
    return reader.status();
  };
  EXPECT_OK(status());
  for (const std::string file : {"m.index", "m.data-00000-of-00001"}) {
    const std::string whole = testing::content(folder / file);
    for (size_t at = 0; at < whole.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        testing::write(folder / file, bytes);
        if (status().ok()) testing::fail(__FILE__, __LINE__, str_cat(file, " byte ", at, " bit ", bit));
      }
    }
    for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
      testing::write(folder / file, whole.substr(0, bytes));
      EXPECT(!status().ok());
    }
    testing::write(folder / file, whole);
  }
  EXPECT_OK(status());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
