#include "io/bundle_entry.h"

#include <cstdio>

#include "base/dtype.h"
#include "io/slice_proto.h"
#include "io/tensor_proto.h"
#include "io/wire.h"

namespace tinytf {

namespace {

// Fields of BundleHeaderProto and VersionDef.
constexpr uint32_t kDataFiles = 1, kEndianness = 2, kVersion = 3;
constexpr uint32_t kProducer = 1, kMinConsumer = 2, kBadConsumers = 3;
constexpr int64_t kOurVersion = 1;

// Fields of BundleEntryProto.
constexpr uint32_t kDtype = 1, kShape = 2, kDataFile = 3, kOffset = 4, kSize = 5, kCrc = 6, kSlices = 7;

}  // namespace

Status check_checkpoint_version(std::string_view version) {
  int64_t min_consumer = 0;
  bool is_bad = false;
  WireReader fields(version);
  while (fields.next()) {
    if (fields.is(kMinConsumer, WireType::kVarint)) min_consumer = fields.int32();
    fields.numbers(kBadConsumers, WireType::kVarint,
                   [&](uint64_t number) { is_bad |= static_cast<int32_t>(number) == kOurVersion; });
  }
  if (!fields.ok()) return Status(Code::kDataLoss, "unable to parse the version");
  if (min_consumer > kOurVersion) {
    return invalid_argument("Checkpoint min consumer version ", min_consumer, " above current version ", kOurVersion,
                            " for TensorFlow 1.15.5.  Please upgrade TensorFlow.");
  }
  if (is_bad) {
    return invalid_argument("Checkpoint disallows consumer version ", kOurVersion,
                            ".  Please upgrade TensorFlow: this version is likely buggy.");
  }
  return Status();
}

BundleHeader BundleHeader::of(int32_t data_files) {
  BundleHeader header;
  header.data_files = data_files;
  WireWriter(&header.version).int64(kProducer, kOurVersion);
  return header;
}

std::string BundleHeader::bytes() const {
  std::string out;
  WireWriter to(&out);
  if (data_files != 0) to.int64(kDataFiles, data_files);
  if (big_endian) to.int64(kEndianness, 1);
  if (!version.empty()) to.bytes(kVersion, version);
  return out;
}

Result<BundleHeader> BundleHeader::parse(std::string_view bytes) {
  BundleHeader header;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kDataFiles, WireType::kVarint)) header.data_files = fields.int32();
    if (fields.is(kEndianness, WireType::kVarint)) header.big_endian = fields.number() == 1;
    if (fields.is(kVersion, WireType::kBytes)) header.version += fields.bytes();
  }
  if (!fields.ok()) return Status(Code::kDataLoss, "unable to parse header entry");
  TINYTF_RETURN_IF_ERROR(check_checkpoint_version(header.version));
  return header;
}

std::string BundleEntry::bytes() const {
  std::string out;
  WireWriter to(&out);
  to.int64(kDtype, static_cast<int64_t>(dtype));
  to.nested(kShape, [&] { write_shape(to, shape); });
  if (data_file != 0) to.int64(kDataFile, data_file);
  if (offset != 0) to.int64(kOffset, offset);
  if (size != 0) to.int64(kSize, size);
  if (masked_crc != 0) to.fixed32(kCrc, masked_crc);
  for (const TensorSlice& slice : slices) {
    to.nested(kSlices, [&] { write_slice(to, slice); });
  }
  return out;
}

Result<BundleEntry> BundleEntry::parse(std::string_view bytes, const std::string& key) {
  BundleEntry entry;
  MergedBytes shape;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kDtype, WireType::kVarint)) {
      const int32_t number = fields.int32();
      entry.dtype = number > 0 && number < kStoredDTypeCount ? static_cast<DType>(number) : DType::kInvalid;
    }
    if (fields.is(kShape, WireType::kBytes)) shape.add(fields.bytes());
    if (fields.is(kDataFile, WireType::kVarint)) entry.data_file = fields.int32();
    if (fields.is(kOffset, WireType::kVarint)) entry.offset = fields.int64();
    if (fields.is(kSize, WireType::kVarint)) entry.size = fields.int64();
    if (fields.is(kCrc, WireType::kFixed32)) entry.masked_crc = static_cast<uint32_t>(fields.number());
    if (fields.is(kSlices, WireType::kBytes)) {
      auto slice = read_slice(fields.bytes());
      if (!slice.ok()) return Status(Code::kDataLoss, str_cat("Invalid slice: ", key, " ", slice.status().message()));
      entry.slices.push_back(slice.take());
    }
  }
  if (!fields.ok()) return Status(Code::kDataLoss, str_cat("Entry for key ", key, " not parseable."));
  auto known = read_known_shape(shape.view());
  if (!known.ok())
    return Status(Code::kDataLoss, str_cat("Invalid tensor shape: ", key, " ", known.status().message()));
  entry.shape = known.take();
  return entry;
}

std::string index_file_name(const std::string& prefix) { return prefix + ".index"; }

std::string data_file_name(const std::string& prefix, int32_t i, int32_t of) {
  char numbers[48];
  std::snprintf(numbers, sizeof numbers, ".data-%05d-of-%05d", i, of);
  return prefix + numbers;
}

}  // namespace tinytf
