#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "ops/parsing/shared/feature_values.h"

namespace tinytf::ops {

/// A Feature message, parsed as protobuf does.
struct FeatureMessage {
  DType dtype = DType::kInvalid;  ///< kind of its list; kInvalid if it has none
  FeatureValues values;

  /// The message in protobuf's text format, with one line per value.
  std::string text() const;
};

/// A SequenceExample message, parsed as protobuf does.
struct SequenceMessage {
  std::map<std::string, FeatureMessage, std::less<>> context;
  std::map<std::string, std::vector<FeatureMessage>, std::less<>> lists;

  /// Returns false if the bytes are not such a message.
  bool read(std::string_view bytes);
};

}  // namespace tinytf::ops
