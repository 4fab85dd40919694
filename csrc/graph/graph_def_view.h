#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "io/wire.h"

namespace tinytf {

// Parsing of TensorFlow's GraphDef and NodeDef messages.

// Field numbers of messages that several files read and write.
struct GraphDefField {
  static constexpr uint32_t kNode = 1, kLibrary = 2, kVersions = 4;
};
struct NodeDefField {
  static constexpr uint32_t kName = 1, kOp = 2, kInput = 3, kDevice = 4, kAttr = 5;
};
struct FunctionDefLibraryField {
  static constexpr uint32_t kFunction = 1, kGradient = 2;
};
struct GradientDefField {
  static constexpr uint32_t kFunctionName = 1, kGradientFunc = 2;
};
struct FunctionDefField {
  static constexpr uint32_t kSignature = 1, kNodeDef = 3, kRet = 4, kAttr = 5, kControlRet = 6, kArgAttr = 7;
};
struct ArgAttrsField {
  static constexpr uint32_t kAttr = 1;
};
struct MapEntryField {
  static constexpr uint32_t kKey = 1, kValue = 2;
};

/// A parsed NodeDef, as views of its bytes.
struct NodeDefView {
  struct Attr {
    std::string_view name;
    std::string_view value;  ///< A serialized AttrValue.
  };

  std::string_view name;
  std::string_view op;
  std::string_view device;
  std::vector<std::string_view> inputs;
  std::vector<Attr> attrs;  ///< Names are distinct.
};

/// A parsed GraphDef, as views of its bytes, which must outlive it. Its versions are not read: the caller checks them
/// before the import.
struct GraphDefView {
  std::vector<NodeDefView> nodes;
  MergedBytes library;             ///< A serialized FunctionDefLibrary.
  std::deque<std::string> merged;  ///< Storage of values that were serialized in several parts.
};

/// Parses a NodeDef. InvalidArgument for malformed bytes. Values that were serialized in several parts are stored in
/// `merged`, which must outlive the view.
Result<NodeDefView> read_node_def(std::string_view bytes, std::deque<std::string>& merged);
/// Parses a GraphDef. InvalidArgument for malformed bytes.
Result<GraphDefView> read_graph_def(std::string_view bytes);

}  // namespace tinytf
