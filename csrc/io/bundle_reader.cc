#include "io/bundle_reader.h"

#include <utility>

#include "io/slice_key.h"

namespace tinytf {

Result<std::unique_ptr<BundleReader>> BundleReader::open(const std::string& prefix, const VariantCodec* codec) {
  TINYTF_ASSIGN_OR_RETURN(BundleIndex index, BundleIndex::open(prefix));
  return std::unique_ptr<BundleReader>(new BundleReader(std::move(index), codec));
}

Result<StoredSlice> BundleReader::part_of(const std::string& key, BundleEntry entry, TensorBox box) {
  if (entry.dtype == DType::kVariant && (codec_ == nullptr || swaps_)) {
    return unimplemented("Tensor ", key,
                         " of type variant cannot be restored: no decoder is given, or the byte order differs");
  }
  std::unique_ptr<RandomAccessFile>& file = data_files_[entry.data_file];
  if (!file) {
    const std::string name = data_file_name(index_.prefix(), entry.data_file, index_.header().data_files);
    TINYTF_ASSIGN_OR_RETURN(file, RandomAccessFile::open(name));
  }
  return stored_slice(key, std::move(entry), *file, std::move(box));
}

Result<StoredTensor> BundleReader::locate(const std::string& key, const BundleEntry& entry) {
  return locate(key, entry, TensorSlice::whole(entry.shape.rank()));
}

Result<StoredTensor> BundleReader::locate(const std::string& key, const BundleEntry& entry, const TensorSlice& slice) {
  StoredTensor stored;
  stored.dtype = entry.dtype;
  TINYTF_ASSIGN_OR_RETURN(stored.shape, slice.apply(entry.shape));
  stored.box = TensorBox::of(slice, entry.shape);
  if (!entry.slices.empty()) {
    TINYTF_ASSIGN_OR_RETURN(stored.parts, locate_parts(key, entry, stored.box, slice));
    return stored;
  }
  TensorBox all = TensorBox::of(TensorSlice::whole(entry.shape.rank()), entry.shape);
  TINYTF_ASSIGN_OR_RETURN(StoredSlice part, part_of(key, entry, std::move(all)));
  stored.parts.push_back(std::move(part));
  return stored;
}

Result<std::vector<StoredSlice>> BundleReader::locate_parts(const std::string& key, const BundleEntry& entry,
                                                            const TensorBox& wanted, const TensorSlice& slice) {
  std::vector<TensorBox> boxes;
  for (const TensorSlice& part : entry.slices) {
    if (!part.apply(entry.shape).ok()) {
      return Status(Code::kDataLoss, str_cat("The slice ", part.to_string(), " of ", key,
                                             " does not fit in a tensor of shape ", entry.shape.to_string()));
    }
    boxes.push_back(TensorBox::of(part, entry.shape));
  }
  const auto numbers = parts_that_fill(wanted, boxes);
  if (!numbers) {
    return invalid_argument("Does not have sufficient slices for partitioned tensor ", key,
                            " to restore in slice_spec: ", slice.to_string());
  }
  std::vector<StoredSlice> parts;
  for (const size_t i : *numbers) {
    const std::string part_key = slice_key(key, entry.slices[i]);
    TINYTF_ASSIGN_OR_RETURN(BundleEntry part, index_.find(part_key));
    if (part.dtype != entry.dtype || part.shape != Shape(boxes[i].length) || !part.slices.empty()) {
      return Status(Code::kDataLoss,
                    str_cat("The slice ", entry.slices[i].to_string(), " of ", key,
                            " is stored with another type or shape: ", dtype_name(part.dtype), part.shape.to_string()));
    }
    TINYTF_ASSIGN_OR_RETURN(StoredSlice found, part_of(part_key, std::move(part), boxes[i]));
    parts.push_back(std::move(found));
  }
  return parts;
}

void BundleReader::add_part(const StoredSlice& part, const TensorBox& wanted, Tensor& to) {
  SharedRuns::Run run;
  const int64_t elements = part.box.num_elements();
  const bool any = SharedRuns(part.box, wanted).next(run);
  if (!part.is_numbers() || (any && run.count != elements) || (!any && elements > 0)) {
    scattered_.push_back({part, wanted, &to});
    return;
  }
  char* memory = static_cast<char*>(to.raw()) + static_cast<size_t>(run.to) * dtype_size(part.entry.dtype);
  const auto bytes = static_cast<uint64_t>(part.entry.size);
  const size_t stretch = reads_.add(*part.file, static_cast<uint64_t>(part.entry.offset), memory, bytes);
  direct_.push_back({part, stretch, memory});
}

void BundleReader::add(const StoredTensor& stored, Tensor& to) {
  for (const StoredSlice& part : stored.parts) add_part(part, stored.box, to);
}

Status BundleReader::run(Parallel& parallel) {
  // Clears the queue even if reading fails, since the tensors may no longer exist afterwards.
  PiecewiseRead reads = std::exchange(reads_, {});
  const std::vector<Direct> direct = std::exchange(direct_, {});
  const std::vector<Scattered> scattered = std::exchange(scattered_, {});
  TINYTF_RETURN_IF_ERROR(reads.run(parallel));
  for (const Direct& read : direct) {
    TINYTF_RETURN_IF_ERROR(read.part.check(reads.crc(read.stretch)));
    if (swaps_) swap_bytes(read.to, static_cast<size_t>(read.part.entry.size), read.part.entry.dtype);
  }
  Status status;
  constexpr double kPartCost = 1e6;  // Nanoseconds.
  parallel.run_in_order(static_cast<int64_t>(scattered.size()), kPartCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && status.ok(); ++i) {
      const Scattered& read = scattered[static_cast<size_t>(i)];
      status = read.part.is_numbers() ? read_scattered(read.part, read.wanted, swaps_, *read.to)
                                      : read_objects(read.part, read.wanted, codec_, *read.to);
    }
  });
  return status;
}

Result<Tensor> BundleReader::read(const std::string& key, Allocator& allocator, Parallel& parallel) {
  TINYTF_ASSIGN_OR_RETURN(const BundleEntry entry, index_.find(key));
  TINYTF_ASSIGN_OR_RETURN(const StoredTensor stored, locate(key, entry));
  TINYTF_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(allocator, stored.dtype, stored.shape));
  add(stored, tensor);
  TINYTF_RETURN_IF_ERROR(run(parallel));
  return tensor;
}

}  // namespace tinytf
