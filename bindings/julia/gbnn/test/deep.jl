# deep_gbnn() in Julia.

const deep_options = (layers = [12, 8, 6], trunk_epochs = 20,
                      trunk_step_size = 0.01, hidden_units = 20, seed = 1)

@testset "deep_gbnn" begin
    result = deep_gbnn(training = X, labels = labels, test = X,
                       test_labels = labels; deep_options...)
    @test result.accuracy == sum(result.predictions .== labels) / 200
    @test result.accuracy > 0.9
    @test 0.5 < result.trunk_accuracy <= 1
    @test occursin("trunk", result.summary)
    @test size(result.probabilities) == (200, 2)
    # The head has the 6 units of the trunk's last layer, and 20 more.
    @test size(result.staged_scores) == (27, 2)
    @test result.output_model isa DeepGBNNModel

    # Columns and the target by their names.
    table = (b = X[:, 2], class = ["no", "yes"][labels], a = X[:, 1])
    named = deep_gbnn(training = table, target = "class", test = table;
                      deep_options...)
    @test named.accuracy > 0.9
    @test named.predictions isa Vector{String}
    @test deep_gbnn(input_model = named.output_model,
                    test = (a = X[:, 1], b = X[:, 2])).probabilities ==
        named.probabilities

    # Responses, with weights and early stopping.
    y = sin.(X[:, 1]) .+ X[:, 2]
    responses = deep_gbnn(training = X, responses = y, test = X,
                          test_responses = y, weights = 1.0 .+ (1:200) .% 2,
                          validation_fraction = 0.2; deep_options...)
    @test size(responses.output_predictions) == (200, 1)
    @test responses.error ≈
        sqrt(sum((responses.output_predictions[:, 1] .- y) .^ 2) / 200)
    @test occursin("RMSE on the test data: trunk", responses.summary)
    @test_throws ArgumentError deep_gbnn(training = X, responses = y,
                                         weights = [1.0]; deep_options...)

    # A model that was written is the same model.
    mktempdir() do folder
        path = joinpath(folder, "deep.json")
        write_model(path, result.output_model)
        model = read_model(DeepGBNNModel, path)
        @test deep_gbnn(input_model = model, test = X).probabilities ==
            result.probabilities
        # And no model of another binding.
        @test_throws ArgumentError read_model(GBNNModel, path)
        @test_throws ArgumentError gbnn(input_model = model, test = X)
    end
    @test_throws ArgumentError deep_gbnn(training = X, labels = labels,
                                         layers = [5])
    @test_throws ArgumentError deep_gbnn(training = X, trunk_epoch = 5)
end
