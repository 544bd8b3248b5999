"""Prints the source of the R package of a library's bindings.

<output>/mlpack<name>/      ready for R CMD build

The package brings along the sources that it is compiled from: those of the
bindings' machinery and, given with --source, the binding files with the method
they belong to.  Hand-written R code of one binding lies in
bindings/r/<binding>/, with its tests, manual pages, vignettes, and what its
DESCRIPTION says of other packages; its function then takes a formula as well.
"""

import pathlib
import re
import shutil
import string

from description import describe, fill, mark_names, paragraphs

HEADER = "# Generated from the binding `{name}`; do not edit.\n\n"
BINDING = """\
// The binding, compiled for the languages; see mlpack/bindings/library/.
#define CEREAL_THREAD_SAFE 1
#define BINDING_TYPE BINDING_TYPE_PYX
#define MLPACK_BINDING_PACKAGE {package}
#include <mlpack/bindings/library/log.hpp>
#include <{source}>
"""
EXTRA_ARGUMENTS = {
    "formula": "What to predict from which columns of \\code{data}, like "
               "\\code{y ~ .}.  A factor, strings or logicals on the left "
               "side make this classification, numbers regression.",
    "data": "A data frame with the columns of the formula.",
}
# What the package needs, unless a binding has a DESCRIPTION that says so.
PACKAGES = "Imports: stats, tools\nSuggests: testthat (>= 2.1.0)"
DOTS = "Not used; refuses names that are no parameter."


def _string(text):
    """A string of R."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text + '"'


def _signature(binding, extra):
    """The arguments with their defaults.  What comes after `...` must be
    written in full, so that a typo is no abbreviation."""
    arguments = [f"{name} = NULL" for name in extra] + ["..."]
    for p in binding.inputs:
        arguments.append(p.spelling if p.required else
                         f"{p.spelling} = {p.default_text or 'NULL'}")
    return arguments


def _wrap(begin, arguments, end):
    """A list of arguments, broken into lines."""
    lines = [begin]
    for i, argument in enumerate(arguments):
        text = argument + (end if i + 1 == len(arguments) else ",")
        if i > 0 and len(lines[-1]) + 1 + len(text) > 79:
            lines.append(" " * len(begin) + text)
        else:
            lines[-1] += (" " if i > 0 else "") + text
    return "\n".join(lines)


def _table(binding):
    """The parameters as R/binding.R wants them."""
    rows = []
    for p in binding.parameters:
        rows.append(
            f"  parameter({_string(p.name)}, {_string(p.spelling)}, "
            f"{_string(p.kind)}, {str(p.input).upper()},\n"
            f"            {str(p.transposed).upper()}, "
            f"{_string(p.model_type or '')}, {_string(p.type)})")
    return (f"bindings${binding.name} <- rbind(\n" + ",\n".join(rows)
            + ")\n")


def _function(binding, extra):
    """The function of the binding."""
    begin = f"{binding.name} <- function("
    text = _wrap(begin, _signature(binding, extra), ") {\n")
    text += "  call <- match.call(expand.dots = FALSE)\n"
    if extra:
        names = ", ".join(_string(name) for name in extra)
        text += (f"  values <- given(call, environment(), c({names}))\n"
                 f"  fit_{binding.name}({', '.join(extra)}, values, call)\n")
    else:
        name = _string(binding.name)
        text += ("  values <- given(call, environment())\n"
                 f"  run_binding({name}, with_column_names({name}, values))\n")
    return text + "}\n"


# --- Documentation -------------------------------------------------------

def _rd(text):
    """Text for Rd files; names in quotes become code."""
    text = re.sub(r"([\\%{}])", r"\\\1", text)
    return mark_names(text, r"\code{{{}}}")


def _rd_verbatim(text):
    return re.sub(r"([\\%])", r"\\\1", text)


def _rd_prose(text):
    """Documentation; calls in it become blocks of code."""
    parts = []
    for is_code, part in paragraphs(text):
        parts.append("\\preformatted{" + _rd_verbatim(_unprompted(part)) + "}"
                     if is_code else fill(_rd(part), 78))
    return "\n\n".join(parts)


def _unprompted(text):
    """Code without the interpreter's prompts."""
    return re.sub(r"^(R> |\+  )", "", text, flags=re.MULTILINE)


def _rd_items(pairs):
    return "\n".join("\\item{" + name + "}{" + fill(text, 74, "    ").strip()
                     + "}" for name, text in pairs)


def _rd_arguments(binding, extra):
    items = [(name, EXTRA_ARGUMENTS[name]) for name in extra]
    items.append(("\\dots", DOTS))
    for p in binding.inputs:
        default = ""
        if p.default not in (None, "", []):
            default = f"  Default: \\code{{{_rd_verbatim(p.default_text)}}}."
        items.append((p.spelling, _rd(f"{p.description} ({p.type})")
                      + default))
    return _rd_items(items)


def _rd_examples(binding, examples):
    """Examples that R CMD check runs, and those of the binding file."""
    text = examples.read_text() if examples.exists() else ""
    calls = [_unprompted(part) for example in binding.examples
             for is_code, part in paragraphs(example) if is_code]
    return (_rd_verbatim(text) + "\n\\dontrun{\n"
            + _rd_verbatim("\n\n".join(calls)) + "\n}")


