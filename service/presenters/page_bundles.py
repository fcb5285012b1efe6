"""The modules and style sheets of the page, joined into a few files that take few requests to load.

A browser that loads modules one by one learns of each only from those that import it. Here each module
becomes a function that is called where it stands and returns its exports. What always comes together stands
in one file. The import statements alone say which modules there are. The modules stay as they are, and no
file is written.

```python
bundles = join_page({"index.html": "...", "js/main.js": "..."})
bundles.files["bundle/main.js"]
```
"""

from __future__ import annotations

import posixpath
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

FOLDER = "bundle"
"""The folder that the joined files are served in, beside those that they are made of."""
WORTH_A_REQUEST = 1_500
"""Compressed bytes from which on modules that some pages share have a file of their own."""

_NAMES = r"\{(?P<names>[^}]*)\}"
_FROM = r'\s*from\s*"(?P<path>[^"]+)";?'
_IMPORT = re.compile(rf"(?m)(?:^|(?<=;))import\s*(?:(?P<default>\w+)|{_NAMES}){_FROM}")
_EXPORT_FROM = re.compile(rf"(?m)(?:^|(?<=[;}}]))export\s*{_NAMES}{_FROM}")
_EXPORT_LIST = re.compile(rf"(?m)(?:^|(?<=[;}}]))export\s*{_NAMES};?")
_EXPORT = re.compile(r"(?m)^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))")
_EXPORT_DEFAULT = re.compile(r"(?:^|(?<=;))export default (?=function\()")
_LATE = re.compile(r'\bimport\("(?P<path>[^"]+)"\)')
_PLACE = "import.meta.url"
_STATEMENT = re.compile(r"(?m)^(?:import|export)\b(?!\().*")
_COMMENT = re.compile(r"(?ms)^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)(?:\n|\Z)")
_REMARK = re.compile(r"(?m)(?<=[;,{(\[}])[ \t]+// [^`\n]*$")
"""A comment behind code that ends in a mark; what stands in a text begins otherwise."""
_INDENTATION = re.compile(r"(?m)^[ \t]+")
_STYLE_COMMENT = re.compile(r"(?s)/\*.*?\*/")
_STYLE_SPACE = re.compile(
    r'(?P<text>"[^"]*")|\s*(?:;\s*)?(?P<end>\})\s*|\s*(?P<mark>[{;])\s*|(?P<sign>[:,])\s+'
)
"""Text, which stays, or a mark of a style sheet with the space that it does not need."""
_STYLE = re.compile(r' *<link rel="stylesheet" href="/static/(?P<name>[^"]+)">\n')
_PRELOAD = re.compile(r' *<link rel="modulepreload" [^>]*>\n')
_SCRIPT = re.compile(r' *<script type="module" src="/static/(?P<name>[^"]+)"></script>\n')


class UnknownModuleForm(ValueError):
    """A module uses a form of import or export that is not known here."""


@dataclass(frozen=True)
class _Module:
    """A module: its text, the modules that it imports, those that it imports late, and what it exports."""

    name: str
    text: str
    imports: tuple[str, ...]
    late: tuple[str, ...]
    exports: frozenset[str]


@dataclass(frozen=True)
class Bundles:
    """The joined files, and which of them a module needs."""

    files: Mapping[str, str]
    """The texts by name: scripts and one style sheet."""
    index: str
    """The page that loads them."""
    bundle_of: Mapping[str, str]
    """The name of the bundle that holds a module, by the name of the module."""
    member_of: Mapping[str, str]
    """The name under which that bundle exports the module."""
    needs: Mapping[str, tuple[str, ...]]
    """The bundles that a module needs to run, its own among them."""

    def preload(self, module: str) -> str:
        """Return the tags that have a browser fetch all that *module* needs at once."""
        return "".join(f'  <link rel="modulepreload" href="/static/{name}">\n' for name in self.needs[module])


