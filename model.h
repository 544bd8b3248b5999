/* A gradient boosted neural network, written by GBNN for mlpack: 2 columns,
 * 20 hidden units, 2 classes.  C99 and C++; link with -lm.
 *
 *   double point[predict_columns] = { ... };
 *   double outputs[predict_outputs];
 *   double label = predict(point, outputs);
 *
 * A point has a number for each column: the number of a numeric one, the code of
 * a category (predict_category() has it; any other number is a category that
 * did not occur in training), or NaN if it is missing.  predict() fills outputs,
 * unless it is NULL, with the probability of each class, in ascending order of
 * the labels (predict_label() and predict_label_name() have them), and returns
 * the likeliest label.
 */
#ifndef GBNN_MODEL_MODEL_H
#define GBNN_MODEL_MODEL_H

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Names begin with "predict" unless another name is defined before. */
#ifndef GBNN_PREDICT
#define GBNN_PREDICT predict
#endif
#define GBNN_JOIN2(a, b) a##b
#define GBNN_JOIN(a, b) GBNN_JOIN2(a, b)
#define GBNN_NAME(rest) GBNN_JOIN(GBNN_PREDICT, rest)

enum
{
  GBNN_NAME(_columns) = 2,
  GBNN_NAME(_outputs) = 2
};

/* The name of a column; "" if it is not known. */
static inline const char* GBNN_NAME(_column_name)(int column)
{
  static const char* const names[2] = {
    "", ""
  };
  return names[column];
}

/* The label of a class; if labels are words, the number of the class. */
static inline double GBNN_NAME(_label)(int k)
{
  static const double labels[2] = {
    0.0, 1.0
  };
  return labels[k];
}

/* The label of a class, as text. */
static inline const char* GBNN_NAME(_label_name)(int k)
{
  static const char* const names[2] = {
    "0", "1"
  };
  return names[k];
}

/* The code of a category of a column; -1 if it did not occur in training. */
static inline int GBNN_NAME(_category)(int column, const char* text)
{
  static const int first[3] = {
    0, 0, 0
  };
  static const char* const texts[1] = {
    ""
  };
  int i;
  for (i = first[column]; i < first[column + 1]; ++i)
    if (strcmp(texts[i], text) == 0)
      return i - first[column];
  return -1;
}

/* Turns a point into the inputs of the network. */
static inline void GBNN_NAME(_encode)(const double* point, double* x)
{
  static const int counts[2] = {
    0, 0
  };
  static const int gaps[2] = {
    0, 0
  };
  static const double mean[2] = {
    0.0, 0.0
  };

  int column, k, i = 0;
  for (column = 0; column < GBNN_NAME(_columns); ++column)
  {
    const double value = point[column];
    const int missing = value != value;
    int known = missing && gaps[column];
    if (counts[column] == 0)
    {
      x[i] = missing ? mean[i] : value;
      ++i;
    }
    for (k = 0; k < counts[column]; ++k)
      known = known || value == k;
    for (k = 0; k < counts[column]; ++k, ++i)
      x[i] = known ? (value == k) : mean[i];
    if (gaps[column])
      x[i++] = missing;
  }
}

/* Predicts one point; see the first lines of this file. */
static inline double GBNN_PREDICT(const double* point, double* outputs)
{
  enum { inputs = 2, units = 20, scores = 1 };
  static const double hidden_weights[40] = {
    -16.130877695691446, 16.520664485307925, 16.811956514771463,
    -16.940105030474026, 14.914894610657011, -15.105138790009141,
    15.472395130850867, -15.494486252896374, -13.596995501069225,
    12.733223789799458, 15.004015044498548, -14.913828837553954,
    -13.338624323944511, 12.947727180341863, 13.6184714610727,
    -14.193147597169597, 21.107970385534085, -21.35131467130813,
    -20.110938217770467, 20.431275798815566, -19.10963575963422,
    19.427657330798986, 17.91073083473589, -18.67221171167981,
    -19.671284890862392, 19.969082717299653, 15.712869515243655,
    -16.497790609477214, -18.054082577357427, 18.35167969265163,
    14.671339678243035, -15.368617636398243, 18.562645839777513,
    -21.349431214623877, -20.76874584661604, 20.967102351136845,
    17.949403882090564, -17.12264675316608, 18.895290074776128,
    -18.91725484284166
  };
  static const double hidden_bias[20] = {
    -0.10777440380906703, 0.016899972937433068, 0.1299922614001672,
    0.2759422250387521, -0.41040768775990105, -0.001958690095654434,
    -0.3064123249819408, 0.022224869037223826, -0.04547547703121335,
    -0.2963364247711117, -0.7440614862987069, -0.24527918595978127,
    -0.10798507736934951, 0.16446797313581965, 0.20954609795101597,
    -0.04474601904774739, -0.08689473850596915, -0.011574276313806663,
    -0.043086201652173785, 0.18605434758558817
  };
  static const double output_weights[20] = {
    -0.4155594245127658, 0.3753794287516688, 0.34722783206768293,
    0.3244878538723536, -0.30636678632883213, 0.29317190147988875,
    -0.2823894157241972, 0.27323031040311596, 0.26335729101345945,
    -0.2571465457652394, -0.2504866623496622, 0.24623104013257396,
    -0.24326439756401394, 0.24097197694147646, -0.23715633133657157,
    0.2353496085932089, 0.22464748449788569, -0.23121968442065166,
    0.22826096668974222, 0.22793541755757346
  };
  static const double output_bias[1] = {
    -0.5085438835623992
  };

  double x[inputs], f[scores];
  int u, i, k, best = 0;
  GBNN_NAME(_encode)(point, x);
  for (k = 0; k < scores; ++k)
    f[k] = output_bias[k];
  for (u = 0; u < units; ++u)
  {
    double z = hidden_bias[u], a;
    for (i = 0; i < inputs; ++i)
      z += hidden_weights[u * inputs + i] * x[i];
    a = 1 / (1 + exp(-z));
    for (k = 0; k < scores; ++k)
      f[k] += output_weights[u * scores + k] * a;
  }
  best = f[0] > 0;
  for (k = 0; k < scores; ++k)
    f[k] = 1 / (1 + exp(-f[k]));
  if (outputs != NULL)
  {
    outputs[0] = 1 - f[0];
    outputs[1] = f[0];
  }
  return GBNN_NAME(_label)(best);
}

#undef GBNN_NAME
#undef GBNN_JOIN
#undef GBNN_JOIN2
#undef GBNN_PREDICT

#endif
