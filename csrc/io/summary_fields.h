#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tinytf {

// Field numbers of TensorFlow's messages Event, Summary and Summary.Value.

enum EventField : uint32_t { kEventWallTime = 1, kEventStep = 2, kEventGraphDef = 4, kEventSummary = 5 };

enum SummaryField : uint32_t {
  kSummaryValue = 1,
  kTag = 1,
  kSimpleValue = 2,
  kImage = 4,
  kHistogram = 5,
  kAudio = 6,
  kNodeName = 7,
  kTensor = 8,
  kMetadata = 9,
};

/// Appends a serialized Summary to `out`, without the metadata of values whose tags are in `tags`, and adds its tags to
/// `tags`. Returns false if it is damaged.
bool write_told_once(std::string_view summary, std::unordered_set<std::string>* tags, std::string* out);

}  // namespace tinytf
