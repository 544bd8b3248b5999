/**
 * @file benchmarks/cpp/tasks.hpp
 *
 * What the benchmark program can be asked.
 */
#ifndef GBNN_BENCHMARKS_TASKS_HPP
#define GBNN_BENCHMARKS_TASKS_HPP

#include <iosfwd>

#include "measure.hpp"

namespace benchmark {

/**
 * Train a contestant on files and score it on others.
 *
 * Arguments: its name (gbnn_auto, gbnn_lbfgs, adaboost or random_forest), the
 * prefix of the files, the number of classes (0 for regression), the number of
 * hidden units, trees or weak learners, and a seed.
 */
Answer Compete(std::istream& arguments);

/**
 * Train on generated data.
 *
 * Arguments: optimizer (auto or lbfgs), type (double or float), number of
 * points, dimensionality, hidden units, iterations of L-BFGS (0 for the
 * default; otherwise exactly so many) and, if it shall count evaluations in a
 * second training, 1.
 */
Answer Scale(std::istream& arguments);

/**
 * Predict generated data, next to the bare matrix product.
 *
 * Arguments: type (double or float), number of points, dimensionality, hidden
 * units, and the number of rounds, of which the fastest counts.
 */
Answer Predict(std::istream& arguments);

//! The time of predicting one point, and the processor's peak as seen by a
//! product of large matrices.  Arguments: dimensionality and hidden units.
Answer Latency(std::istream& arguments);

/**
 * Encode, scale and train as the front ends do.
 *
 * Arguments: the prefix of the files, hidden units, and iterations of L-BFGS.
 */
Answer Call(std::istream& arguments);

} // namespace benchmark

#endif
