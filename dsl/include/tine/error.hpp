// The three kinds of error. Each has one sentence and, where known, the place in the user's source that it speaks of.
#pragma once
#include <exception>

#include "tine/loc.hpp"

#define TINE_API __attribute__((visibility("default")))

namespace tine {

/// Base of all errors that Tine throws. Copies share their text.
class TINE_API Error : public std::exception {
 public:
  /// `message` and `file` are copied. `id` names the diagnostic in our registry; it must have static storage.
  explicit Error(const char* message, const char* file = "", int line = 0, const char* id = "");
  Error(const Error&) noexcept;
  Error& operator=(const Error&) noexcept;
  ~Error() override;
  const char* what() const noexcept override;     ///< "file:line: message", or the message alone
  const char* message() const noexcept;
  const char* file() const noexcept;              ///< "" if unknown
  int line() const noexcept;                      ///< 0 if unknown
  const char* id() const noexcept;                ///< "" if it comes from outside the front end

 private:
  struct Text;
  Text* text_;
};

/// The program or the call is wrong: the user can mend it.
class TINE_API UserError : public Error {
 public:
  using Error::Error;
  ~UserError() override;
};
/// The machine did not do what it was asked: a driver, a file, memory.
class TINE_API RuntimeError : public Error {
 public:
  using Error::Error;
  ~RuntimeError() override;
};
/// A bug of ours.
class TINE_API InternalError : public Error {
 public:
  using Error::Error;
  ~InternalError() override;
};

}  // namespace tine
