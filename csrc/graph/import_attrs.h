#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/graph_def.h"
#include "op/attr.h"
#include "op/op_def.h"

namespace tinytf {

/// Says whether an attr of a node (called `node` here) that its op does not declare, given as an AttrValue, can be left
/// out: if not, why.
using UndeclaredAttrFn =
    std::function<Status(const OpDef& op, std::string_view attr, std::string_view value, const std::string& node)>;

/// The attrs of a node that is imported, as far as they are given.
struct ImportedAttrs {
  AttrMap attrs;
  /// What `_output_shapes` says, which is no attr of the node unless its op is not declared.
  std::optional<std::vector<PartialShape>> output_shapes;
  AttrProtos written;  ///< of a node whose op is not declared: AttrValues as they are written
};

/// Checks the attrs of nodes against their declarations, for one import. Not thread-safe.
class AttrImporter {
 public:
  AttrImporter(int32_t producer, UndeclaredAttrFn undeclared)
      : producer_(producer), undeclared_(std::move(undeclared)) {}

  /// InvalidArgument, with TensorFlow's words and the names of node and attr, for what is missing, unknown, of another
  /// kind than declared, or without sense. `name`: what the node is called here.
  /// `value`: what the attr of that name is, where the node lacks it; else null.
  Result<ImportedAttrs> read(const OpDef& op, const NodeDefView& node, const std::string& name, const AttrValue* value);
  /// Those of a node whose op is not declared: as they are written, and as values, where they can be read. Only the
  /// values count of `_class`, and of `_output_shapes`, which stays an attr of the node, as nothing else may tell how
  /// many outputs it has.
  static Result<ImportedAttrs> read_unknown(const NodeDefView& node, const std::string& name);

 private:
  Status check_undeclared(const OpDef& op, const NodeDefView::Attr& attr, const std::string& name);

  const int32_t producer_;
  const UndeclaredAttrFn undeclared_;
  std::unordered_set<std::string> left_out_;  // ops, attrs and values that were found to be
};

}  // namespace tinytf
