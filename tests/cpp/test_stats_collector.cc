#include "ops/data/shared/stats_collector.h"

#include <cstring>

#include "io/record_format.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using ops::StatsCollector;
using ops::SummaryFile;

/// A tag with its number, or with the count of its histogram.
using Values = std::vector<std::pair<std::string, double>>;

/// The number whose bytes a field has.
template <class Number, class Bits>
double as(Bits bits) {
  Number number = 0;
  static_assert(sizeof(number) == sizeof(bits));
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

/// The values of a serialized Summary, in their order.
Values values_of(std::string_view summary) {
  Values values;
  WireReader fields(summary);
  while (fields.next()) {
    EXPECT(fields.is(kSummaryValue, WireType::kBytes));
    WireReader value(fields.bytes());
    std::string tag;
    while (value.next()) {
      if (value.is(kTag, WireType::kBytes)) tag = value.bytes();
      if (value.is(kSimpleValue, WireType::kFixed32))
        values.emplace_back(tag, as<float>(static_cast<uint32_t>(value.number())));
      if (!value.is(kHistogram, WireType::kBytes)) continue;
      WireReader histogram(value.bytes());
      while (histogram.next()) {
        if (histogram.field() == 3) values.emplace_back(tag, as<double>(histogram.number()));
      }
    }
  }
  EXPECT(fields.ok());
  return values;
}

/// The values of all events in a folder.
Values written(const testing::TemporaryFolder& folder) {
  Values values;
  for (const std::string& name : folder.names()) {
    const std::string content = testing::content(folder / name);
    std::string_view rest = content, event;
    while (!rest.empty() && take_record(rest, 0, &event).ok()) {
      WireReader fields(event);
      while (fields.next()) {
        if (!fields.is(kEventSummary, WireType::kBytes)) continue;
        for (auto& value : values_of(fields.bytes())) values.push_back(std::move(value));
      }
    }
  }
  return values;
}

TINYTF_TEST(a_summary_has_all_histograms_and_numbers) {
  const auto collector = make_ref<StatsCollector>(/*writes_events=*/false);
  EXPECT_EQ(collector->summary(), "");
  collector->set_scalar("b", 1);
  collector->set_scalar("b", 2);
  collector->set_scalar("a", 3);
  for (int i = 0; i < 3; ++i) collector->add_to_histogram("h", i);
  collector->add_to_histogram("a", 5);  // Histograms and numbers have names of their own.
  const Values expected = {{"a", 1}, {"h", 3}, {"a", 3}, {"b", 2}};
  EXPECT(values_of(collector->summary()) == expected);
  EXPECT(values_of(collector->summary()) == expected);  // It is kept.
}

TINYTF_TEST(names_of_statistics_get_a_tag) {
  const auto collector = make_ref<StatsCollector>(/*writes_events=*/false);
  make_ref<ops::TaggedStatistics>(collector, "tag")->set_scalar("a", 1);
  make_ref<ops::TaggedStatistics>(collector, "tag")->add_to_histogram("h", 1);
  make_ref<ops::TaggedStatistics>(collector, "")->set_scalar("b", 2);
  EXPECT(values_of(collector->summary()) == Values({{"tag::h", 1}, {"b", 2}, {"tag::a", 1}}));
}

TINYTF_TEST(statistics_become_events) {
  const testing::TemporaryFolder folder;
  const auto collector = make_ref<StatsCollector>(/*writes_events=*/true);
  collector->add_to_histogram("h", 1);  // Nothing is written yet, but it is counted.
  const auto writer = make_ref<SummaryFile>(folder.path(), "", std::chrono::milliseconds(0));
  collector->set_writer(writer);
  collector->add_to_histogram("h", 1);
  collector->set_scalar("a", 3);
  EXPECT_EQ(collector->summary(), "");
  EXPECT_OK(writer->writer().flush());
  EXPECT(written(folder) == Values({{"h", 2}, {"a", 3}}));
  collector->set_writer(nullptr);
  collector->set_scalar("a", 4);
  EXPECT_OK(writer->writer().close());
  EXPECT_EQ(written(folder).size(), 2u);
}

TINYTF_TEST(statistics_without_events_have_no_writer) {
  const testing::TemporaryFolder folder;
  const auto collector = make_ref<StatsCollector>(/*writes_events=*/false);
  const auto writer = make_ref<SummaryFile>(folder.path(), "", std::chrono::milliseconds(0));
  collector->set_writer(writer);
  collector->set_scalar("a", 1);
  EXPECT_OK(writer->writer().close());
  EXPECT(folder.names().empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
