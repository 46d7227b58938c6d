"""How the code is built, in figures: `python -m tests.measure_house [--per-room] [--functions N] [COMMIT]`.

A report, not a gate: continuous integration prints it, nobody's change fails by it. It counts what makes code hard
to carry on: long parameter lists, columns of arrays that are addressed by a number's name, module constants
without end, code that is written twice, files without a comment, imports that run in circles or upwards. With
COMMIT the same figures of that commit stand beside today's.
"""

from __future__ import annotations

import argparse
import ast
import collections
import dataclasses
import io
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRODUCT = ("app", "kernels", "pipelines")
MANY_PARAMETERS = 10
"""From so many parameters on, a function wants a record: calls are no longer read without counting."""
SHORTEST_TWIN = 8
"""Statements from which on two functions of the same shape count as twins; shorter ones are alike by chance."""
# table[COLUMN * room + i] and how[13]: an element whose meaning only a list of numbers elsewhere tells.
COLUMN_TIMES_ROOM = re.compile(r"\[\s*[A-Z][A-Z0-9_]*\s*\*\s*\w+\s*\+")
SETTING_BY_NUMBER = re.compile(r"\b(?:how|settings|options|params)\[\d+\]")


@dataclasses.dataclass(frozen=True)
class Function:
    """One function or method."""

    where: str
    parameters: int
    lines: int
    shape: str
    """Its syntax tree without names and constants; empty for short ones."""


@dataclasses.dataclass(frozen=True)
class Module:
    """One file of Python."""

    name: str
    lines: int
    comments: int
    """Lines that hold a comment alone."""
    constants: int
    """Numbers that are bound to names in capitals at module level."""
    columns: int
    """Elements addressed by a column's number."""
    functions: tuple[Function, ...]
    imports: frozenset[str]
    """Dotted names that are imported when the module is (not inside functions, not for types alone)."""

    @property
    def room(self) -> str:
        return self.name.rpartition(".")[0]


def is_number(node: ast.expr) -> bool:
    """Whether an expression is made of numbers alone, as 1 << 20 or -0.5 are."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    return False


def constants(tree: ast.Module) -> int:
    count = 0
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        named = [t for t in targets if isinstance(t, ast.Name) and t.id.isupper()]
        count += len(named) if is_number(value) else 0
    return count


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return len([n for n in names if n not in ("self", "cls")])


class Shapes(ast.NodeVisitor):
    """Writes a syntax tree without the names, numbers, texts and annotations in it."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.statements = 0

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            self.statements += 1
        self.words.append(type(node).__name__)
        super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        self.words.append(type(node.value).__name__)

    def visit_arg(self, node: ast.arg) -> None:
        self.words.append("arg")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.words.append("Assign")
        self.statements += 1
        if node.value is not None:
            self.visit(node.value)


