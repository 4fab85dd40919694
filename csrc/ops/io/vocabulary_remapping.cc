#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/vocabulary_file.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Finds for each line of one vocabulary the line of another that holds the same word.
class VocabularyRemappingKernel final : public Kernel {
 public:
  explicit VocabularyRemappingKernel(KernelInit& init)
      : offset_(init.int32_attr("new_vocab_offset")),
        count_(init.int32_attr("num_new_vocab")),
        old_size_(init.int32_attr("old_vocab_size")) {}

  Status compute(KernelContext& ctx) override {
    // Constant folding runs once for all steps, under the graph's lock, so it must not read files.
    if (ctx.step().step_id == 0) return failed_precondition("Vocabulary files can only be read while a step runs");
    TINYTF_ASSIGN_OR_RETURN(const std::string* const new_file, file_name(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::string* const old_file, file_name(ctx, 1));
    TINYTF_ASSIGN_OR_RETURN(const Numbers old_numbers, read_old(ctx, *old_file));
    std::vector<int64_t> remapping;  // grows with the file, not with the size in the attr
    const auto take = [&](std::string_view word, int64_t number) {
      TINYTF_RETURN_IF_ERROR(check_cancelled(ctx, number));
      if (number < offset_ || number - offset_ >= count_) return Status();
      const auto found = old_numbers.find(std::string(word));
      remapping.push_back(found == old_numbers.end() ? -1 : found->second);
      return Status();
    };
    TINYTF_ASSIGN_OR_RETURN(const int64_t lines, read_vocabulary(*new_file, -1, take));
    if (offset_ + count_ > lines) {
      return invalid_argument("lookup table size must be larger than last new vocab entry's line: ", *new_file, " has ",
                              lines, " lines");
    }
    return yield(ctx, remapping);
  }

 private:
  using Numbers = std::unordered_map<std::string, int64_t>;

  static Result<const std::string*> file_name(const KernelContext& ctx, int i) {
    const Tensor& input = ctx.input(i);
    if (input.rank() != 0) {
      return invalid_argument(ctx.node().op->inputs[static_cast<size_t>(i)].name,
                              " should be a single string, but got ", input.shape().to_string());
    }
    const auto* const name = input.data<std::string>();
    if (name->empty()) return invalid_argument(i == 0 ? "new" : "old", " vocab filename cannot be empty.");
    return name;
  }

  static Status check_cancelled(const KernelContext& ctx, int64_t number) {
    if (number % 4096 != 0 || !ctx.is_over()) return Status();
    return Status(Code::kCancelled, "The step ended before a vocabulary was read");
  }

  Result<Numbers> read_old(const KernelContext& ctx, const std::string& file) const {
    Numbers numbers;
    const auto take = [&](std::string_view word, int64_t number) {
      TINYTF_RETURN_IF_ERROR(check_cancelled(ctx, number));
      const auto [found, is_new] = numbers.try_emplace(std::string(word), number);
      if (is_new) return Status();
      return failed_precondition("HashTable has different value for same key. Key ", word, " has ", found->second,
                                 " and trying to add value ", number, ": the word occurs twice in ", file);
    };
    TINYTF_RETURN_IF_ERROR(read_vocabulary(file, old_size_, take).status());
    return numbers;
  }

  static Status yield(KernelContext& ctx, const std::vector<int64_t>& remapping) {
    const auto count = static_cast<int64_t>(remapping.size());
    TINYTF_ASSIGN_OR_RETURN(Tensor * numbers, ctx.allocate_output(0, Shape({count})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * present, ctx.allocate_output(1, Shape()));
    std::copy(remapping.begin(), remapping.end(), numbers->data<int64_t>());
    const auto missing = std::count(remapping.begin(), remapping.end(), -1);
    *present->data<int32_t>() = static_cast<int32_t>(count - missing);
    return Status();
  }

  const int64_t offset_, count_, old_size_;
};

Status vocabulary_remapping_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(0, PartialShape::vector(c.attr<int64_t>("num_new_vocab")));
  c.set_output(1, PartialShape::scalar());
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_vocabulary_remapping) {
  using namespace tinytf::ops;
  ops.op("GenerateVocabRemapping")
      .input("new_vocab_file: string")
      .input("old_vocab_file: string")
      .output("remapping: int64")
      .output("num_present: int32")
      .attr("new_vocab_offset: int >= 0")
      .attr("num_new_vocab: int >= 0")
      .attr("old_vocab_size: int >= -1 = -1")
      .trait(Trait::kReadsExternalState)
      .shape(vocabulary_remapping_shape)
      .not_differentiable()
      .doc(
          "Finds for `num_new_vocab` lines of the vocabulary file `new_vocab_file`, from line `new_vocab_offset` on, "
          "the lines of `old_vocab_file` with the same words, or -1 for words that are missing there. Only the first "
          "`old_vocab_size` lines of the old file count, or all if that is -1. `num_present` is the number of words "
          "found.");
  kernels.add<VocabularyRemappingKernel>("GenerateVocabRemapping");
}