def manual(binding, extra, examples):
    """The page of the function."""
    usage = _wrap(binding.name + "(", _signature(binding, extra), ")")
    returned = _rd_items((p.name, _rd(f"{p.description} ({p.type})"))
                         for p in binding.outputs)
    sections = [
        ("name", binding.name), ("alias", binding.name),
        ("title", _rd(binding.title)),
        ("description", "\n" + _rd_prose(binding.short_description) + "\n"),
        ("usage", "\n" + _rd_verbatim(usage) + "\n"),
        ("arguments", "\n" + _rd_arguments(binding, extra) + "\n"),
        ("value", f"\nA list{' of class ' + binding.name if extra else ''} "
         "with the results:\n" + returned + "\n"),
        ("details", "\n" + _rd_prose(binding.long_description) + "\n"),
        ("examples", "\n" + _rd_examples(binding, examples) + "\n"),
    ]
    return ("% Generated from the binding file; do not edit.\n"
            + "\n".join(f"\\{name}{{{text}}}" for name, text in sections)
            + "\n")


# --- Files ---------------------------------------------------------------

def namespace(bindings, package, extra):
    """What the package offers."""
    names = ", ".join(binding.name for binding in bindings)
    text = HEADER.format(name=names).rstrip("\n") + "\n"
    text += f"useDynLib({package}, .registration = TRUE, .fixes = \"C_\")\n"
    text += f"export({names}, read_model, write_model)\n"
    text += "S3method(print, mlpack_model)\n"
    return text + (extra.read_text() if extra.exists() else "")


def _copy_sources(package, name, sources):
    """The machinery, and the binding files with their method."""
    include = package / "src" / "include"
    bindings = pathlib.Path(__file__).resolve().parent.parent / "include"
    for path in bindings.rglob("*.h*"):
        part = path.relative_to(bindings)
        if "cli" not in part.parts or path.name in ("cli_dialect.hpp",
                                                    "file_format.hpp"):
            _copy(path, include / part)
    # The headers of the method that the machinery shares.
    for header in ("export/json_text.hpp", "files/whole_file.hpp"):
        shared = pathlib.Path("mlpack/methods/gbnn") / header
        _copy(bindings.parent.parent / "src" / shared, include / shared)
    for source in sources:
        _copy_binding(package, include, name, source)


def _copy_binding(package, include, name, source):
    """A binding file with its method."""
    # A method lies in mlpack/methods/<name>/, with a header beside the folder.
    parts = source.parts
    place = pathlib.Path(source.name)
    if "methods" in parts:
        root = source.parents[len(parts) - parts.index("methods")]
        place = source.relative_to(root)
        for path in source.parent.rglob("*.hpp"):
            _copy(path, include / path.relative_to(root))
        header = source.parent.with_suffix(".hpp")
        if header.exists():
            _copy(header, include / header.relative_to(root))
    _copy(source, include / place)
    stem = source.stem[:-len("_main")]
    (package / "src" / f"{stem}_binding.cpp").write_text(
        BINDING.format(package=name, source=place.as_posix()))


def _copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def generate(arguments):
    bindings = describe(arguments.library, "r")
    binding = bindings[0]
    name = f"mlpack{binding.name}"
    package = arguments.output / name
    if package.exists():
        shutil.rmtree(package)
    templates = arguments.templates
    own = templates / binding.name
    packages = own / "DESCRIPTION"
    values = {
        "packages": (packages.read_text().strip() if packages.exists()
                     else PACKAGES),
        "package": name, "name": binding.name, "version": arguments.version,
        "title": binding.title,
        "description": fill(binding.short_description, 75, "    ").strip(),
        "model_type": (binding.model_types + [""])[0],
    }

    for path in [*templates.glob("R/*.R"), *templates.glob("src/**/*.*"),
                 *templates.glob("man/*"), templates / "LICENSE",
                 templates / "configure", templates / "cleanup",
                 templates / "DESCRIPTION.in"]:
        _copy(path, package / path.relative_to(templates))
    for folder in ("R", "man", "tests", "vignettes"):
        for path in (own / folder).rglob("*.*"):
            if path.is_file():
                _copy(path, package / path.relative_to(own))
    if (package / "tests").exists():
        _copy(templates / "tests.R.in", package / "tests" / "testthat.R.in")
    # Makevars.in is configure's: only its name of the package is filled in.
    for path in list(package.rglob("*.in")):
        text = string.Template(path.read_text()).substitute(values)
        target = path if path.name == "Makevars.in" else path.with_suffix("")
        if target != path:
            path.unlink()
        target.write_text(text)

    text = f"default_model_type <- {_string(values['model_type'])}\n"
    (package / "man").mkdir(exist_ok=True)
    for each in bindings:
        folder = templates / each.name
        extra = list(EXTRA_ARGUMENTS) if folder.exists() else []
        text += "\n" + _table(each) + "\n" + _function(each, extra)
        (package / "man" / f"{each.name}.Rd").write_text(
            manual(each, extra, folder / "examples.R"))
    # After R/binding.R, since R reads files in the order of their names.
    (package / "R" / "functions.R").write_text(
        HEADER.format(name=", ".join(each.name for each in bindings)) + text)
    (package / "NAMESPACE").write_text(
        namespace(bindings, name, own / "NAMESPACE"))
    _copy_sources(package, binding.name, arguments.source)