def shape(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    writer = Shapes()
    for statement in body:
        writer.visit(statement)
    return " ".join(writer.words) if writer.statements >= SHORTEST_TWIN else ""


def imports(tree: ast.Module, name: str, is_package: bool) -> frozenset[str]:
    """What the module imports while it is being imported itself."""
    found: set[str] = set()
    base = name if is_package else name.rpartition(".")[0]

    def walk(nodes: Iterable[ast.stmt]) -> None:
        for node in nodes:
            if isinstance(node, ast.Import):
                found.update(a.name for a in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = ".".join(base.split(".")[: len(base.split(".")) - node.level + 1]) if node.level else ""
                origin = ".".join(p for p in (above, node.module or "") if p)
                found.update(f"{origin}.{a.name}" for a in node.names)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
                walk(node.body)
                walk(node.orelse)
            elif isinstance(node, ast.Try):
                walk(node.body)

    walk(tree.body)
    return frozenset(n for n in found if n.split(".")[0] in PRODUCT)


def read(path: pathlib.Path, root: pathlib.Path) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    is_package = path.name == "__init__.py"
    name = ".".join((path.parent if is_package else path.with_suffix("")).relative_to(root).parts)
    functions = tuple(
        Function(
            f"{path.relative_to(root)}:{n.lineno} {n.name}",
            parameters(n),
            (n.end_lineno or n.lineno) - n.lineno + 1,
            shape(n),
        )
        for n in ast.walk(tree)
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    comments = sum(
        t.type == tokenize.COMMENT and t.line.lstrip().startswith("#")
        for t in tokenize.generate_tokens(io.StringIO(text).readline)
    )
    columns = len(COLUMN_TIMES_ROOM.findall(text)) + len(SETTING_BY_NUMBER.findall(text))
    return Module(
        name, text.count("\n"), comments, constants(tree), columns, functions, imports(tree, name, is_package)
    )


def modules(root: pathlib.Path, folders: Iterable[str]) -> list[Module]:
    return [read(p, root) for f in folders for p in sorted((root / f).rglob("*.py"))]


def arrows(product: list[Module]) -> dict[str, set[str]]:
    """Module -> modules that it imports, as far as they are files of the product."""
    names = {m.name for m in product}

    def resolve(imported: str) -> str | None:
        while imported and imported not in names:
            imported = imported.rpartition(".")[0]
        return imported or None

    return {m.name: {r for i in m.imports if (r := resolve(i)) is not None and r != m.name} for m in product}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one node (Tarjan 1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            component = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10_000)
    for node in graph:
        if node not in number:
            visit(node)
    return found


def circles_of_rooms(graph: dict[str, set[str]]) -> list[list[str]]:
    """The same between folders: a room that needs one which needs it."""
    rooms: dict[str, set[str]] = collections.defaultdict(set)
    for module, others in graph.items():
        for other in others:
            a, b = module.rpartition(".")[0], other.rpartition(".")[0]
            # A folder and its own sub-folder may know one another: the folder is the sub-folder's wall.
            if a and b and a != b and not a.startswith(b + ".") and not b.startswith(a + "."):
                rooms[a].add(b)
    return circles(rooms)


def twins(product: list[Module]) -> list[list[str]]:
    """Functions of equal shape: the same statements in the same order, other names."""
    alike: dict[str, list[str]] = collections.defaultdict(list)
    for module in product:
        for function in module.functions:
            if function.shape:
                alike[function.shape].append(function.where)
    return [where for where in alike.values() if len(where) > 1]


def figures(root: pathlib.Path) -> dict[str, str]:
    """Name of a figure -> the figure as text."""
    product = modules(root, PRODUCT)
    lines = [m.lines for m in product]
    functions = [f for m in product for f in m.functions]
    total = sum(lines)
    graph = arrows(product)
    tests = sum(m.lines for m in modules(root, ["tests"]))
    words = len((root / "README.md").read_text(encoding="utf-8").split())
    return {
        "lines of the product": f"{total:,}",
        "  without networks": f"{sum(m.lines for m in product if 'network' not in m.name):,}",
        "lines of tests": f"{tests:,}",
        "files of the product": f"{len(product):,}",
        "median, largest file, lines": f"{statistics.median(lines):.0f}, {max(lines):,}",
        "files below 50 lines": f"{sum(n < 50 for n in lines)}",
        "functions": f"{len(functions):,}",
        "function: median, 99 %, longest, lines": ", ".join(str(n) for n in spread([f.lines for f in functions])),
        f"functions with {MANY_PARAMETERS} and more parameters": str(
            sum(f.parameters >= MANY_PARAMETERS for f in functions)
        ),
        "most parameters": str(max(f.parameters for f in functions)),
        "elements addressed by a column's number": str(sum(m.columns for m in product)),
        "numeric module constants per 1000 lines": f"{1000 * sum(m.constants for m in product) / total:.1f}",
        f"pairs and groups of the same shape, from {SHORTEST_TWIN} statements": str(len(twins(product))),
        "lines that are a comment, %": f"{100 * sum(m.comments for m in product) / total:.1f}",
        "import circles of files": str(len(circles(graph))),
        "import circles of folders": str(len(circles_of_rooms(graph))),
        "words of README.md": f"{words:,}",
    }


def spread(values: list[int]) -> tuple[int, int, int]:
    ordered = sorted(values)
    return ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))], ordered[-1]


def of_rooms(root: pathlib.Path) -> Iterator[tuple[str, int, int, int, int, int, float]]:
    """Folder, files, lines, functions with many parameters, columns by number, constants, comments in %."""
    rooms: dict[str, list[Module]] = collections.defaultdict(list)
    for module in modules(root, PRODUCT):
        rooms[module.room or module.name].append(module)
    for room, held in sorted(rooms.items()):
        lines = sum(m.lines for m in held)
        many = sum(f.parameters >= MANY_PARAMETERS for m in held for f in m.functions)
        columns, numbers = sum(m.columns for m in held), sum(m.constants for m in held)
        yield room, len(held), lines, many, columns, numbers, 100 * sum(m.comments for m in held) / max(lines, 1)


def checkout(commit: str, into: str) -> pathlib.Path:
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", into], input=archive, check=True)
    return pathlib.Path(into)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("commit", nargs="?", help="a commit to compare with")
    parser.add_argument("--per-room", action="store_true", help="a line for each folder")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="the N functions with most parameters")
    parser.add_argument("--twins", action="store_true", help="the functions of the same shape")
    given = parser.parse_args()
    now = figures(ROOT)
    before: dict[str, str] = {}
    if given.commit:
        with tempfile.TemporaryDirectory() as folder:
            before = figures(checkout(given.commit, folder))
    for name, figure in now.items():
        print(f"{name:62} {before.get(name, ''):>18} {figure:>18}".rstrip())
    if given.per_room:
        print(f"\n{'folder':34} {'files':>5} {'lines':>7} {'10+ par.':>8} {'columns':>7} {'const.':>6} {'# %':>5}")
        for room, files, lines, many, columns, numbers, comments in of_rooms(ROOT):
            print(f"{room:34} {files:5} {lines:7,} {many:8} {columns:7} {numbers:6} {comments:5.1f}")
    product = modules(ROOT, PRODUCT)
    if given.functions:
        print()
        ranked = sorted((f for m in product for f in m.functions), key=lambda f: -f.parameters)
        for function in ranked[: given.functions]:
            print(f"{function.parameters:3} {function.where}")
    if given.twins:
        for where in twins(product):
            print("\n" + "\n".join(where))
    for circle in circles(arrows(product)):
        print("circle: " + ", ".join(circle))
    for circle in circles_of_rooms(arrows(product)):
        print("folders in a circle: " + ", ".join(circle))


if __name__ == "__main__":
    main()
