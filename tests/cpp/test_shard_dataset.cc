#include "ops/data/shared/shard_dataset.h"

#include "data/blocking_iterator.h"
#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::ShardDataset;

RefPtr<const ShardDataset> shard_of(RefPtr<const Dataset> input, int64_t shards, int64_t index, bool needs_all) {
  return make_ref<ShardDataset>(testing::scripted_parts(), std::move(input), shards, index, needs_all);
}

/// The numbers of the iterator up to its end; -1 for the error that too few elements are.
std::vector<int64_t> numbers_of(BlockingIterator& iterator) {
  std::vector<int64_t> numbers;
  Element element;
  for (;;) {
    const Result<bool> has_next = iterator.next(element);
    if (has_next.ok() && !has_next.value()) return numbers;
    if (!has_next.ok()) EXPECT_EQ(has_next.status().code(), Code::kInvalidArgument);
    numbers.push_back(has_next.ok() ? testing::number_of(element) : -1);
  }
}

std::vector<int64_t> numbers_of(testing::Script& script, int64_t shards, int64_t index, bool needs_all) {
  const testing::DataStep step;
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*shard_of(testing::scripted(script), shards, index, needs_all)));
  return numbers_of(iterator);
}

using Numbers = std::vector<int64_t>;

TINYTF_TEST(a_shard_has_every_nth_element) {
  testing::Script script(7);
  EXPECT(numbers_of(script, 1, 0, true) == Numbers({0, 1, 2, 3, 4, 5, 6}));
  for (const bool needs_all : {false, true}) {
    EXPECT(numbers_of(script, 3, 0, needs_all) == Numbers({0, 3, 6}));
    EXPECT(numbers_of(script, 3, 2, needs_all) == Numbers({2, 5}));
    EXPECT(numbers_of(script, 7, 6, needs_all) == Numbers({6}));
  }
}

TINYTF_TEST(shards_without_elements) {
  testing::Script script(2);
  EXPECT(numbers_of(script, 3, 0, false) == Numbers({0}));
  EXPECT(numbers_of(script, 3, 2, false).empty());
  EXPECT(numbers_of(script, 3, 0, true) == Numbers({-1}));
  EXPECT(numbers_of(script, 3, 1, true) == Numbers({-1}));
  EXPECT(numbers_of(script, 3, 2, true).empty());  // As in TensorFlow, where the first element is checked.
}

TINYTF_TEST(shards_wait_for_pending_inputs) {
  testing::Script script(6);
  script.hold(1);
  script.hold(2);
  const testing::DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  struct Count final : Waker {
    void wake() override { ++count; }
    int count = 0;
  };
  const auto waker = make_ref<Count>();
  PullContext ctx{{step.services, *tasks}, *waker};
  const auto iterator = shard_of(testing::scripted(script), 3, 0, true)->make_iterator(ctx).take();
  Element element;
  EXPECT(iterator->pull(ctx, element).value() == Pulled::kPending);  // Element 0 waits for those of the other shards.
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(iterator->save(ctx, writer));
  script.release();
  EXPECT_EQ(waker->count, 1);
  for (const int64_t expected : {0, 3}) {
    EXPECT(iterator->pull(ctx, element).value() == Pulled::kElement);
    EXPECT_EQ(testing::number_of(element), expected);
  }
  EXPECT(iterator->pull(ctx, element).value() == Pulled::kEnd);
  const auto again = shard_of(testing::scripted(script), 3, 0, true)->make_iterator(ctx).take();
  StateReader reader(state);
  EXPECT_OK(again->restore(ctx, reader));
  EXPECT(again->pull(ctx, element).value() == Pulled::kElement);
  EXPECT_EQ(testing::number_of(element), 0);
  state["has_result"] = Tensor::scalar(int64_t{2});
  EXPECT_EQ(again->restore(ctx, reader).code(), Code::kDataLoss);
}

TINYTF_TEST(numbers_of_elements_of_shards) {
  const auto one = [](int64_t n) { return Tensor::scalar(n); };
  const auto sizes = [&](int64_t n, int64_t shards) {
    const Tensor range = testing::dataset_of_op("RangeDataset", {one(0), one(n), one(1)});
    Numbers found;
    for (int64_t i = 0; i < shards; ++i) {
      found.push_back(
          shard_of(RefPtr<const Dataset>::share(dataset_of(range).take()), shards, i, false)->cardinality());
    }
    return found;
  };
  EXPECT(sizes(7, 3) == Numbers({3, 2, 2}));
  EXPECT(sizes(2, 3) == Numbers({1, 1, 0}));
  EXPECT(sizes(0, 2) == Numbers({0, 0}));
  testing::Script script(7);
  EXPECT_EQ(shard_of(testing::scripted(script), 2, 0, false)->cardinality(), kUnknownCardinality);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