def join_page(files: Mapping[str, str]) -> Bundles:
    """Return the bundles of a page whose *files*, by name, are loaded by `index.html`."""
    index = files["index.html"]
    script = _SCRIPT.search(index)
    if script is None:
        raise UnknownModuleForm("The page has no script. Name one module in index.html.")
    modules = _read_modules(files, script["name"])
    groups = _group(modules, script["name"])
    bundle_of = {member: name for name, members in groups.items() for member in members}
    member_of = {name: f"m{number}" for number, name in enumerate(sorted(modules))}
    texts = {name: _join(members, modules, bundle_of, member_of) for name, members in groups.items()}
    texts[f"{FOLDER}/page.css"] = "\n".join(
        _shorten_style(files[style["name"]]) for style in _STYLE.finditer(index)
    )
    needs = {name: tuple(sorted({bundle_of[each] for each in _reach(modules, name)})) for name in modules}
    page = _STYLE.sub("", _PRELOAD.sub("", index))
    page = page.replace("</head>", f'  <link rel="stylesheet" href="/static/{FOLDER}/page.css">\n</head>')
    page = page.replace(f'"/static/{script["name"]}"', f'"/static/{bundle_of[script["name"]]}"')
    return Bundles(texts, page, bundle_of, member_of, needs)


def _read_modules(files: Mapping[str, str], entry: str) -> dict[str, _Module]:
    """Return all modules that *entry* leads to, each after those that it imports."""
    found: dict[str, _Module] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise UnknownModuleForm(
                f"{name} imports itself by way of others. Move what they share to a module."
            )
        if name in found:
            return
        module = _read(name, files[name])
        for each in module.imports:
            visit(each, (*above, name))
        _check_imports(module, found)
        found[name] = module
        for each in module.late:
            visit(each, ())

    visit(entry, ())
    return found


def _read(name: str, text: str) -> _Module:
    def find_named(pattern: re.Pattern[str]) -> list[str]:
        return [_resolve(name, each["path"]) for each in pattern.finditer(text)]

    return _Module(
        name,
        text,
        tuple(find_named(_IMPORT) + find_named(_EXPORT_FROM)),
        tuple(dict.fromkeys(find_named(_LATE))),
        frozenset(_list_exports(text)),
    )


def _list_exports(text: str) -> Iterator[str]:
    """Yield the names that a module exports."""
    for pattern in (_EXPORT_FROM, _EXPORT_LIST):
        for found in pattern.finditer(text):
            yield from (outside for _, outside in _split_names(found["names"]))
    yield from (found["name"] for found in _EXPORT.finditer(text))
    if _EXPORT_DEFAULT.search(text):
        yield "default"


def _check_imports(module: _Module, others: Mapping[str, _Module]) -> None:
    """Raise UnknownModuleForm if *module* imports a name that no other exports."""
    for pattern in (_IMPORT, _EXPORT_FROM):
        for found in pattern.finditer(module.text):
            source = others[_resolve(module.name, found["path"])]
            names = [inside for inside, _ in _split_names(found["names"] or "default")]
            missing = set(names) - source.exports
            if missing:
                names = sorted(missing)
                raise UnknownModuleForm(
                    f"{module.name} imports {', '.join(names)}, which {source.name} does not export."
                )


