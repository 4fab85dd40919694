#include "ops/data/shared/stats_collector.h"

#include "io/summary_fields.h"
#include "io/wire.h"

namespace tinytf::ops {

void StatsCollector::add_to_histogram(std::string_view name, double value) {
  Event event;
  {
    const std::lock_guard lock(mutex_);
    auto found = histograms_.find(name);
    if (found == histograms_.end()) found = histograms_.emplace(name, std::make_unique<Histogram>()).first;
    found->second->add(&value, 1);
    event = event_of(found->first, *found->second);
  }
  event.write();
}

void StatsCollector::set_scalar(std::string_view name, float value) {
  Event event;
  {
    const std::lock_guard lock(mutex_);
    auto found = scalars_.find(name);
    if (found == scalars_.end()) found = scalars_.emplace(name, value).first;
    found->second = value;
    event = event_of(found->first, value);
  }
  event.write();
}

void StatsCollector::set_writer(RefPtr<SummaryFile> writer) {
  const std::lock_guard lock(mutex_);
  if (writes_events_) std::swap(writer_, writer);
}

std::string StatsCollector::summary() const {
  std::string text;
  if (writes_events_) return text;
  WireWriter to(&text);
  const std::lock_guard lock(mutex_);
  for (const auto& [name, histogram] : histograms_) write(to, name, *histogram);
  for (const auto& [name, value] : scalars_) write(to, name, value);
  return text;
}

void StatsCollector::write(WireWriter& to, const std::string& name, const Histogram& histogram) {
  to.nested(kSummaryValue, [&] {
    to.bytes(kTag, name);
    to.nested(kHistogram, [&] { histogram.write(to); });
  });
}

void StatsCollector::write(WireWriter& to, const std::string& name, float value) {
  to.nested(kSummaryValue, [&] {
    to.bytes(kTag, name);
    to.float32(kSimpleValue, value);
  });
}

/// With the lock.
template <class Value>
StatsCollector::Event StatsCollector::event_of(const std::string& name, const Value& value) const {
  Event event{writer_, ""};
  if (!writer_) return event;
  WireWriter to(&event.text);
  to.float64(kEventWallTime, wall_time_now());
  to.nested(kEventSummary, [&] { write(to, name, value); });
  return event;
}

void StatsCollector::Event::write() const {
  // A measurement that the writer rejects is lost: it is of no use later.
  if (writer) (void)writer->writer().add(text);
}

}  // namespace tinytf::ops
