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
 * the labels (predict_label() has them), and returns the likeliest label.
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

/* The label of a class. */
static inline double GBNN_NAME(_label)(int k)
{
  static const double labels[2] = {
    0.0, 1.0
  };
  return labels[k];
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
  static const double fill[2] = {
    0.0, 0.0
  };
  static const double mean[2] = {
    0.0, 0.0
  };

  int column, k, i = 0;
  for (column = 0; column < GBNN_NAME(_columns); ++column)
  {
    const double value = (point[column] != point[column]) ? fill[column] :
        point[column];
    int known = 0;
    if (counts[column] == 0)
      x[i++] = value;
    for (k = 0; k < counts[column]; ++k)
      known = known || value == k;
    for (k = 0; k < counts[column]; ++k, ++i)
      x[i] = known ? (value == k) : mean[i];
  }
}

/* Predicts one point; see the first lines of this file. */
static inline double GBNN_PREDICT(const double* point, double* outputs)
{
  enum { inputs = 2, units = 20, scores = 1 };
  static const double hidden_weights[40] = {
    -15.88542787120036, 16.301964806737832, -14.360309117831184,
    14.891111844329478, 15.0903481323959, -15.597534093661407,
    -13.662098471178659, 14.381904620793271, -13.236160513039916,
    13.504258843182626, 14.856372958777662, -15.382768222206039,
    12.85825127531197, -13.838094260856819, -12.388675507139375,
    12.23789792668763, 21.019298503941325, -21.710663829976113,
    13.822459487757051, -13.946392199460222, -17.77494130905494,
    18.623794626079583, -16.943876170278294, 17.44183135879302,
    16.040364816097096, -17.631277807804953, -17.89410446279623,
    19.15105157895372, 14.025565702441366, -13.770297396417464,
    11.727566783111975, -12.188117211487361, -32.633948501735965,
    33.54013586191341, 18.22373943334976, -19.496246843233852,
    -27.8927345540398, 28.279371118241226, -14.551780016696064,
    15.688304435925705
  };
  static const double hidden_bias[20] = {
    0.4898057582956402, 0.2682488437455141, -0.24646655076406118,
    0.23735355708592284, 0.20142297681668375, -0.5421992559489097,
    -0.6442744311182353, -0.05222601986957934, 0.15392309495515905,
    0.08880136714893587, 0.31428875402996814, 1.0287890390992303,
    -0.8345882307624634, 0.21818931416053355, 0.4597732493751256,
    -0.9262225731386137, 0.5185150602052381, -0.7864144864106027,
    0.09152853935873341, 1.9073215501932472
  };
  static const double output_weights[20] = {
    -0.4090420311897792, -0.3734252458402093, 0.34520795466666043,
    -0.32442714489625113, -0.3078152335070283, 0.2926986189677866,
    0.281711708729292, -0.2738017586207511, 0.26402132241612475,
    0.2590477751931718, -0.2526618249903357, -0.2444149867649425,
    0.24081662957869462, -0.239595039148953, 0.23667151306780862,
    0.23219599367863478, -0.23302760734110345, 0.2289413233963425,
    -0.2295980577317477, -0.2089085524379004
  };
  static const double output_bias[1] = {
    0.3458819931660163
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
