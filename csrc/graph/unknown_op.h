#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "graph/graph_def.h"
#include "op/node_info.h"

namespace tinytf {

// Ops that are not declared here: a GraphDef can hold nodes of them, which are kept as they are but cannot run.

/// What is known of the outputs of one such node, by its surroundings.
struct UnknownOutputs {
  int64_t count = 0;                 ///< at least so many, as nodes read them or shapes are given for them
  std::map<int64_t, ArgType> types;  ///< that readers expect
};

/// The types of the outputs of a node whose op is not declared. What the producer's declaration says counts, if there
/// is one that fits the attrs. Else there are as many outputs as are known, or as an attr that lists types (`Tout`,
/// `output_types`, `component_types`, `out_types`) has entries; each is of the type that its readers expect, or that
/// such an attr says, or a single one (`dtype`, `out_type`, `output_type`, `DstT`, `T`); what nothing tells is a
/// variant.
std::vector<ArgType> unknown_output_types(const NodeDefView& node, const OpDef* producers, const UnknownOutputs& known);

/// The declaration of that one node: an input, an output and an attr for each of its own. It counts as stateful, so
/// that no pass computes, merges or drops it.
OpDef declare_unknown_op(std::string_view name, const std::vector<ArgType>& inputs, const std::vector<ArgType>& outputs,
                         const AttrMap& attrs);

/// Whether a declaration is such a one.
bool is_unknown_op(const OpDef& op);

}  // namespace tinytf
