#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

// Errors are those of the system, with TensorFlow's codes and texts.

/// NotFound if there is nothing of that name.
Status file_exists(const std::string& path);
/// Bytes of a file.
Result<uint64_t> file_size(const std::string& path);
/// The file gets another name, in place of a file that has it; at no time is there none of that name.
Status rename_file(const std::string& from, const std::string& to);
/// The file gets a second name, from a file that has it.
Status link_file(const std::string& path, const std::string& second);
Status delete_file(const std::string& path);
/// Cuts off what is behind the first `bytes`.
Status truncate_file(const std::string& path, uint64_t bytes);
/// One level: its parent must be there. AlreadyExists if there is something of that name.
Status make_folder(const std::string& path);
/// With all that it lies in. Fine if it is there.
Status make_folders(const std::string& path);
/// An empty one.
Status delete_folder(const std::string& path);
/// What was renamed, made and deleted in the folder outlives the end of the machine.
Status sync_folder(const std::string& path);

/// The names in a folder, without "." and "..", in no order.
Result<std::vector<std::string>> names_in(const std::string& folder);
/// The files and folders that match, in no order: * and ? (no slash among what they match), [a-c], and \ before what is
/// to be taken as it is. Each is named as the pattern names its folder; what is relative begins with "./". What
/// stands before the first special character names a folder that must be there.
Result<std::vector<std::string>> matching_files(const std::string& pattern);
/// The file of that name, whatever characters it has; if there is none, those that match.
Result<std::vector<std::string>> files_called(const std::string& name);

}  // namespace tinytf
