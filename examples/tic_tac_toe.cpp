/**
 * @file examples/tic_tac_toe.cpp
 *
 * Writes the end boards of tic-tac-toe into a folder, two thirds to train on
 * and the others to test with, and prints what plain mlpack methods make of
 * them.
 *
 *     tic_tac_toe FOLDER
 *
 * Files: train.csv (nine squares, each x, o or b for blank, and the label: 1 if
 * x has won), test.csv (the squares alone) and test_labels.csv.
 */
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <mlpack/methods/decision_tree/decision_tree.hpp>
#include <mlpack/methods/logistic_regression/logistic_regression.hpp>

#include "tic_tac_toe.hpp"

using namespace mlpack;

//! Write the files; returns the number of boards to train on.
size_t WriteFiles(const std::filesystem::path& folder)
{
  const std::vector<std::string> boards = examples::TicTacToeBoards();
  const size_t train = boards.size() * 2 / 3;
  std::filesystem::create_directories(folder);
  std::ofstream trainFile(folder / "train.csv"), testFile(folder / "test.csv"),
      labelFile(folder / "test_labels.csv");
  for (size_t i = 0; i < boards.size(); ++i)
  {
    std::ofstream& file = (i < train) ? trainFile : testFile;
    for (size_t square = 0; square < 9; ++square)
      file << (square > 0 ? "," : "") << boards[i][square];
    const int label = examples::HasLine(boards[i], 'x') ? 1 : 0;
    if (i < train)
      trainFile << ',' << label << '\n';
    else
    {
      testFile << '\n';
      labelFile << label << '\n';
    }
  }
  if (!trainFile || !testFile || !labelFile)
    throw std::runtime_error("cannot write into " + folder.string());
  return train;
}

template<typename ModelType>
void Report(const char* name,
            const ModelType& model,
            const arma::mat& data,
            const arma::Row<size_t>& labels)
{
  arma::Row<size_t> predictions;
  model.Classify(data, predictions);
  const double accuracy = arma::accu(predictions == labels) /
      double(labels.n_elem);
  std::printf("%-32s accuracy %.4f\n", name, accuracy);
}

int main(int argc, char** argv)
{
  if (argc != 2)
  {
    std::fprintf(stderr, "usage: tic_tac_toe FOLDER\n");
    return 2;
  }
  const size_t train = WriteFiles(argv[1]);
  arma::mat data;
  arma::Row<size_t> labels;
  examples::TicTacToe(data, labels);
  const arma::mat trainData = data.head_cols(train);
  const arma::Row<size_t> trainLabels = labels.head(train);
  const arma::mat testData = data.tail_cols(data.n_cols - train);
  const arma::Row<size_t> testLabels = labels.tail(data.n_cols - train);
  Report("mlpack's decision tree", DecisionTree<>(trainData, trainLabels, 2),
      testData, testLabels);
  Report("mlpack's logistic regression", LogisticRegression<>(trainData,
      trainLabels, 0.001), testData, testLabels);
}
