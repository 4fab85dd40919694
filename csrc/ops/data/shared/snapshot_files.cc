#include "ops/data/shared/snapshot_files.h"

#include <algorithm>
#include <utility>

#include "io/atomic_file.h"
#include "io/fixed_int.h"
#include "io/tensor_content.h"
#include "ops/io/shared/variant_codec.h"

namespace tinytf::ops {

namespace {

// Fields of SnapshotMetadataRecord and SnapshotRecord.
constexpr uint32_t kGraphHash = 1, kRunId = 2, kCreated = 3, kFinalized = 1000;
constexpr uint32_t kTensor = 1;

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMostRecordBytes = (uint64_t{1} << 31) - 1;  // As of every message.
constexpr uint64_t kMostMetadataBytes = 1 << 20;
constexpr std::string_view kSuffix = ".snapshot";

std::string metadata_file(const std::string& folder) { return folder + "/snapshot.metadata"; }

Status damaged_metadata(const std::string& name) {
  return Status(Code::kDataLoss,
                str_cat("The snapshot's file ", name, " is damaged. Delete its folder to write a new snapshot."));
}

}  // namespace

Result<SnapshotMetadata> read_snapshot_metadata(const std::string& folder) {
  const std::string name = metadata_file(folder);
  TINYTF_RETURN_IF_ERROR(file_exists(name));
  TINYTF_ASSIGN_OR_RETURN(const uint64_t size, file_size(name));
  if (size < kLengthBytes || size > kMostMetadataBytes) return damaged_metadata(name);
  TINYTF_ASSIGN_OR_RETURN(const std::string bytes, read_file(name));
  if (bytes.size() < kLengthBytes) return damaged_metadata(name);
  const auto length = read_fixed<uint64_t>(bytes.data());
  if (length > bytes.size() - kLengthBytes) return damaged_metadata(name);
  SnapshotMetadata metadata;
  WireReader fields(std::string_view(bytes).substr(kLengthBytes, length));
  while (fields.next()) {
    if (fields.is(kGraphHash, WireType::kBytes)) metadata.graph_hash = fields.text();
    if (fields.is(kRunId, WireType::kBytes)) metadata.run_id = fields.text();
    if (fields.is(kCreated, WireType::kVarint)) metadata.created_micros = fields.int64();
    if (fields.is(kFinalized, WireType::kVarint)) metadata.is_finalized = fields.number() != 0;
  }
  // The run id becomes a part of paths.
  if (!fields.ok() || !is_run_id(metadata.run_id)) return damaged_metadata(name);
  return metadata;
}

Status write_snapshot_metadata(const std::string& folder, const SnapshotMetadata& metadata) {
  std::string message;
  WireWriter to(&message);
  to.bytes(kGraphHash, metadata.graph_hash);
  to.bytes(kRunId, metadata.run_id);
  to.int64(kCreated, metadata.created_micros);
  if (metadata.is_finalized) to.varint(kFinalized, 1);
  std::string bytes;
  append_fixed(bytes, uint64_t{message.size()});
  bytes += message;
  TINYTF_RETURN_IF_ERROR(make_folders(folder));
  TINYTF_ASSIGN_OR_RETURN(const auto file, AtomicFile::create(metadata_file(folder)));
  TINYTF_RETURN_IF_ERROR(file->file().append(bytes));
  return file->keep();
}

bool is_run_id(const std::string& text) {
  return !text.empty() && text != "." && text != ".." && text.find_first_of(std::string_view("/\0", 2)) == text.npos;
}

SnapshotMode snapshot_mode(const SnapshotMetadata* metadata, int64_t now_micros, int64_t expiry_seconds) {
  if (metadata == nullptr) return SnapshotMode::kWrite;
  if (metadata->is_finalized) return SnapshotMode::kRead;
  if (metadata->created_micros >= now_micros) return SnapshotMode::kPass;
  const uint64_t age = static_cast<uint64_t>(now_micros) - static_cast<uint64_t>(metadata->created_micros);
  return age / 1'000'000 < static_cast<uint64_t>(expiry_seconds) ? SnapshotMode::kPass : SnapshotMode::kWrite;
}

Result<std::vector<std::string>> snapshot_files(const std::string& folder) {
  TINYTF_ASSIGN_OR_RETURN(const std::vector<std::string> names, names_in(folder));
  std::vector<std::string> files;
  for (const std::string_view name : names) {
    if (name.size() < kSuffix.size() || name.substr(name.size() - kSuffix.size()) != kSuffix) continue;
    files.push_back(str_cat(folder, "/", name));
  }
  if (files.empty()) return invalid_argument("Could not find any files in dir: ", folder);
  std::sort(files.begin(), files.end());
  return files;
}

std::string snapshot_id(uint64_t number) {
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); number != 0; ++digit, number >>= 4) *digit = "0123456789abcdef"[number & 0xf];
  return digits;
}

