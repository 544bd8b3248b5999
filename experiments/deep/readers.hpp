/**
 * @file experiments/deep/readers.hpp
 *
 * Reads the paper's large data sets in the formats in which they are published:
 * `covtype.data` and `poker-hand-*.data` (numbers between commas, the class at
 * the end), MNIST's IDX files and CIFAR-10's binary batches.  Files may be
 * compressed (.gz, .xz).
 */
#ifndef GBNN_EXPERIMENTS_DEEP_READERS_HPP
#define GBNN_EXPERIMENTS_DEEP_READERS_HPP

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <mlpack/prereqs.hpp>

namespace experiments {

//! Points in columns, and their classes, from 0.
struct LabeledPoints
{
  arma::mat points;
  arma::Row<size_t> labels;

  //! Only the first `count` points; all if there are not so many.
  LabeledPoints First(const size_t count) const
  {
    const size_t last = std::min(count, size_t(points.n_cols));
    return { points.head_cols(last), labels.head_cols(last) };
  }
};

//! The bytes of a file, unpacked if its name says that it is compressed.
inline std::string ReadFile(const std::string& path)
{
  if (!std::ifstream(path))
    throw std::runtime_error("cannot read " + path);
  const auto endsIn = [&](const std::string& end)
  {
    return path.size() > end.size() &&
        path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  std::string quoted;
  for (const char c : path)
    quoted += (c == '\'') ? std::string("'\\''") : std::string(1, c);
  const std::string unpack = endsIn(".gz") ? "gzip -dc" : endsIn(".xz") ?
      "xz -dc" : "cat";
  FILE* pipe = popen((unpack + " '" + quoted + "'").c_str(), "r");
  if (!pipe)
    throw std::runtime_error("cannot run " + unpack);

  std::string bytes;
  std::vector<char> buffer(1 << 16);
  size_t count;
  while ((count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
    bytes.append(buffer.data(), count);
  if (pclose(pipe) != 0)
    throw std::runtime_error("cannot unpack " + path);
  return bytes;
}

//! A table of numbers with the class in its last column; a header is skipped.
//! Classes may count from 0 or from 1.
inline LabeledPoints ReadTable(const std::string& path)
{
  const std::string text = ReadFile(path);
  std::vector<double> values;
  size_t columns = 0;
  const char* place = text.c_str();
  if (std::isalpha((unsigned char) *place))
    place = std::strchr(place, '\n');
  while (place && *place != '\0')
  {
    char* end;
    const double value = std::strtod(place, &end);
    if (end == place)
      break;
    values.push_back(value);
    if (columns == 0 && *end != ',')
      columns = values.size();
    place = end + (*end == ',' ? 1 : 0);
  }
  if (columns < 2 || values.size() % columns != 0)
    throw std::runtime_error(path + " is not a table of numbers");

  arma::mat all(values.data(), columns, values.size() / columns, false, true);
  LabeledPoints data;
  data.labels = arma::conv_to<arma::Row<size_t>>::from(all.row(columns - 1) -
      all.row(columns - 1).min());
  data.points = all.head_rows(columns - 1);
  return data;
}

//! The items of an IDX file of bytes, one a column, and the size of an item.
inline arma::mat ReadIDX(const std::string& path, const size_t dimensions)
{
  const std::string bytes = ReadFile(path);
  const auto number = [&](const size_t i)
  {
    size_t value = 0;
    for (size_t b = 0; b < 4; ++b)
      value = 256 * value + (unsigned char) bytes[4 * i + b];
    return value;
  };
  const size_t header = 4 * (1 + dimensions);
  if (bytes.size() < header || number(0) != 0x800 + dimensions)
    throw std::runtime_error(path + " is not an IDX file of bytes");
  size_t size = 1;
  for (size_t d = 1; d < dimensions; ++d)
    size *= number(1 + d);
  if (bytes.size() != header + size * number(1))
    throw std::runtime_error(path + " has not as many bytes as it says");

  arma::mat items(size, number(1));
  for (size_t i = 0; i < items.n_elem; ++i)
    items[i] = (unsigned char) bytes[header + i];
  return items;
}

//! MNIST: images, 28 x 28, with pixels from 0 to 1.
inline LabeledPoints ReadMNIST(const std::string& images,
                                const std::string& labels)
{
  LabeledPoints data;
  data.points = ReadIDX(images, 3) / 255;
  data.labels = arma::conv_to<arma::Row<size_t>>::from(ReadIDX(labels, 1));
  if (data.labels.n_elem != data.points.n_cols)
    throw std::runtime_error(labels + " has another number of items");
  return data;
}

//! CIFAR-10's binary batches: images, 32 x 32 x 3, with pixels from 0 to 1.
inline LabeledPoints ReadCIFAR(const std::vector<std::string>& paths)
{
  const size_t pixels = 32 * 32 * 3;
  std::string bytes;
  for (const std::string& path : paths)
    bytes += ReadFile(path);
  if (bytes.empty() || bytes.size() % (pixels + 1) != 0)
    throw std::runtime_error(paths[0] + " is not a batch of CIFAR-10");

  LabeledPoints data;
  data.points.set_size(pixels, bytes.size() / (pixels + 1));
  data.labels.set_size(data.points.n_cols);
  for (size_t i = 0; i < data.points.n_cols; ++i)
  {
    const char* image = bytes.data() + i * (pixels + 1);
    data.labels[i] = (unsigned char) image[0];
    for (size_t p = 0; p < pixels; ++p)
      data.points(p, i) = (unsigned char) image[1 + p] / 255.0;
  }
  return data;
}

} // namespace experiments

#endif
