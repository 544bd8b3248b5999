#!/usr/bin/env python3
"""Print a language's package, or the documentation, of mlpack bindings.

    generate.py python  --library libmlpack_gbnn.so --output build/python
    generate.py r       --library libmlpack_gbnn.so --output build/r
    generate.py julia   --library libmlpack_gbnn.so --output build/julia
    generate.py docs    --library libmlpack_gbnn.so --output doc/user/bindings

Everything that depends on the bindings is asked of the library; what does not
lies in bindings/<language>/.  Needs nothing but Python's standard library.  A
language `x` is the module `x_package` beside this file, with the function
`generate(arguments)`.
"""

import argparse
import importlib
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    languages = sorted(path.stem[:-len("_package")]
                       for path in HERE.glob("*_package.py"))
    parser.add_argument("language", choices=languages)
    parser.add_argument("--library", required=True,
                        help="the bindings' shared library")
    parser.add_argument("--output", required=True, type=pathlib.Path,
                        help="folder to write to")
    parser.add_argument("--version", default="0.0.0",
                        help="version of the package")
    parser.add_argument("--source", type=pathlib.Path, nargs="*", default=[],
                        help="the binding files, for packages that bring them "
                             "along")
    arguments = parser.parse_args()
    arguments.templates = HERE.parent / arguments.language
    module = importlib.import_module(arguments.language + "_package")
    module.generate(arguments)


if __name__ == "__main__":
    main()
