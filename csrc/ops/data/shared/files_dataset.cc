#include "ops/data/shared/files_dataset.h"

#include "data/captured_function.h"

namespace tinytf::ops {

Result<std::vector<std::string>> file_names_input(const KernelContext& ctx, int i) {
  const Tensor& names = ctx.input(i);
  if (names.rank() > 1) return invalid_argument("`filenames` must be a scalar or a vector.");
  return std::vector<std::string>(names.data<std::string>(), names.data<std::string>() + names.num_elements());
}

Result<std::optional<DeflateFormat>> compression_input(const KernelContext& ctx, int i) {
  TINYTF_ASSIGN_OR_RETURN(const std::string name, scalar_input<std::string>(ctx, i, "compression_type"));
  if (name.empty()) return std::optional<DeflateFormat>();
  if (name == "ZLIB") return std::optional<DeflateFormat>(DeflateFormat::kZlib);
  if (name == "GZIP") return std::optional<DeflateFormat>(DeflateFormat::kGzip);
  return invalid_argument("Unsupported compression_type.");
}

Status check_buffer_size_input(const KernelContext& ctx, int i, std::string_view remark) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t size, scalar_input<int64_t>(ctx, i, "buffer_size"));
  return size < 0 ? invalid_argument("`buffer_size` must be >= 0", remark) : Status();
}

std::shared_ptr<const ElementSpec> text_spec() {
  return std::make_shared<const ElementSpec>(ElementSpec{{DType::kString}, {PartialShape::scalar()}});
}

Status set_text(const IteratorContext& ctx, Element& element, std::string_view text) {
  element.resize(1);
  Tensor& value = element[0];
  if (value.dtype() != DType::kString || value.rank() != 0 || !value.writable_in_place()) {
    TINYTF_ASSIGN_OR_RETURN(value, Tensor::allocate(ctx.allocator(), DType::kString, Shape()));
  }
  value.data<std::string>()->assign(text);
  return Status();
}

Status unexpected_end(std::string_view kind, const Status& error) { return data::stage_error(error, kind); }

Result<Pulled> FilesIterator::pull(PullContext& ctx, Element& element) {
  for (;;) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    if (is_open_) {
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, read(ctx, element));
      if (pulled != Pulled::kEnd) return pulled;
      leave_file();
    }
    if (file_ == files_.names.size()) return Pulled::kEnd;
    TINYTF_RETURN_IF_ERROR(open(ctx, files_.names[file_]));
    is_open_ = true;
  }
}

void FilesIterator::leave_file() {
  close();
  is_open_ = false;
  ++file_;
}

Status FilesIterator::save(IteratorContext&, StateWriter& state) {
  state.put_int("file", static_cast<int64_t>(file_));
  state.put_int("is_open", is_open_);
  if (is_open_) state.put_int("offset", static_cast<int64_t>(offset()));
  return Status();
}

Status FilesIterator::restore(IteratorContext& ctx, StateReader& state) {
  const auto count = static_cast<int64_t>(files_.names.size());
  TINYTF_ASSIGN_OR_RETURN(const int64_t file, state.get_int("file", 0, count));
  TINYTF_ASSIGN_OR_RETURN(const int64_t is_open, state.get_int("is_open", 0, file < count ? 1 : 0));
  close();
  is_open_ = false;
  file_ = static_cast<size_t>(file);
  if (is_open == 0) return Status();
  TINYTF_ASSIGN_OR_RETURN(const int64_t offset, state.get_int("offset", 0, INT64_MAX));
  TINYTF_RETURN_IF_ERROR(reopen(ctx, files_.names[file_], static_cast<uint64_t>(offset)));
  is_open_ = true;
  return Status();
}

}  // namespace tinytf::ops
