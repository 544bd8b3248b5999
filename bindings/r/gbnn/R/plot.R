# Pictures of fits.

plot.gbnn <- function(x, which = c("loss", "units", "importance"), ...) {
  which <- match.arg(which, several.ok = TRUE)
  curves <- plotted(x)
  lost <- setdiff(which, names(curves))
  # All pictures are asked for unless they are named.
  if (length(lost) > 0 && (length(which) < 3 || length(curves) == 0))
    stop("which = \"", lost[1], "\" needs points with known labels or ",
         "responses; give gbnn() the model with 'test' and 'test_labels' or ",
         "'test_responses'", if (lost[1] == "importance")
           ", and importance = TRUE", call. = FALSE)
  curves <- curves[intersect(which, names(curves))]
  if (length(curves) > 1) {
    before <- graphics::par(mfrow = c(1, length(curves)))
    on.exit(graphics::par(before))
  }
  for (name in names(curves))
    draw[[name]](curves[[name]], ...)
  invisible(curves)
}

# The model of a file has its training losses.
plot.GBNNModel <- function(x, ...) {
  plot.gbnn(model_as_fit(x), ...)
}

# What there is to plot.
plotted <- function(x) {
  seen <- look_inside(x)
  curves <- list()
  if (NROW(x$training_losses) > 1)
    curves$loss <- as.data.frame(x$training_losses)
  if (length(seen$staged_scores) > 0)
    curves$units <- structure(as.data.frame(seen$staged_scores), score =
      if (isTRUE(x$about$regression)) "error" else "accuracy",
      title = paste("On the", seen$scored_on))
  importances <- ordered_importances(x, seen)
  if (!is.null(importances))
    curves$importance <- structure(importances, title = paste0(
      "Importance, ", seen$measured_on))
  curves
}

draw <- list(
  loss = function(curve, ...) {
    losses <- curve[-1]
    graphics::matplot(curve$units, losses, type = "l", xlab = "hidden units",
                      ylab = "loss", main = "While boosting", ...)
    if (ncol(losses) > 1)
      graphics::legend("topright", names(losses), lty = seq_along(losses),
                       col = seq_along(losses), bty = "n")
  },
  units = function(curve, ...) {
    graphics::plot(curve$units, curve$score, type = "l", xlab = "active units",
                   ylab = attr(curve, "score"), main = attr(curve, "title"),
                   ...)
  },
  importance = function(curve, ...) {
    # The most important is on top.
    top <- rev(seq_len(min(nrow(curve), 30)))
    labels <- rownames(curve)[top]
    # Room for the names.
    lines <- min(2 + max(nchar(labels)) / 2, 15)
    before <- graphics::par(mar = c(5, lines, 4, 1) + 0.1)
    on.exit(graphics::par(before))
    graphics::barplot(curve$permutation[top], names.arg = labels, horiz = TRUE,
                      las = 1, xlab = "rise of the loss when shuffled",
                      main = attr(curve, "title"), ...)
  })
