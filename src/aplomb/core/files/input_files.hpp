#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace aplomb {

/// The files that the program reads while this object lives, with the digests of their contents. A finished item that
/// is kept for a later process is valid there only if none of them has changed (PartialResults).
///
///   InputFiles inputs;                // before anything is read
///   ...                               // readers call note_input
///   inputs.digests();                 // {"ROBOT.urdf": "9f43...", "ROBOT.yaml": "absent"}
///
/// The files of work that several threads share are recorded together. Within the life of an `Item`, what its thread
/// reads belongs to that item alone.
class InputFiles {
 public:
  using Digests = std::map<std::string, std::string>;  ///< by absolute path

  InputFiles();
  ~InputFiles();
  InputFiles(const InputFiles&) = delete;
  InputFiles& operator=(const InputFiles&) = delete;

  /// One of several independent items: what this thread reads while it lives.
  class Item {
   public:
    Item();
    ~Item();
    Item(const Item&) = delete;
    Item& operator=(const Item&) = delete;

   private:
    friend class InputFiles;
    friend void note_input(const std::filesystem::path& file);
    Digests digests_;
    Item* outer_;
  };

  Digests digests() const;  ///< read so far; within an Item: by that item, or outside all items

 private:
  friend void note_input(const std::filesystem::path& file);
  mutable std::mutex mutex_;
  Digests common_;
};

/// Every reader of an input file calls this before it reads (or finds that there is none): adds the file to the living
/// InputFiles. Without any it costs nothing.
void note_input(const std::filesystem::path& file);

inline constexpr const char* kUnrepeatableInput = "unrepeatable";

/// What InputFiles records of a file: its SHA-256, "absent", or kUnrepeatableInput for a pipe or an unreadable file.
std::string input_digest(const std::filesystem::path& file);

/// Whether the file still has the contents that were recorded; never of an unrepeatable input.
bool is_unchanged(const std::string& file, const std::string& digest);

}  // namespace aplomb
