#include "ops/data/shared/seed_book.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::SeedBook;
using ops::Seeds;

Status restore(SeedBook& book, const Tensor& rows) {
  const IteratorState state{{"seeds", rows}};
  return book.restore(StateReader(state));
}

Status empty_restored(SeedBook& book) {
  const IteratorState state;
  return book.restore(StateReader(state));
}

Tensor saved(const SeedBook& book) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(book.save(writer));
  return state.at("seeds");
}

TINYTF_TEST(shuffles_at_one_place_share_their_seeds) {
  const auto tasks = make_ref<PipelineTasks>();
  const auto book = SeedBook::of(*tasks).take();
  EXPECT(SeedBook::of(*tasks).take().get() == book.get());
  const auto generator = book->generator(7, 1, {4, 5});
  EXPECT(book->generator(7, 1, {8, 9}).get() == generator.get());
  EXPECT(book->generator(7, 2, {4, 5}).get() != generator.get());
  EXPECT(book->generator(8, 1, {4, 5}).get() != generator.get());
}

TINYTF_TEST(saved_seeds_are_for_generators_now_and_later) {
  const auto book = make_ref<SeedBook>(), other = make_ref<SeedBook>(), third = make_ref<SeedBook>();
  const auto one = book->generator(7, 1, {4, 5});
  (void)one->next();
  (void)book->generator(8, 2, {6, 7})->next();
  const Tensor rows = saved(*book);
  EXPECT_EQ(rows.num_elements(), 6);
  const Seeds following = one->next();

  const auto made = other->generator(7, 1, {4, 5});
  EXPECT_OK(restore(*other, rows));
  EXPECT_EQ(made->next().seed, following.seed);
  EXPECT_EQ(other->generator(8, 2, {6, 7})->drawn(), 2);
  EXPECT_OK(restore(*third, rows));  // Nothing is made yet.
  EXPECT(testing::values<int64_t>(saved(*third)) == testing::values<int64_t>(rows));
}

TINYTF_TEST(damaged_seeds) {
  const auto book = make_ref<SeedBook>();
  for (const Tensor& rows : {Tensor::scalar(int64_t{1}), testing::tensor<int64_t>({1, 2}, {1, 2}),
                             testing::tensor<float>({1, 3}, {1, 2, 3})}) {
    EXPECT_EQ(restore(*book, rows).code(), Code::kDataLoss);
  }
  EXPECT_EQ(empty_restored(*book).code(), Code::kDataLoss);
  EXPECT_OK(restore(*book, testing::tensor<int64_t>({1, 3}, {-1, INT64_MIN, -5})));
  (void)book->generator(UINT64_MAX, 0, {1, 2})->next();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
