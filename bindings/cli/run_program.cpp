/**
 * @file bindings/cli/run_program.cpp
 *
 * Implementation of a command-line program's main().
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#include <mlpack/bindings/cli/run_program.hpp>
#include <mlpack/bindings/cli/cli_dialect.hpp>
#include <mlpack/bindings/cli/command_line.hpp>
#include <mlpack/bindings/cli/file_format.hpp>
#include <mlpack/bindings/cli/option.hpp>
#include <mlpack/bindings/cli/output_files.hpp>
#include <mlpack/bindings/cli/processes.hpp>
#include <mlpack/bindings/cli/scratch_memory.hpp>
#include <mlpack/bindings/util/label_names.hpp>
#include <mlpack/methods/gbnn/files/whole_file.hpp>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <vector>

#include <unistd.h>

#include "plain_text.hpp"

namespace mlpack {
namespace bindings {
namespace cli {

//! Call one of the functions that an option has registered for its type.
static void Call(util::Params& params,
                 util::ParamData& d,
                 const std::string& function,
                 const void* input,
                 void* output)
{
  params.functionMap[d.tname][function](d, input, output);
}

//! The name of the file that the user has given for a parameter, or "".
static std::string FileOf(util::Params& params, util::ParamData& d)
{
  if (IsPlain(KindOf(d)))
    return "";
  std::string* file;
  Call(params, d, "GetFile", nullptr, (void*) &file);
  return *file;
}

/**
 * Lets through what is printed to a stream, but for control characters: names
 * and words of files could have them.
 */
class PlainStream : public std::streambuf
{
 public:
  /**
   * @param stream The stream.
   * @param isErrors If true, blank lines go: Log::Fatal prints one after each
   *     message.  Each line is written in one piece then: what mpirun says of
   *     the same failure must not come in between.
   */
  PlainStream(std::ostream& stream, const bool isErrors) :
      stream(stream),
      target(stream.rdbuf(this)),
      isErrors(isErrors)
  { }

  ~PlainStream()
  {
    Write();
    stream.rdbuf(target);
  }

 protected:
  int_type overflow(int_type c) override
  {
    line += traits_type::to_char_type(c);
    if (isErrors && line == "\n")
      line.clear();
    return (c != '\n' || Write()) ? c : traits_type::eof();
  }

  int sync() override
  {
    return (isErrors || Write()) ? 0 : -1;
  }

 private:
  bool Write()
  {
    const std::string text = WithoutControls(line);
    line.clear();
    const std::streamsize size = std::streamsize(text.size());
    return target->sputn(text.data(), size) == size && target->pubsync() == 0;
  }

  std::ostream& stream;
  std::streambuf* target;
  bool isErrors;
  std::string line;
};

//! Frees the models that a program's parameters hold, each once.
class ModelOwner
{
 public:
  explicit ModelOwner(util::Params& params) : params(params) { }

  ~ModelOwner()
  {
    // An input model is often handed out as the output model.
    std::set<void*> seen = { nullptr };
    for (auto& entry : params.Parameters())
    {
      void* memory = nullptr;
      Call(params, entry.second, "GetMemory", nullptr, (void*) &memory);
      if (seen.insert(memory).second)
        Call(params, entry.second, "FreeMemory", nullptr, nullptr);
    }
  }

 private:
  util::Params& params;
};

//! Whether two names are those of one file, also by way of links.
static bool IsSameFile(const std::string& a, const std::string& b)
{
  // A pipe or a terminal can be read and written.
  if (gbnn::IsSpecialFile(a))
    return false;
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) ||
      gbnn::PlaceOf(a) == gbnn::PlaceOf(b);
}

//! Files by name, with the option that each is given with.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

//! Throw if a file to write is one of others.
static void RequireOther(const util::ParamData& d,
                         const std::string& file,
                         const NamedFiles& others,
                         const std::string& reason)
{
  for (const auto& other : others)
  {
    if (IsSameFile(file, other.first))
    {
      throw std::runtime_error(FileMessage(d, file) + "is the file of --" +
          other.second + reason);
    }
  }
}

