# parsnip, the front end of tidymodels: mlp() with the engine "gbnn".

.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip"))
    register_parsnip()
  setHook(packageEvent("parsnip", "onLoad"), function(...) register_parsnip())
}

# The names of arguments in parsnip and here.
parsnip_arguments <- c(hidden_units = "hidden_units", penalty = "l2",
                       activation = "activation", learn_rate = "learning_rate")

register_parsnip <- function() {
  # Once is enough; parsnip keeps what it is told until it is unloaded.
  if ("gbnn" %in% parsnip::get_from_env("mlp")$engine)
    return(invisible())
  for (mode in c("classification", "regression")) {
    parsnip::set_model_engine("mlp", mode, "gbnn")
    parsnip::set_dependency("mlp", "gbnn", "mlpackgbnn", mode = mode)
    parsnip::set_fit("mlp", mode, "gbnn", value = list(
      interface = "formula", protect = c("formula", "data", "weights"),
      func = c(pkg = "mlpackgbnn", fun = "gbnn"), defaults = list()))
    # Factors and missing values go to gbnn() as they are.
    parsnip::set_encoding("mlp", mode, "gbnn", options = list(
      predictor_indicators = "none", compute_intercept = FALSE,
      remove_intercept = FALSE, allow_sparse_x = FALSE))
  }
  for (name in names(parsnip_arguments))
    parsnip::set_model_arg("mlp", "gbnn", name, parsnip_arguments[[name]],
                           list(pkg = "dials", fun = name), FALSE)

  predictions <- function(mode, type, own = type, post = NULL) {
    parsnip::set_pred("mlp", mode, "gbnn", type, list(
      pre = NULL, post = post, func = c(fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data),
                  type = own)))
  }
  predictions("classification", "class")
  predictions("classification", "prob",
              post = function(x, object) as.data.frame(x))
  predictions("classification", "raw", "prob")
  # One response is a vector, several are the columns of a matrix.
  predictions("regression", "numeric", "response",
              function(x, object) if (is.matrix(x)) as.data.frame(x) else x)
  predictions("regression", "raw", "response")
}
