/**
 * @file tests/files/whole_file_test.cpp
 *
 * Files that are written beside their place: nobody else gets what is in them.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

using namespace mlpack;
namespace fs = std::filesystem;

namespace {

//! A folder with two files that goes with the test.
struct Folder
{
  Folder()
  {
    std::string pattern = (fs::temp_directory_path() / "gbnn_files_XXXXXX")
        .string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
    std::ofstream(path / "place") << "old";
    std::ofstream(path / "precious") << "precious";
  }

  ~Folder()
  {
    std::error_code error;
    fs::remove_all(path, error);
  }

  //! The file beside the place, of which there must be one.
  fs::path Beside() const
  {
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().filename().string()[0] == '.')
        return entry.path();
    FAIL("there is no file beside the place");
    return path;
  }

  std::string Read(const std::string& name) const
  {
    std::ifstream stream(path / name);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }

  fs::path path;
};

} // namespace

TEST_CASE("WrittenInParts", "[WholeFileTest]")
{
  const Folder folder;
  {
    gbnn::TemporaryFile file((folder.path / "place").string());
    REQUIRE(file.File() == folder.path / "place");
    file.Write("new ");
    file.Write("");
    file.Write("text");
    file.Finish();
    REQUIRE(folder.Read("place") == "old");
    file.Rename();
    REQUIRE(folder.Read("place") == "new text");
  }
  REQUIRE(folder.Read("place") == "new text");
  REQUIRE(std::distance(fs::directory_iterator(folder.path),
      fs::directory_iterator()) == 2);
}

/**
 * Who may write to the folder can put something in the place of the file that
 * is being written: what that leads to must not change, and we say it.
 */
TEST_CASE("AnotherFileInItsPlace", "[WholeFileTest]")
{
  for (const std::string kind : { "link", "hard link", "file", "nothing" })
  {
    const Folder folder;
    {
      gbnn::TemporaryFile file((folder.path / "place").string());
      file.Write("sec");
      const fs::path beside = folder.Beside();
      fs::remove(beside);
      if (kind == "link")
        fs::create_symlink(folder.path / "precious", beside);
      else if (kind == "hard link")
        fs::create_hard_link(folder.path / "precious", beside);
      else if (kind == "file")
        std::ofstream(beside) << "foreign";
      file.Write("ret");
      REQUIRE_THROWS_WITH(file.Finish(), Contains("removed or replaced") &&
          Contains(beside.filename().string()));
    }
    REQUIRE(folder.Read("precious") == "precious");
    REQUIRE(folder.Read("place") == "old");
  }
}

TEST_CASE("PipesAreWrittenTo", "[WholeFileTest]")
{
  const Folder folder;
  const std::string pipe = (folder.path / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  gbnn::WriteWhole("test", pipe, "text");
  char text[8];
  REQUIRE(read(reader, text, sizeof(text)) == 4);
  REQUIRE(std::string(text, 4) == "text");
  close(reader);
  REQUIRE(gbnn::IsSpecialFile(pipe));
}