//! The files of an input.
static std::vector<std::string> FilesOfParam(const util::ParamData& d,
                                             const std::string& file)
{
  if (KindOf(d) == ParamKind::Model)
    return { file };
  try
  {
    return FilesOf(file, Processes() ? Processes()->Rank() : 0);
  }
  catch (const std::runtime_error& e)
  {
    throw std::runtime_error(FileMessage(d, file) + e.what());
  }
}

//! Find out now, not after hours of training, whether files can be used.
static void CheckFiles(util::Params& params)
{
  NamedFiles inputs, tables, outputs;
  for (auto& entry : params.Parameters())
  {
    util::ParamData& d = entry.second;
    const std::string file = FileOf(params, d);
    if (!d.wasPassed || IsPlain(KindOf(d)) || !d.input)
      continue;
    const bool isModel = (KindOf(d) == ParamKind::Model);
    const std::vector<std::string> files = FilesOfParam(d, file);
    for (size_t i = 0; i < files.size(); ++i)
    {
      // With a file for each process, it need not see those of others.
      const bool isOther = Processes() && i != Processes()->Rank() &&
          files.size() == Processes()->Ranks();
      if (!isOther && access(files[i].c_str(), R_OK) != 0)
      {
        throw std::runtime_error(FileMessage(d, files[i]) + "cannot be read: " +
            strerror(errno));
      }
      inputs.emplace_back(files[i], OptionName(d));
      if (!isModel)
        tables.emplace_back(files[i], OptionName(d));
    }
  }
  const std::string lost = ", which would be overwritten; give another file";
  for (auto& entry : params.Parameters())
  {
    util::ParamData& d = entry.second;
    const std::string file = FileOf(params, d);
    if (!d.wasPassed || IsPlain(KindOf(d)) || d.input)
      continue;
    // A model may take the place of the one that it was made from.
    RequireOther(d, file, KindOf(d) == ParamKind::Model ? tables : inputs,
        lost);
    RequireOther(d, file, outputs, " too");
    gbnn::CheckWritable("--" + OptionName(d), file);
    CheckFormat(d, file);
    outputs.emplace_back(file, OptionName(d));
  }
  // Options that are words may name files, too: those of reports and exports.
  for (auto& entry : params.Parameters())
  {
    util::ParamData& d = entry.second;
    if (!d.wasPassed || !d.input || KindOf(d) != ParamKind::String)
      continue;
    const std::string& file = *std::any_cast<std::string>(&d.value);
    if (FileExtension(file).empty())
      continue;
    RequireOther(d, file, inputs, lost);
    RequireOther(d, file, outputs, " too");
  }
}

//! Write the outputs that were asked for to their files, and print the others.
static void SaveOutputs(util::Params& params, util::PrefixedOutStream& info)
{
  OutputFiles files;
  for (auto& entry : params.Parameters())
  {
    util::ParamData& d = entry.second;
    const std::string file = FileOf(params, d);
    if (d.input || file.empty())
      continue;
    bool written = false;
    try
    {
      gbnn::TemporaryFile& temporary = files.Temporary(file);
      const std::vector<std::string>* words = WordsOf(params, d);
      const arma::rowvec* places = words ? &RawValue<arma::rowvec>(d) : nullptr;
      // A binary file has numbers only.
      written = places && !places->is_empty() && !IsBinaryMatrix(file);
      if (written)
        SaveWords(temporary, *places, *words);
      else
        Call(params, d, "SaveParam", &temporary, &written);
      if (!written)
        files.Forget();
    }
    catch (const std::exception& e)
    {
      throw std::runtime_error(FileMessage(d, file) + "cannot be written: " +
          e.what());
    }
    if (!written)
      info << FileMessage(d, file) << "there is nothing to save." << std::endl;
  }
  files.Commit();

  for (auto& entry : params.Parameters())
  {
    const util::ParamData& d = entry.second;
    if (d.input || !IsPlain(KindOf(d)) || IsLabelNames(d))
      continue;
    // What was not computed is not told.
    if (KindOf(d) == ParamKind::Double &&
        std::isnan(*std::any_cast<double>(&d.value)))
      continue;
    const std::string text = StoredValue(d).Join(" ");
    const bool lines = (text.find('\n') != std::string::npos);
    if (!text.empty())
      std::cout << d.name << (lines ? ":\n" : ": ") << text << std::endl;
  }
}

