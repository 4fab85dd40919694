#include <algorithm>

#include "io/file_system.h"
#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/files_dataset.h"

namespace tinytf::ops {
namespace {

class MatchingFilesDataset final : public Dataset {
 public:
  MatchingFilesDataset(DatasetParts parts, std::vector<std::string> patterns)
      : Dataset(std::move(parts)), patterns_(std::move(patterns)) {}

  const std::vector<std::string>& patterns() const { return patterns_; }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;

 private:
  const std::vector<std::string> patterns_;
};

/// Lists the files of one pattern at a time.
class MatchingFilesIterator final : public IteratorOf<MatchingFilesDataset> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (names_.empty()) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      if (pattern_ == dataset().patterns().size()) {
        if (has_any_) return Pulled::kEnd;
        return not_found("Don't find any matched files");
      }
      TINYTF_RETURN_IF_ERROR(list(dataset().patterns()[pattern_]));
      ++pattern_;
    }
    TINYTF_RETURN_IF_ERROR(set_text(ctx, element, names_.back()));
    names_.pop_back();
    has_any_ = true;
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("pattern", static_cast<int64_t>(pattern_));
    state.put_int("has_any", has_any_);
    TINYTF_ASSIGN_OR_RETURN(
        Tensor names, Tensor::allocate(ctx.allocator(), DType::kString, Shape({static_cast<int64_t>(names_.size())})));
    std::copy(names_.begin(), names_.end(), names.data<std::string>());
    state.put("names", std::move(names));
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    const auto count = static_cast<int64_t>(dataset().patterns().size());
    TINYTF_ASSIGN_OR_RETURN(const int64_t pattern, state.get_int("pattern", 0, count));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_any, state.get_int("has_any", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const Tensor names, state.get("names"));
    if (names.dtype() != DType::kString || names.rank() != 1) {
      return Status(Code::kDataLoss, "The saved position of the iterator has no names of files");
    }
    pattern_ = static_cast<size_t>(pattern);
    has_any_ = has_any != 0;
    names_.assign(names.data<std::string>(), names.data<std::string>() + names.num_elements());
    return Status();
  }

 private:
  /// Lists the files that match, in descending order. Folders do not count. As in TensorFlow, backslashes in a pattern
  /// are slashes, which become backslashes in the names of its files.
  Status list(std::string pattern) {
    if (pattern.empty()) return Status();
    const bool has_backslashes = pattern.find('\\') != std::string::npos;
    std::replace(pattern.begin(), pattern.end(), '\\', '/');
    TINYTF_ASSIGN_OR_RETURN(std::vector<std::string> names, matching_files(pattern));
    names.erase(std::remove_if(names.begin(), names.end(), is_folder), names.end());
    std::sort(names.begin(), names.end(), std::greater<>());
    if (has_backslashes) {
      for (std::string& name : names) std::replace(name.begin(), name.end(), '/', '\\');
    }
    names_.swap(names);
    return Status();
  }

  size_t pattern_ = 0;              // The next pattern.
  std::vector<std::string> names_;  // Files of the pattern before; the next one is the last.
  bool has_any_ = false;
};

Result<IteratorPtr> MatchingFilesDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<MatchingFilesIterator>(*this));
}

class MatchingFilesDatasetKernel final : public DatasetKernel {
 public:
  explicit MatchingFilesDatasetKernel(KernelInit& init) : DatasetKernel(init, text_spec()) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    const Tensor& patterns = ctx.input(0);
    const auto* first = patterns.data<std::string>();
    return RefPtr<const Dataset>(make_ref<MatchingFilesDataset>(
        std::move(parts), std::vector<std::string>(first, first + patterns.num_elements())));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_matching_files) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<MatchingFilesDatasetKernel>(name);
    return ops.op(name)
        .input("patterns: string")
        .output("handle: variant")
        .stateful()
        .shape(shapes::files_dataset<>)
        .no_gradient();
  };
  declare("MatchingFilesDataset")
      .doc(
          "Makes a dataset of the names of the files that match the patterns: for each pattern in alphabetical order. "
          "If no file matches any pattern, iteration fails with NotFound.");
  declare("ExperimentalMatchingFilesDataset").doc("An earlier name of MatchingFilesDataset.");
}
