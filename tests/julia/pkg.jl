# The package works with Julia's package manager:  julia pkg.jl <package folder>

using Pkg

Pkg.activate(mktempdir())
Pkg.develop(PackageSpec(path = ARGS[1]))
@eval using MlpackGBNN
X = [0.0 1; 1 0; 0 2; 2 0]
result = @eval gbnn(training = X, labels = [1, 2, 1, 2], test = X,
                    hidden_units = 5, seed = 1)
result.predictions == [1, 2, 1, 2] || error("wrong predictions: ", result)
