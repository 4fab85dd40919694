#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "data/statistics.h"
#include "ops/logging/shared/histogram.h"
#include "ops/summary/shared/summary_file.h"
#include "tensor/resource_handle.h"

namespace tinytf::ops {

/// Histograms and numbers by name. Thread-safe.
class StatsCollector final : public data::Statistics {
 public:
  /// With `writes_events`, each change becomes an event as soon as there is a writer, and summary() is empty.
  explicit StatsCollector(bool writes_events) : writes_events_(writes_events) {}

  void add_to_histogram(std::string_view name, double value) override;
  void set_scalar(std::string_view name, float value) override;
  /// A serialized Summary of all histograms and numbers.
  std::string summary() const;
  void set_writer(RefPtr<SummaryFile> writer);

 private:
  /// What is to be written, without the lock; no writer: nothing.
  struct Event {
    RefPtr<SummaryFile> writer;
    std::string text;

    void write() const;
  };

  static void write(WireWriter& to, const std::string& name, const Histogram& histogram);
  static void write(WireWriter& to, const std::string& name, float value);
  template <class Value>
  Event event_of(const std::string& name, const Value& value) const;

  const bool writes_events_;
  mutable std::mutex mutex_;  // Guards the members below. Held briefly, and together with no other lock.
  std::map<std::string, std::unique_ptr<Histogram>, std::less<>> histograms_;
  std::map<std::string, float, std::less<>> scalars_;
  RefPtr<SummaryFile> writer_;
};

/// Statistics whose names get a prefix. Thread-safe.
class TaggedStatistics final : public data::Statistics {
 public:
  TaggedStatistics(RefPtr<data::Statistics> to, const std::string& tag)
      : to_(std::move(to)), prefix_(tag.empty() ? "" : tag + "::") {}

  void add_to_histogram(std::string_view name, double value) override {
    to_->add_to_histogram(prefix_ + std::string(name), value);
  }
  void set_scalar(std::string_view name, float value) override { to_->set_scalar(prefix_ + std::string(name), value); }

 private:
  const RefPtr<data::Statistics> to_;
  const std::string prefix_;
};

/// A StatsAggregator as steps see it. Thread-safe.
class StatsResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::StatsAggregatorResource";
  static constexpr const char* kRegistryType = "N10tensorflow4data23StatsAggregatorResourceE";
  static constexpr const char* kNoun = "stats aggregator";

  explicit StatsResource(bool writes_events) : collector_(make_ref<StatsCollector>(writes_events)) {}
  const RefPtr<StatsCollector>& collector() const { return collector_; }
  std::string debug_string() const override { return "StatsAggregatorResource"; }

 private:
  const RefPtr<StatsCollector> collector_;
};

}  // namespace tinytf::ops
