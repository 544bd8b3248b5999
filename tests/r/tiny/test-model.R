# Models are objects of R that can be kept.

trained <- function() tiny(input = matrix(1:4, 2), scale = 3)$output_model
factor_of <- function(model) tiny(input_model = model)$scale_out

test_that("models are used and left as they are", {
  model <- trained()
  expect_s3_class(model, "TinyModel")
  expect_identical(tiny(input_model = model, negate = TRUE)$scale_out, -3)
  expect_identical(factor_of(model), 3)
  expect_output(print(model), "<TinyModel of [0-9]+ bytes>")
})

test_that("saveRDS() keeps models", {
  file <- tempfile(fileext = ".rds")
  saveRDS(list(model = trained()), file)
  expect_identical(factor_of(readRDS(file)$model), 3)

  # In another process, too.
  script <- tempfile(fileext = ".R")
  writeLines(c("library(mlpacktiny)", paste0("model <- readRDS('", file,
    "')$model"), "cat(tiny(input_model = model)$scale_out)"), script)
  output <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
                    stdout = TRUE, stderr = FALSE,
                    env = paste0("R_LIBS=", paste(.libPaths(),
                                                  collapse = ":")))
  expect_identical(output, "3")
})

test_that("model files of all formats", {
  for (format in c("bin", "json", "xml")) {
    file <- tempfile(fileext = paste0(".", format))
    expect_identical(write_model(trained(), file), file)
    expect_identical(factor_of(read_model(file)), 3)
  }
  expect_length(dir(tempdir(), "[.]tmp$"), 0)
})

test_that("what is no model is refused", {
  file <- tempfile(fileext = ".bin")
  expect_error(read_model(file), "cannot read")
  writeBin(as.raw(1:5), file)
  expect_error(read_model(file), "not a valid TinyModel", fixed = TRUE)
  expect_error(read_model(file, "NoModel"), "must be one of TinyModel")
  expect_error(read_model("model.txt"), "must end in .bin, .json or .xml",
               fixed = TRUE)
  expect_error(write_model(3, file), "must be a model")
  # The file is named once.
  expect_error(write_model(trained(), "/no/such/folder/model.bin"),
               "^model '/no/such/folder/model.bin': cannot be written: [^']*$")
})

test_that("models are freed", {
  for (i in 1:200)
    model <- trained()
  gc()
  expect_identical(factor_of(model), 3)
})

test_that("damaged files are refused, whatever is in them", {
  file <- tempfile(fileext = ".bin")
  write_model(trained(), file)
  bytes <- readBin(file, "raw", 1000)
  for (size in seq_along(bytes) - 1) {
    writeBin(bytes[seq_len(size)], file)
    expect_error(read_model(file), "not a valid TinyModel", fixed = TRUE)
  }
  for (place in seq_along(bytes)) for (bit in 0:7) {
    changed <- bytes
    changed[place] <- xor(changed[place], as.raw(2^bit))
    writeBin(changed, file)
    expect_error(read_model(file), "not a valid TinyModel", fixed = TRUE)
  }
  json <- tempfile(fileext = ".json")
  writeLines(c('{"model": ', strrep("[", 150000)), json)
  expect_error(read_model(json), "nested more than 100 deep")
  xml <- tempfile(fileext = ".xml")
  writeLines(c("<cereal><model>", strrep("<a>", 60000)), xml)
  expect_error(read_model(xml), "nested more than 100 deep")
})

test_that("sizes in a file are not believed", {
  file <- tempfile(fileext = ".json")
  write_model(trained(), file)
  text <- readLines(file)
  text <- text[!grepl('"checksum"', text)]
  text[grepl('"format"', text)] <- '    "format": 1'
  writeLines(text, file)
  expect_identical(factor_of(read_model(file)), 3)
  writeLines(sub('"n_rows": .*', '"n_rows": "150000000",', text), file)
  expect_error(read_model(file), "more elements than it has bytes")
})
