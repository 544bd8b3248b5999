"""The benchmark of GBNN and its peers; `benchmarks/run` starts it."""