def _resolve(name: str, path: str) -> str:
    """Return the name of the module that *path* means in the module *name*."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _reach(modules: Mapping[str, _Module], name: str) -> set[str]:
    """Return the modules that have run when *name* has, itself among them."""
    found: set[str] = set()
    todo = [name]
    while todo:
        each = todo.pop()
        if each not in found:
            found.add(each)
            todo += modules[each].imports
    return found


def _group(modules: Mapping[str, _Module], entry: str) -> dict[str, list[str]]:
    """Return the members of each bundle, by its name.

    The modules that every page needs are one bundle. The others are together with those that the same late
    imports bring. A few that several pages share are not worth a request. With what they import they join the
    first bundle.
    """
    brings = _list_late_imports(modules, entry)
    frame = _reach(modules, entry)
    shared: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in modules:
        if name not in frame:
            shared[tuple(late for late in brings if name in brings[late])].append(name)
    for lates, members in list(shared.items()):
        brought = {each for member in members for each in _reach(modules, member)} - frame
        packed = zlib.compress("".join(_shorten(modules[each].text) for each in brought).encode())
        if len(lates) > 1 and len(packed) < WORTH_A_REQUEST:
            frame |= brought
    groups = {(entry,): frame} | {lates: set(members) - frame for lates, members in shared.items()}
    return {
        _name_bundle(lates): [name for name in modules if name in members]
        for lates, members in groups.items()
        if members
    }


def _list_late_imports(modules: Mapping[str, _Module], entry: str) -> dict[str, set[str]]:
    """Return the modules that come with each one that is imported late: those that are not there before."""
    lates = sorted({late for module in modules.values() for late in module.late})
    reached = {name: _reach(modules, name) for name in (entry, *lates)}

    def find_those_before(late: str) -> set[str]:
        hosts = [reach for reach in reached.values() if any(late in modules[each].late for each in reach)]
        return reduce(set.intersection, hosts) | reached[entry]

    return {late: reached[late] - find_those_before(late) for late in lates}


def _name_bundle(lates: tuple[str, ...]) -> str:
    stems = [posixpath.splitext(posixpath.basename(late))[0] for late in lates]
    return f"{FOLDER}/{'-'.join(stems)}.js"


def _join(
    members: list[str],
    modules: Mapping[str, _Module],
    bundle_of: Mapping[str, str],
    member_of: Mapping[str, str],
) -> str:
    """Return the text of a bundle of *members*."""
    own = bundle_of[members[0]]
    elsewhere: dict[str, list[str]] = defaultdict(list)
    for name in sorted({each for member in members for each in modules[member].imports} - {*members}):
        elsewhere[bundle_of[name]].append(member_of[name])
    imports = [
        f'import {{ {", ".join(names)} }} from "./{posixpath.basename(bundle)}";'
        for bundle, names in elsewhere.items()
        if bundle != own
    ]
    bodies = [_call(modules[member], bundle_of, member_of) for member in members]
    return "\n".join(
        [*imports, *bodies, f"export {{ {', '.join(member_of[member] for member in members)} }};\n"]
    )


def _call(module: _Module, bundle_of: Mapping[str, str], member_of: Mapping[str, str]) -> str:
    """Return a module as a function that is called at once, and whose result are its exports.

    Raises UnknownModuleForm if a statement of import or export is left.
    """
    exports: list[str] = []

    def member(path: str) -> str:
        return member_of[_resolve(module.name, path)]

    def take(found: re.Match[str]) -> str:
        names = f"default: {found['default']}" if found["default"] else found["names"].replace(" as ", ": ")
        return f"const {{{_on_one_line(names)}}} = {member(found['path'])};"

    def pass_on(found: re.Match[str]) -> str:
        for name, outside in _split_names(found["names"]):
            exports.append(f"{outside}: {member(found['path'])}.{name}")
        return ""

    def list_exports(found: re.Match[str]) -> str:
        exports.extend(f"{outside}: {name}" for name, outside in _split_names(found["names"]))
        return ""

    def export(found: re.Match[str]) -> str:
        exports.append(found["name"])
        return ""

    def export_default(_: re.Match[str]) -> str:
        exports.append("default: exported")
        return "const exported = "

    def load(found: re.Match[str]) -> str:
        name = _resolve(module.name, found["path"])
        return f'import("./{posixpath.basename(bundle_of[name])}").then((bundle) => bundle.{member_of[name]})'

    text = _shorten(module.text)
    for pattern, replacement in (
        (_IMPORT, take), (_EXPORT_FROM, pass_on), (_EXPORT_LIST, list_exports), (_EXPORT, export),
        (_EXPORT_DEFAULT, export_default), (_LATE, load),
    ):  # fmt: skip
        text = pattern.sub(replacement, text)
    left = _STATEMENT.search(text)
    if left:
        raise UnknownModuleForm(
            f"{module.name} has a form that cannot be joined: {left[0]}. Write it in another one."
        )
    text = text.replace(_PLACE, f'new URL("../{module.name}", {_PLACE}).href')
    return f"const {member_of[module.name]} = (() => {{\n{text}\nreturn {{ {', '.join(exports)} }};\n}})();"


def _split_names(names: str) -> list[tuple[str, str]]:
    """Return the pairs of a list such as ``a, b as c``: ``(a, a)`` and ``(b, c)``."""
    pairs = [each.split(" as ") for each in _on_one_line(names).split(",") if each.strip()]
    return [(pair[0].strip(), pair[-1].strip()) for pair in pairs]


def _on_one_line(names: str) -> str:
    return " ".join(names.split())


def _shorten(text: str) -> str:
    """Return the text of a module without comments and indentation."""
    return _INDENTATION.sub("", _REMARK.sub("", _COMMENT.sub("", text))).strip()


def _shorten_style(text: str) -> str:
    return _STYLE_SPACE.sub(r"\g<text>\g<end>\g<mark>\g<sign>", _STYLE_COMMENT.sub("", text)).strip()
