// Everything in the method that is only checked when it is used.
#include <mlpack/methods/gbnn.hpp>
#include <mlpack/methods/gbnn/export/gbnn_export.hpp>
#include <mlpack/methods/gbnn/report/gbnn_report.hpp>

template class mlpack::BoostedNetwork<arma::mat>;
template class mlpack::StageFunction<arma::fmat>;
template class mlpack::DeepGBNN<arma::mat>;
template class mlpack::DeepGBNN<arma::fmat>;
template class mlpack::GBNN<arma::mat, mlpack::LogLoss>;
template class mlpack::GBNNClassifier<arma::mat>;
template class mlpack::GBNNClassifier<arma::fmat>;
template class mlpack::AnytimeClassifier<arma::mat>;
template class mlpack::AnytimeClassifier<arma::fmat>;
template class mlpack::GBNNRegressor<arma::mat>;
template class mlpack::GBNNRegressor<arma::fmat>;
template class mlpack::GBNNRegressor<arma::mat, mlpack::RegressionLoss>;
template class mlpack::GBNNRegressor<arma::fmat, mlpack::RegressionLoss>;

void Use(const arma::mat& data, const arma::Row<size_t>& labels)
{
  mlpack::GBNNClassifier<> model(data, labels, 2);
  ens::Adam adam;
  model.Train(data, labels, 2, adam, ens::PrintLoss());
  model.Classify(data.col(0));
  mlpack::AnytimeClassifier(model).Classify(data.col(0));
  mlpack::UnitsForLatency(model, 1.0);
  mlpack::BalancedWeights(labels);
  model.Network();
}

void LookInside(const mlpack::GBNNModel& model, const arma::mat& data)
{
  const mlpack::gbnn::SeenPoints seen = { "test data", data, { }, { }, { } };
  const arma::mat importance = mlpack::gbnn::ColumnImportance(model, seen, 5,
      1);
  mlpack::gbnn::ColumnGradients(model, data);
  const mlpack::gbnn::TableSummary table;
  mlpack::gbnn::GBNNReport(model, table, seen, importance).HTML();
  mlpack::Export(model, "model.h");
}
