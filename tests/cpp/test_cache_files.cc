#include "ops/data/shared/cache_files.h"

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::CacheReader;
using ops::CacheWriter;
using ops::has_cache;

Element pair(int64_t number) { return {Tensor::scalar(number), Tensor::scalar(std::to_string(number))}; }

/// A folder for a cache, and a step.
struct Cache {
  std::string prefix() const { return folder / "cache"; }
  Status write(CacheWriter& writer, int64_t begin, int64_t end) const {
    TINYTF_RETURN_IF_ERROR(writer.begin());
    for (int64_t i = begin; i < end; ++i) TINYTF_RETURN_IF_ERROR(writer.add(step.services, pair(i)));
    return Status();
  }
  /// The numbers in the cache from `next` on.
  std::vector<int64_t> read(int64_t next = 0) const {
    CacheReader reader(prefix(), 2, next);
    std::vector<int64_t> numbers;
    Element element;
    while (reader.read(step.services, element).take()) {
      EXPECT_EQ(*element[1].data<std::string>(), std::to_string(element[0].int_at(0)));
      numbers.push_back(element[0].int_at(0));
    }
    EXPECT_EQ(reader.next(), next + static_cast<int64_t>(numbers.size()));
    return numbers;
  }

  testing::TemporaryFolder folder;
  testing::DataStep step;
};

using Numbers = std::vector<int64_t>;

TINYTF_TEST(a_cache_in_files) {
  const Cache cache;
  CacheWriter writer(cache.prefix(), 2);
  EXPECT_OK(cache.write(writer, 0, 12));
  EXPECT(!has_cache(cache.prefix()));
  EXPECT_OK(writer.finish());
  EXPECT(writer.has_finished() && has_cache(cache.prefix()));
  EXPECT(cache.read() == (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT(cache.read(10) == (Numbers{10, 11}));
  EXPECT(cache.folder.names() == (std::vector<std::string>{"cache.data-00000-of-00001", "cache.index"}));
}

TINYTF_TEST(a_cache_of_several_parts) {
  const Cache cache;
  IteratorState state;
  {
    CacheWriter first(cache.prefix(), 2);
    EXPECT_OK(cache.write(first, 0, 2));
    EXPECT_OK(first.finish_part());
    StateWriter writer(state);
    first.save(writer);
  }
  CacheWriter second(cache.prefix(), 2);
  EXPECT_OK(second.restore(StateReader(state)));
  EXPECT_EQ(second.size(), 2);
  EXPECT_OK(cache.write(second, 2, 5));
  EXPECT_OK(second.finish());
  EXPECT(cache.read() == (Numbers{0, 1, 2, 3, 4}));
  for (const char* key : {"part", "size", "has_finished"}) {
    IteratorState damaged = state;
    damaged[key] = Tensor::scalar(int64_t{-1});
    EXPECT_EQ(CacheWriter(cache.prefix(), 2).restore(StateReader(damaged)).code(), Code::kDataLoss);
  }
}

TINYTF_TEST(an_empty_cache) {
  const Cache cache;
  CacheWriter writer(cache.prefix(), 2);
  EXPECT_OK(cache.write(writer, 0, 0));
  EXPECT_OK(writer.finish());
  EXPECT(has_cache(cache.prefix()));
  EXPECT(cache.read().empty());
}

TINYTF_TEST(an_incomplete_cache_leaves_no_files) {
  const Cache cache;
  {
    CacheWriter writer(cache.prefix(), 2);
    EXPECT_OK(cache.write(writer, 0, 2));
    CacheWriter other(cache.prefix(), 2);
    EXPECT_EQ(other.begin().code(), Code::kAlreadyExists);
  }
  EXPECT(cache.folder.names().empty());
}

TINYTF_TEST(caches_of_other_elements) {
  const Cache cache;
  CacheWriter writer(cache.prefix(), 2);
  EXPECT_OK(writer.begin());
  EXPECT_EQ(writer.add(cache.step.services, {Tensor::scalar(1.f)}).code(), Code::kInternal);
  EXPECT_OK(cache.write(writer, 0, 1));
  EXPECT_OK(writer.finish());
  for (const int64_t components : {1, 3}) {
    CacheReader reader(cache.prefix(), components);
    Element element;
    EXPECT(!reader.read(cache.step.services, element).ok());
  }
  CacheReader missing(cache.folder / "other", 2);
  Element element;
  EXPECT(!missing.read(cache.step.services, element).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