//! What --verbose prints at the end.
static void PrintSummary(util::Params& params,
                         util::Timers& timers,
                         util::PrefixedOutStream& info)
{
  info << std::endl << "Execution parameters:" << std::endl;
  for (auto& entry : params.Parameters())
  {
    std::string text;
    Call(params, entry.second, "GetPrintableParam", nullptr, &text);
    info << "  " << OptionName(entry.second) << ": " << text << std::endl;
  }

  info << "Program timers:" << std::endl;
  auto times = timers.GetAllTimers();
  for (const auto& timer : Timer::GetAllTimers())
    times[timer.first] += timer.second;
  for (const auto& timer : times)
    info << "  " << timer.first << ": " << timers.Print(timer.second);
}

//! Have a binding that asks for the names of columns find those in the file.
static void OfferColumnNames(util::Params& params)
{
  for (auto& table : params.Parameters())
  {
    const std::string& name = table.first;
    if (KindOf(table.second) != ParamKind::MatrixAndInfo)
      continue;
    const auto names = params.Parameters().find(name == "training" ?
        "column_names" : name + "_column_names");
    if (names != params.Parameters().end() && !names->second.wasPassed)
    {
      NamesOfColumns()[name] = std::any_cast<std::vector<std::string>>(
          &names->second.value);
    }
  }
}

std::function<void()>& AfterSaving()
{
  static std::function<void()> function;
  return function;
}

//! All but the handling of errors.
static void Run(util::Params& params,
                BindingFunction binding,
                util::PrefixedOutStream& info)
{
  const bool verbose = params.Has("verbose");
  if (verbose)
    info.ignoreInput = false;
  RefuseStrangers();
  if (params.Has(BINDING_SCRATCH_OPTION))
    UseScratchFolder(params.Get<std::string>(BINDING_SCRATCH_OPTION));
  CheckFiles(params);
  OfferColumnNames(params);
  const ModelOwner owner(params);

  util::Timers timers;
  timers.Enabled() = true;
  Timer::EnableTiming();
  timers.Start("total_time");
  binding(params, timers);
  timers.Stop("total_time");
  if (!IsFirstProcess())
    return;

  timers.Start("saving_files");
  SaveOutputs(params, info);
  timers.Stop("saving_files");
  if (AfterSaving())
    AfterSaving()();
  timers.StopAllTimers();
  if (verbose)
    PrintSummary(params, timers, info);
}

//! Print an error as mlpack does.
static void PrintError(const std::string& text, util::PrefixedOutStream& fatal)
{
  try
  {
    fatal << OneLine(text) << std::endl;
  }
  catch (const std::runtime_error&)
  {
    // Log::Fatal throws once the line is printed.
  }
}

int RunProgram(int argc,
               char** argv,
               const std::string& bindingName,
               BindingFunction binding,
               util::PrefixedOutStream& info,
               util::PrefixedOutStream& fatal)
{
  DefaultDialect() = &TheCLIDialect();
  SilentProcess silent;
  const PlainStream out(std::cout, false), errors(std::cerr, true);
  try
  {
    util::Params params = IO::Parameters(bindingName);
    if (ParseCommandLine(argc, argv, params))
      Run(params, binding, info);
    return std::cout.flush() ? 0 : 1;
  }
  catch (const ScratchError& e)
  {
    PrintError(e.what(), fatal);
  }
  catch (const std::bad_alloc&)
  {
    PrintError(std::string("there is not enough memory") + (HasScratchFolder() ?
        "" : "; give a folder on a disk with more room with --"
        BINDING_SCRATCH_OPTION), fatal);
  }
  catch (const std::exception& e)
  {
    // Log::Fatal has printed its message before it threw this.
    if (std::string(e.what()).find("see Log::Fatal output") ==
        std::string::npos)
      PrintError(e.what(), fatal);
  }
  catch (...)
  {
    PrintError("unknown error", fatal);
  }
  silent.Fail();
  return 1;
}

} // namespace cli
} // namespace bindings
} // namespace mlpack
