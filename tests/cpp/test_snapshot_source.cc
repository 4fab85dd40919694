#include "ops/data/shared/snapshot_source.h"

#include "io/file_system.h"
#include "tests/cpp/snapshot_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using namespace ops;
using testing::numbers_below;
using testing::Script;
using testing::SnapshotFolder;

class NoWaker final : public Waker {
 public:
  void wake() override {}
};

/// The numbers below 5, as the script says, and a snapshot of them.
struct Scripted {
  explicit Scripted(bool writes = true)
      : source(dataset->make_iterator(pull).take(), writes ? snapshots.writer() : nullptr) {}
  bool is_final() const { return read_snapshot_metadata(snapshots.graph()).take().is_finalized; }
  /// The next number; -1 at the end, -2 if it is pending, -3 for an error.
  int64_t next() {
    const Result<Pulled> pulled = source.take(pull, element);
    if (!pulled.ok()) return -3;
    return pulled.value() == Pulled::kElement ? element[0].int_at(0) : pulled.value() == Pulled::kEnd ? -1 : -2;
  }
  std::vector<int64_t> all(size_t count) {
    std::vector<int64_t> numbers;
    while (numbers.size() < count) numbers.push_back(next());
    return numbers;
  }

  Script script{5};
  const RefPtr<const Dataset> dataset = make_ref<testing::ScriptedDataset>(script);
  SnapshotFolder snapshots;
  RefPtr<NoWaker> waker = make_ref<NoWaker>();
  PullContext pull{{snapshots.step.services, *snapshots.tasks}, *waker};
  Element element;
  SnapshotSource source;
};

using Numbers = std::vector<int64_t>;

TINYTF_TEST(snapshots_are_final_with_the_last_element) {
  Scripted scripted;
  EXPECT(scripted.all(4) == numbers_below(4));
  EXPECT(!scripted.is_final());
  EXPECT(scripted.all(1) == (Numbers{4}));
  EXPECT(scripted.is_final());
  EXPECT(scripted.all(2) == (Numbers{-1, -1}));
  EXPECT(scripted.snapshots.read() == numbers_below(5));
}

TINYTF_TEST(snapshots_of_pending_inputs) {
  Scripted scripted;
  scripted.script.hold(1);
  EXPECT(scripted.all(2) == (Numbers{-2, -2}));
  scripted.script.release();
  EXPECT(scripted.all(6) == (Numbers{0, 1, 2, 3, 4, -1}));
  EXPECT(scripted.snapshots.read() == numbers_below(5));
}

TINYTF_TEST(snapshots_of_failing_inputs) {
  Scripted scripted;
  scripted.script.errors[2] = invalid_argument("chosen to fail");
  EXPECT(scripted.all(6) == (Numbers{0, 1, -3, 3, 4, -1}));
  EXPECT(!scripted.is_final());
}

TINYTF_TEST(snapshots_of_inputs_that_throw) {
  Scripted scripted;
  scripted.script.throws.insert(2);
  EXPECT_EQ(scripted.next(), 0);
  bool has_thrown = false;
  try {
    (void)scripted.next();
  } catch (const std::runtime_error&) {
    has_thrown = true;
  }
  EXPECT(has_thrown && !scripted.source.is_writing());
  EXPECT(scripted.all(4) == (Numbers{1, 3, 4, -1}));
  EXPECT(!scripted.is_final());
}

TINYTF_TEST(snapshots_that_fail_to_be_written_pass_elements_on) {
  Scripted scripted;
  EXPECT_EQ(scripted.next(), 0);
  EXPECT_OK(delete_file(scripted.snapshots.graph() + "/snapshot.metadata"));
  EXPECT(scripted.all(6) == (Numbers{1, 2, 3, -3, 4, -1}));
}

TINYTF_TEST(snapshots_without_a_writer) {
  Scripted scripted(/*writes=*/false);
  EXPECT(scripted.all(6) == (Numbers{0, 1, 2, 3, 4, -1}));
  EXPECT_EQ(scripted.source.held(), 0);
  EXPECT(scripted.snapshots.folder.names().empty());
}

TINYTF_TEST(snapshots_that_are_being_written_have_positions) {
  for (size_t begin = 0; begin <= 6; ++begin) {
    Scripted scripted;
    (void)scripted.all(begin);
    IteratorState state;
    StateWriter writer(state);
    EXPECT_OK(scripted.source.save(scripted.pull, writer));
    Scripted other(/*writes=*/false);
    StateReader reader(state);
    EXPECT_OK(other.source.restore(other.pull, reader, *testing::spec_of_int()));
    Numbers rest = numbers_below(5);
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(begin, 5)));
    rest.push_back(-1);
    EXPECT(other.all(rest.size()) == rest);
  }
}

TINYTF_TEST(positions_of_snapshots_that_are_damaged) {
  Scripted scripted;
  EXPECT_EQ(scripted.next(), 0);
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(scripted.source.save(scripted.pull, writer));
  for (const auto& [key, value] : state) {
    IteratorState damaged = state;
    damaged[key] = Tensor::scalar(int64_t{-7});
    Scripted other(/*writes=*/false);
    StateReader reader(damaged);
    const Status restored = other.source.restore(other.pull, reader, *testing::spec_of_int());
    EXPECT(key == "element_0/0" ? restored.ok() : restored.code() == Code::kDataLoss);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
