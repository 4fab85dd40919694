#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "ops/parsing/feature_values.h"

namespace tinytf::ops {

/// A Feature as protobuf reads it.
struct FeatureMessage {
  DType dtype = DType::kInvalid;  ///< which list it has; kInvalid: none
  FeatureValues values;

  /// As protobuf prints it: a line for each value.
  std::string text() const;
};

/// A SequenceExample as protobuf reads it.
struct SequenceMessage {
  std::map<std::string, FeatureMessage, std::less<>> context;
  std::map<std::string, std::vector<FeatureMessage>, std::less<>> lists;

  /// False for bytes that are no such message.
  bool read(std::string_view bytes);
};

}  // namespace tinytf::ops
