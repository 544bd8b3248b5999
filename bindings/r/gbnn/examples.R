# A formula: a factor is classified, a number is regressed.
fit <- gbnn(Species ~ ., data = iris, hidden_units = 30, seed = 1)
fit
table(predict(fit, iris), iris$Species)

# Matrices, and whole numbers for labels.
x <- as.matrix(iris[1:4])
result <- gbnn(training = x, labels = as.integer(iris$Species), test = x,
               hidden_units = 30, seed = 1)
head(result$probabilities)

# Several responses at once.
car <- gbnn(cbind(mpg, hp) ~ wt + cyl, data = mtcars, hidden_units = 9,
            seed = 1)
predict(car, mtcars[1:3, ])
