/**
 * @file tests/refinement/loaded_copy.hpp
 *
 * A model after it was saved and loaded.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef TESTS_REFINEMENT_LOADED_COPY_HPP
#define TESTS_REFINEMENT_LOADED_COPY_HPP

#include "test_tools.hpp"

//! What is loaded where a model was saved.
template<typename ModelType>
ModelType LoadedCopy(const ModelType& model)
{
  std::stringstream stream;
  {
    cereal::BinaryOutputArchive archive(stream);
    archive(cereal::make_nvp("model", model));
  }
  ModelType loaded;
  cereal::BinaryInputArchive archive(stream);
  archive(cereal::make_nvp("model", loaded));
  return loaded;
}

#endif
