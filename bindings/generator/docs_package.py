"""Prints the documentation of bindings, one Markdown page per language.

The pages of the binding that the package is named after are <language>.md,
those of another binding <binding>_<language>.md.

A file bindings/<language>/<binding>/notes.md, if there is one, is added to its
page: it documents what is written by hand on top of the generated function.
"""

import pathlib
import posixpath
import re

from description import describe, fill, mark_names, paragraphs

LANGUAGES = {
    "cli": "the command line",
    "python": "Python",
    "r": "R",
    "julia": "Julia",
}
# Options that only programs have, so the library does not know them.
PROGRAM_OPTIONS = """\
Like every mlpack program it also knows `--help` (`-h`), `--info <option>` and
`--version` (`-V`). For data larger than memory, `--scratch_folder <folder>` keeps
matrices in files there. A table in several text files is a list: `a.csv,b.csv`."""
BINDINGS = pathlib.Path(__file__).resolve().parent.parent


def code(text, language):
    """A block of code."""
    return f"```{language}\n{text}\n```"


def prose(text, language):
    """Documentation as Markdown: calls become blocks of code."""
    parts = []
    for is_code, part in paragraphs(text):
        if is_code:
            parts.append(code(part, language))
        else:
            parts.append(fill(_escape(part), 80))
    return "\n\n".join(parts)


def _escape(text):
    """Names in quotes become code; Markdown leaves what is in it alone."""
    return mark_names(text, "`{}`").replace("<", "&lt;")


def _cell(text):
    return text.replace("|", "\\|")


def _name(parameter, dialect):
    alias = ""
    if dialect == "cli" and parameter.alias:
        alias = f" (`-{parameter.alias}`)"
    spelling = parameter.spelling
    if dialect != "cli" and not parameter.input:
        spelling = parameter.name
    return f"`{spelling}`{alias}"


def table(parameters, dialect, with_default):
    """Parameters as a table."""
    header = ["name", "type", "description"]
    if with_default:
        header.append("default")
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for p in parameters:
        description = _escape(" ".join(p.description.split()))
        if p.required:
            description = "**Required.** " + description
        cells = [_name(p, dialect), _type_link(p), _cell(description)]
        if with_default:
            cells.append(f"`{p.default_text}`" if p.default_text else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _anchor(name):
    return re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-")


def _type_name(parameter):
    """All models share one entry in the list of types."""
    return "model" if parameter.kind == "model" else parameter.type


def _type_link(parameter):
    return f"[{parameter.type}](#{_anchor(_type_name(parameter))})"


def types(binding):
    """What the types of the parameters mean."""
    docs = {}
    for p in binding.parameters:
        docs.setdefault(_type_name(p), p.type_doc)
    return "\n\n".join(f"### {name}\n\n" + fill(docs[name], 80)
                       for name in sorted(docs, key=str.lower))


def call(binding):
    """All parameters in one call."""
    if binding.dialect == "cli":
        return "$ " + binding.called + " [options]"
    separator = "=" if binding.dialect == "python" else " = "
    nothing = {"python": "None", "r": "NULL", "julia": "missing"}
    arguments = []
    for p in binding.inputs:
        default = p.default_text or nothing[binding.dialect]
        arguments.append(p.spelling if p.required
                         else p.spelling + separator + default)
    begin = binding.name + "("
    lines = [begin]
    for i, argument in enumerate(arguments):
        text = argument + (")" if i + 1 == len(arguments) else ",")
        if len(lines[-1]) + 1 + len(text) > 78:
            lines.append(" " * len(begin) + text)
        else:
            space = "" if lines[-1].endswith("(") else " "
            lines[-1] += space + text
    imported = binding.__dict__["import"]
    return (imported + "\n" if imported else "") + "\n".join(lines)


def _link(target):
    """A link of BINDING_SEE_ALSO, seen from where the page lies."""
    if target.startswith(("@src/", "@doc/")):
        return posixpath.relpath(target[1:], "doc/user/bindings")
    return target


def page(binding):
    """The page of one language."""
    language = binding.markdown_language
    dialect = binding.dialect
    notes = BINDINGS / dialect / binding.name / "notes.md"
    parts = [
        f"# {binding.title}: `{binding.called}` on the command line"
        if dialect == "cli" else
        f"# {binding.title}: `{binding.called}` in {LANGUAGES[dialect]}",
        "<!-- Printed by scripts/docs from the binding file; do not edit. -->",
        prose(binding.short_description, language),
        code(call(binding), language),
        "## Input parameters",
        table(binding.inputs, dialect, True),
        *([PROGRAM_OPTIONS] if dialect == "cli" else []),
        "## Output parameters",
        table(binding.outputs, dialect, False),
        "## Details",
        prose(binding.long_description, language),
    ]
    if binding.examples:
        parts.append("## Examples")
        parts += [prose(example, language) for example in binding.examples]
    if notes.exists():
        parts.append(notes.read_text().strip())
    parts += ["## Types", types(binding)]
    if binding.see_also:
        parts.append("## See also")
        parts.append("\n".join(f" * [{s['text']}]({_link(s['link'])})"
                               for s in binding.see_also))
    return "\n\n".join(parts) + "\n"


def generate(arguments):
    arguments.output.mkdir(parents=True, exist_ok=True)
    for dialect in LANGUAGES:
        for i, binding in enumerate(describe(arguments.library, dialect)):
            name = dialect if i == 0 else f"{binding.name}_{dialect}"
            (arguments.output / f"{name}.md").write_text(page(binding))
