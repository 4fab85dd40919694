#include "ops/data/shared/files_dataset.h"

#include <map>

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::FileList;

/// Yields the characters of texts by name. A `!` is an error; a `?` one behind which the next file follows.
class Letters final : public ops::FilesIterator {
 public:
  explicit Letters(const FileList& files) : FilesIterator(files) {}

  std::map<std::string, std::string> texts = {{"ab", "ab"}, {"none", ""}, {"c", "c"}, {"bad", "x!y?z"}};
  int opened = 0;

 private:
  Status open(const IteratorContext&, const std::string& name) override {
    ++opened;
    if (texts.count(name) == 0) return not_found(name);
    at_ = 0;
    return Status();
  }
  Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) override {
    TINYTF_RETURN_IF_ERROR(open(ctx, name));
    if (offset > texts[name].size()) return Status(Code::kDataLoss, "behind the end");
    at_ = static_cast<size_t>(offset);
    return Status();
  }
  Result<Pulled> read(PullContext& ctx, Element& element) override {
    const std::string& text = texts[file_name()];
    if (at_ == text.size()) return Pulled::kEnd;
    const char letter = text[at_++];
    if (letter == '?') leave_file();
    if (letter == '!' || letter == '?') return invalid_argument(letter);
    TINYTF_RETURN_IF_ERROR(ops::set_text(ctx, element, std::string(1, letter)));
    return Pulled::kElement;
  }
  void close() override {}
  uint64_t offset() const override { return at_; }

  size_t at_ = 0;
};

struct NoWaker final : Waker {
  void wake() override { EXPECT(false); }
};

/// An iterator over files, and a step that pulls it.
struct Files {
  explicit Files(std::vector<std::string> names) : files{std::move(names), std::nullopt} {}

  /// The next letters up to the end, or to a number of them; errors are their messages in parentheses.
  std::string next(int most = 100) {
    std::string all;
    for (int i = 0; i < most; ++i) {
      const Result<Pulled> pulled = letters.pull(ctx, element);
      if (pulled.ok() && pulled.value() == Pulled::kEnd) return all + ".";
      all += pulled.ok() ? *element[0].data<std::string>() : str_cat("(", pulled.status().message(), ")");
    }
    return all;
  }
  Status restore(IteratorState state) {
    StateReader reader(state);
    return letters.restore(ctx, reader);
  }

  const FileList files;
  Letters letters{files};
  testing::DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const RefPtr<NoWaker> waker = make_ref<NoWaker>();
  PullContext ctx{{step.services, *tasks}, *waker};
  Element element;
};

TINYTF_TEST(files_follow_each_other) {
  Files files({"none", "ab", "none", "c"});
  EXPECT_EQ(files.next(), "abc.");
  EXPECT_EQ(files.next(), ".");
  EXPECT_EQ(files.letters.opened, 4);
  EXPECT_EQ(Files({}).next(), ".");
}

TINYTF_TEST(errors_of_files) {
  Files files({"bad", "later", "c"});
  EXPECT_EQ(files.next(5), "x(!)y(?)(later)");
  EXPECT_EQ(files.next(1), "(later)");  // It is opened again at each pull.
  files.letters.texts["later"] = "l";
  EXPECT_EQ(files.next(), "lc.");
  Files over({"ab"});
  over.step.cancellation.cancel();
  EXPECT_EQ(over.next(1), "(Iteration was cancelled)");
}

TINYTF_TEST(positions_in_files) {
  for (int taken = 0; taken <= 3; ++taken) {
    Files files({"ab", "c"}), again({"ab", "c"});
    const std::string before = files.next(taken);
    IteratorState state;
    StateWriter writer(state);
    EXPECT_OK(files.letters.save(files.ctx, writer));
    EXPECT_OK(again.restore(state));
    EXPECT_EQ(before + again.next(), "abc.");
  }
  const auto state = [](int64_t file, int64_t is_open, int64_t offset) {
    return IteratorState{
        {"file", Tensor::scalar(file)}, {"is_open", Tensor::scalar(is_open)}, {"offset", Tensor::scalar(offset)}};
  };
  Files files({"ab"});
  for (const IteratorState& damaged : {state(2, 0, 0), state(-1, 0, 0), state(1, 1, 0), state(0, 2, 0), state(0, 1, -1),
                                       state(0, 1, 3), IteratorState()}) {
    EXPECT_EQ(files.restore(damaged).code(), Code::kDataLoss);
  }
  EXPECT_OK(files.restore(state(0, 1, 1)));
  EXPECT_EQ(files.next(), "b.");
}

TINYTF_TEST(elements_of_text_reuse_their_memory) {
  Files files({});
  EXPECT_OK(ops::set_text(files.ctx, files.element, "one"));
  const auto* memory = files.element[0].data<std::string>();
  EXPECT_OK(ops::set_text(files.ctx, files.element, "two"));
  EXPECT_EQ(files.element[0].data<std::string>(), memory);
  const Tensor kept = files.element[0];
  EXPECT_OK(ops::set_text(files.ctx, files.element, "three"));
  EXPECT_EQ(*kept.data<std::string>(), "two");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