std::string snapshot_file_name(int64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 8 - std::min<size_t>(digits.size(), 8), '0');
  return str_cat(digits, kSuffix);
}

Status write_snapshot_record(const Element& element, ByteSink& sink) {
  std::string record(kLengthBytes, '\0');  // The length comes last.
  WireWriter to(&record);
  for (const Tensor& component : element) {
    Status status;
    to.nested(kTensor, [&] { status = write_tensor_content(to, component, variant_codec()); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  const uint64_t length = record.size() - kLengthBytes;
  if (length > kMostRecordBytes) return invalid_argument("An element is too large for a snapshot: ", length, " bytes");
  std::string header;
  append_fixed(header, length);
  record.replace(0, kLengthBytes, header);
  return sink.append(record);
}

Result<SnapshotFile> SnapshotFile::open(const std::string& name, std::optional<DeflateFormat> compression) {
  TINYTF_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::open(name, compression));
  return SnapshotFile(name, std::move(bytes));
}

Result<bool> SnapshotFile::length(const IteratorContext& ctx, uint64_t& length) {
  TINYTF_ASSIGN_OR_RETURN(const bool has_length, bytes_.has(ctx, kLengthBytes));
  if (!has_length && !bytes_.ready().empty()) return damaged("ends within a record");
  if (!has_length && bytes_.is_cut()) return damaged("ends within its compressed data");
  if (!has_length) return false;
  length = read_fixed<uint64_t>(bytes_.ready().data());
  if (length > kMostRecordBytes) return damaged("has a record that is too long");
  return true;
}

Result<bool> SnapshotFile::skip(const IteratorContext& ctx) {
  uint64_t length = 0;
  TINYTF_ASSIGN_OR_RETURN(const bool has_more, this->length(ctx, length));
  if (!has_more) return false;
  TINYTF_ASSIGN_OR_RETURN(const bool has_all, bytes_.skip(ctx, kLengthBytes + length));
  if (!has_all) return damaged("ends within a record");
  return true;
}

Result<bool> SnapshotFile::read(const IteratorContext& ctx, Element& element) {
  uint64_t length = 0;
  TINYTF_ASSIGN_OR_RETURN(const bool has_more, this->length(ctx, length));
  if (!has_more) return false;
  TINYTF_ASSIGN_OR_RETURN(const bool has_all, bytes_.has(ctx, kLengthBytes + length));
  if (!has_all) return damaged("ends within a record");
  element.clear();
  WireReader fields(bytes_.ready().substr(kLengthBytes, length));
  while (fields.next()) {
    if (!fields.is(kTensor, WireType::kBytes)) continue;
    Result<Tensor> component = read_tensor_content(fields.bytes(), variant_codec());
    if (component.status().code() == Code::kResourceExhausted) return component.status();
    if (!component.ok()) return damaged(str_cat("has a record that is no element: ", component.status().message()));
    element.push_back(component.take());
  }
  if (!fields.ok()) return damaged("has a record that is no message");
  bytes_.drop(kLengthBytes + length);
  return true;
}

Status SnapshotFile::damaged(std::string_view problem) const {
  return Status(Code::kDataLoss, str_cat("The snapshot's file ", name_, " ", problem));
}

}  // namespace tinytf::ops
