/**
 * @file tests/export/export_test.cpp
 *
 * Writing models as something else.  What the files do is tested where they are
 * compiled and run, in tests/cli/test_gbnn_export.py; this program is built
 * without ONNX.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include "test_tools.hpp"

#include <mlpack/methods/gbnn/export/gbnn_export.hpp>
#include <mlpack/methods/gbnn/report/svg_chart.hpp>

using namespace mlpack;
namespace fs = std::filesystem;

namespace {

//! A folder that is removed in the end.
struct Folder
{
  Folder() : path(fs::temp_directory_path() / ("gbnn-export-" +
      std::to_string(getpid())))
  {
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }

  std::string File(const std::string& name) const
  {
    return (path / name).string();
  }
  std::string Read(const std::string& name) const
  {
    std::ifstream stream(File(name));
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  size_t Files() const
  {
    return size_t(std::distance(fs::directory_iterator(path),
        fs::directory_iterator()));
  }

  fs::path path;
};

} // namespace

TEMPLATE_TEST_CASE("PortableModelPredictsTheSame", "[ExportTest]", arma::mat,
    arma::fmat)
{
  using ElemType = typename TestType::elem_type;
  const Problem<TestType> problem(100, 3);
  GBNNClassifier<TestType> model(problem.data, problem.labels, 2, 20);
  for (const size_t units : { 20, 6, 0 })
  {
    model.ActiveUnits(units);
    const PortableGBNN portable(model);
    REQUIRE(portable.Units() == std::max<size_t>(1, units));
    REQUIRE(portable.Outputs() == 2);
    REQUIRE(portable.Scores() == 1);
    // By hand: the logistic function twice.
    const arma::mat x = arma::conv_to<arma::mat>::from(problem.data);
    arma::mat hidden = portable.hiddenWeights.t() * x;
    hidden.each_col() += portable.hiddenBias;
    arma::mat scores = portable.outputWeights * (1 / (1 + arma::exp(-hidden)));
    scores.each_col() += portable.outputBias;
    TestType probabilities;
    arma::Row<size_t> labels;
    model.Classify(problem.data, labels, probabilities);
    REQUIRE(Difference(arma::mat(1 / (1 + arma::exp(-scores))),
        arma::conv_to<arma::mat>::from(probabilities.row(1))) <
        10 * Tolerance<ElemType>);
  }
}

//! Also where the output bias comes from the cuts of a refinement.
TEST_CASE("PortableRefinedModelPredictsTheSame", "[ExportTest]")
{
  // With few points, refinement is not kept, and cuts are scaled.
  for (const size_t points : { 300, 40 })
  {
    const Problem<arma::mat> problem(points, 3);
    GBNNRegressor<> model(12, 3);
    model.Seed() = 3;
    model.Refinement().Cuts() = 2;
    model.Train(problem.data, problem.responses);
    model.Refine(problem.data, problem.responses);
    REQUIRE((model.RefinedIterations() > 0) == (points == 300));
    for (const size_t units : { 12, 8, 6, 2 })
    {
      model.ActiveUnits(units);
      const PortableGBNN portable(model);
      REQUIRE(portable.Units() == units);
      arma::mat hidden = portable.hiddenWeights.t() * problem.data;
      hidden.each_col() += portable.hiddenBias;
      arma::mat scores = portable.outputWeights * (1 / (1 +
          arma::exp(-hidden)));
      scores.each_col() += portable.outputBias;
      arma::mat predictions;
      model.Predict(problem.data, predictions);
      REQUIRE(Difference(scores, predictions) < 1e-10);
    }
  }
}

TEST_CASE("UntrainedModelsAreNotExported", "[ExportTest]")
{
  const Folder folder;
  REQUIRE_THROWS_AS(Export(GBNNModel(), folder.File("m.h")),
      std::invalid_argument);
  REQUIRE_THROWS_WITH(Export(GBNNClassifier<>(), folder.File("m.h")),
      Contains("not trained"));
  REQUIRE_THROWS_WITH(Export(GBNNRegressor<>(), folder.File("m.h")),
      Contains("not trained"));
  REQUIRE(folder.Files() == 0);
}

TEST_CASE("NumbersThatCannotBeWritten", "[ExportTest]")
{
  const Problem<arma::mat> problem(30, 2);
  GBNNRegressor<> model(2);
  model.Bins() = 4;
  model.Train(problem.data, problem.response);
  REQUIRE_NOTHROW(PortableGBNN(model));
  std::stringstream stream;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(model);
  }
  // One weight that is infinite when it is doubled, and two that are when they
  // are added, too.
  const arma::mat& weights = model.Boosted().HiddenWeights();
  const std::string first((const char*) weights.memptr(), sizeof(double));
  const std::vector<std::vector<double>> changes = { { 1e308 },
      { 8e307, 8e307 } };
  for (const std::vector<double>& change : changes)
  {
    std::string bytes = stream.str();
    const size_t place = bytes.find(first);
    REQUIRE(place != std::string::npos);
    const size_t size = change.size() * sizeof(double);
    bytes.replace(place, size, (const char*) change.data(), size);
    std::stringstream changed(bytes);
    GBNNRegressor<> loaded;
    cereal::BinaryInputArchive archive(changed);
    archive(loaded);
    REQUIRE(loaded.Boosted().HiddenWeights()[0] == change[0]);
    REQUIRE_THROWS_WITH(PortableGBNN(loaded), Contains("too large"));
  }

  // An encoder that has never seen a table.
  GBNNModel empty;
  empty.IsRegression() = true;
  empty.Regressor().Train(problem.data, problem.responses);
  REQUIRE_THROWS_WITH(PortableGBNN(empty), Contains("no columns"));
}

TEST_CASE("BadFilesOfExport", "[ExportTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(30, 2);
  const GBNNRegressor<> model(problem.data, problem.response, 2);
  REQUIRE_THROWS_WITH(Export(model, folder.File("m.txt")),
      Contains("m.txt") && Contains("extension .onnx or .h"));
  REQUIRE_THROWS_WITH(Export(model, folder.File("none/m.h")),
      Contains("there is no directory"));
  fs::create_directory(folder.File("d.h"));
  REQUIRE_THROWS_WITH(Export(model, folder.File("d.h")),
      Contains("it is a directory"));
  REQUIRE_THROWS_WITH(Export(model, ""), Contains("extension"));
  REQUIRE_THROWS_WITH(Export(model, folder.File("m.onnx")),
      Contains("built without ONNX") && Contains("libonnx-dev"));
  REQUIRE(folder.Files() == 1);
}

TEST_CASE("ExportReplacesAFile", "[ExportTest]")
{
  const Folder folder;
  const Problem<arma::mat> problem(30, 2);
  const GBNNRegressor<> model(problem.data, problem.response, 2);
  gbnn::WriteWhole("test", folder.File("real.h"), "old");
  fs::create_symlink("real.h", folder.File("m.h"));
  fs::permissions(folder.File("real.h"), fs::perms::owner_read |
      fs::perms::owner_write);
  Export(model, folder.File("m.h"));
  // The link is still one, the file has its permissions, and nothing is left.
  REQUIRE(fs::is_symlink(folder.File("m.h")));
  REQUIRE(fs::status(folder.File("real.h")).permissions() ==
      (fs::perms::owner_read | fs::perms::owner_write));
  REQUIRE_THAT(folder.Read("real.h"), Contains("#ifndef GBNN_MODEL_M_H"));
  REQUIRE(folder.Files() == 2);
}

TEST_CASE("WriteWholeKeepsTheOldFile", "[ExportTest]")
{
  const Folder folder;
  gbnn::WriteWhole("test", folder.File("a"), "old");
  REQUIRE_THROWS_WITH(gbnn::WriteWhole("test", folder.File("none/a"), "new"),
      Contains("cannot be written"));
  REQUIRE(folder.Read("a") == "old");
  REQUIRE(folder.Files() == 1);
}

TEST_CASE("TextOfC", "[ExportTest]")
{
  REQUIRE(gbnn::CNumber(3) == "3.0");
  REQUIRE(gbnn::CNumber(-0.0) == "-0.0");
  REQUIRE(gbnn::CNumber(0.1) == "0.1");
  REQUIRE(gbnn::CNumber(1e300) == "1e+300");
  REQUIRE(gbnn::CString("a b") == "\"a b\"");
  REQUIRE(gbnn::CString("\"\\\n?") == "\"\\042\\134\\012\\077\"");
  REQUIRE(gbnn::CString("\xc3\xa5" "1") == "\"\\303\\2451\"");
}

TEST_CASE("TextOfJSONAndHTML", "[ExportTest]")
{
  REQUIRE(gbnn::JSONString("a\"\\\n") == "\"a\\\"\\\\\\u000a\"");
  REQUIRE(gbnn::Escape("<a href='x'>&\"\x01") ==
      "&lt;a href=&#39;x&#39;&gt;&amp;&quot; ");
  // Latin-1, also at the end.
  REQUIRE(gbnn::JSONString("caf\xe9") == "\"caf\xef\xbf\xbd\"");
  REQUIRE(gbnn::Escape("\xe9t\xe9") == "\xef\xbf\xbdt\xef\xbf\xbd");
}

TEST_CASE("TextThatIsNotUTF8", "[ExportTest]")
{
  const std::string sign = "\xef\xbf\xbd";
  for (const std::string good : { "", "abc", "\xc3\xa9", "\xe2\x82\xac",
      "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xee\x80\x80",
      "\xf4\x8f\xbf\xbf", "\xe0\xa0\x80", "\xf0\x90\x80\x80" })
  {
    REQUIRE(gbnn::ValidUTF8(good) == good);
    REQUIRE(gbnn::ValidUTF8("\xff" + good + "\x80") == sign + good + sign);
    // One that lacks its end.
    if (good.size() > 1 && good != "abc")
      REQUIRE(gbnn::ValidUTF8(good.substr(0, good.size() - 1) + "a").back() ==
          'a');
  }
  REQUIRE(gbnn::ValidUTF8(std::string("a\0b", 3)) == std::string("a\0b", 3));
  // Longer than need be, surrogates, and beyond the last letter.
  for (const std::string bad : { "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf",
      "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
      "\xf5\x80\x80\x80" })
  {
    std::string signs;
    for (size_t i = 0; i < bad.size(); ++i)
      signs += sign;
    REQUIRE(gbnn::ValidUTF8(bad) == signs);
  }
}

TEST_CASE("NamesOfColumns", "[ExportTest]")
{
  TableEncoder encoder;
  gbnn::DatasetInfoType info(2);
  encoder.Fit(arma::mat(2, 5, arma::fill::randu), info, "data");
  REQUIRE(encoder.Name(1) == "column 2");
  REQUIRE_THROWS_WITH(encoder.Names({ "a" }), Contains("(1)") &&
      Contains("(2)"));
  encoder.Names({ "a", "b" });
  REQUIRE(encoder.Name(1) == "b");

  std::stringstream stream;
  TableEncoder loaded;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(encoder);
  }
  cereal::BinaryInputArchive archive(stream);
  archive(loaded);
  REQUIRE(loaded.Names() == encoder.Names());
}
