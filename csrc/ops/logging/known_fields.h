#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "io/wire.h"

namespace tinytf::ops {

/// A field that a message is known to have, once.
struct KnownField {
  enum Content : uint8_t {
    kText,           ///< is left out where it is empty; must be UTF-8
    kMessage,        ///< parts of one that is written in several count as one
    kChosenValue,    ///< one of several fields, of which the last one counts
    kChosenMessage,  ///< as both
  };
  uint32_t number;
  WireType type;
  Content content;

  bool is_message() const { return content == kMessage || content == kChosenMessage; }
  bool is_chosen() const { return content == kChosenValue || content == kChosenMessage; }
};

/// The message as protobuf's libraries write what they have read: each known field once, in the order of their numbers,
/// which is that of `known`, then those that are not known. `sound` says whether it could be read to its end; if not,
/// what comes before the damage counts.
template <size_t kCount>
std::string in_order(std::string_view message, const std::array<KnownField, kCount>& known, bool* sound) {
  std::array<std::string_view, kCount> whole{};
  std::array<MergedBytes, kCount> parts{};
  std::string unknown;
  *sound = true;
  WireReader fields(message);
  while (fields.next()) {
    const auto field = std::find_if(known.begin(), known.end(),
                                    [&](const KnownField& known) { return fields.is(known.number, known.type); });
    if (field == known.end()) {
      unknown += fields.whole();
      continue;
    }
    for (size_t i = 0; i < kCount && field->is_chosen(); ++i) {
      if (!known[i].is_chosen() || known[i].number == field->number) continue;
      whole[i] = {};
      parts[i] = MergedBytes();
    }
    const auto place = static_cast<size_t>(field - known.begin());
    whole[place] = field->content == KnownField::kText && fields.bytes().empty() ? "" : fields.whole();
    if (field->content == KnownField::kText) fields.text();
    if (!field->is_message()) continue;
    parts[place].add(fields.bytes());
    WireReader inner(fields.bytes());
    while (inner.next()) {
    }
    *sound &= inner.ok();
  }
  *sound &= fields.ok();
  std::string ordered;
  WireWriter to(&ordered);
  for (size_t i = 0; i < kCount; ++i) {
    if (parts[i].is_in_parts()) {
      to.bytes(known[i].number, parts[i].view());
    } else {
      ordered += whole[i];
    }
  }
  return ordered + unknown;
}

}  // namespace tinytf::ops
