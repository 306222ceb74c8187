// Running a program and keeping what it says.
#pragma once
#include <string>
#include <vector>

namespace tour {

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};
Outcome run(const std::vector<std::string>& words);

/// The words as one would type them.
std::string typed(const std::vector<std::string>& words);

/// A new folder that is removed with all its files at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// The folder in which this program lies.
std::string program_folder();

}  // namespace tour
