"""The expression graph: hash-consing, literals, depth, rewriting."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from kernels.errors import ExprError
from kernels.ir import expr as graph
from kernels.ir import rewriting
from kernels.ir.expr import (
    Expr,
    apply,
    const,
    convert,
    frontier,
    joint_size,
    lookup,
    maximum,
    param,
    postorder,
    recur,
    select,
    state,
)
from kernels.ir.image import BOOL, F32, F64, I16, I32, I64, U8
from kernels.ir.listing import fingerprint, listing
from kernels.ir.planes import Border, Tap, coord, gather, input_plane, load, spread, window
from kernels.ir.recurrence import recurrences, rename_states, start_order, wandering
from kernels.ir.rewriting import rewrite, substitute, with_operands

ROOT = Path(__file__).parents[2]
SIZE = (4, 6)
X = input_plane(0, 0, F32, SIZE)
B = input_plane(1, 0, U8, SIZE)


def test_equal_nodes_are_one():
    assert X + 1 is X + 1.0
    assert load(X, Border("constant", 3), 1) is load(X, Border("constant", 3.0), 1)
    assert load(X, Border("wrap", 7), 1) is load(X, Border("wrap"), 1)  # only `constant` has a value
    assert lookup([0, float("nan")], B, F32) is lookup([0, float("nan")], B, F32)
    assert const(float("nan")) is const(float("nan"))
    nan = Border("constant", float("nan"))
    assert load(X, nan, 1) is load(X, Border("constant", float("nan")), 1)


def test_a_frontier_is_what_is_seen_first_on_every_way_down():
    low, other = X * 2.0, load(X, Border("replicate"), 1)
    high = maximum(low, other) + low
    among = set(postorder([high]))
    assert set(frontier([high], among, lambda node: node.op in ("mul", "load"))) == {low, other}
    assert frontier([high], among - {low}, lambda node: node.op in ("mul", "input")) == [X]  # behind the load alone
    assert frontier([high, low], among, lambda node: node is high) == [high]  # low lies below it, and is no stop
    assert frontier([high], set(), lambda node: True) == []


def test_different_constants_are_not():
    assert len({const(1), const(True), const(1.0), const(1, U8), const(1.0, F64)}) == 5
    assert const(0.0) is not const(-0.0)
    assert lookup([0.0], B, F32) is not lookup([-0.0], B, F32)
    assert load(X, Border("constant", 0.0), 1) is not load(X, Border("constant", -0.0), 1)
    assert input_plane(0, 0, F32, (4, 6)) is not input_plane(0, 0, F32, (6, 4))


def test_nodes_die_with_their_users():
    gc.collect()
    before = len(graph._TABLE)
    node = X
    for k in range(20000):
        node = node + float(k)
    assert len(graph._TABLE) > before + 20000
    del node
    assert len(graph._TABLE) <= before + 20000  # nothing keeps the chain
    gc.collect()
    assert len(graph._TABLE) <= before


def test_threads_get_the_same_nodes():
    made: list[list[Expr]] = []
    gate = threading.Barrier(4)

    def build():
        gate.wait()
        node, nodes = X, []
        for k in range(2000):
            node = node * float(k + 0.25)
            nodes.append(node)
        made.append(nodes)

    threads = [threading.Thread(target=build) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(nodes == made[0] for nodes in made)


def test_immutable():
    with pytest.raises(AttributeError, match="immutable"):
        X.op = "load"  # type: ignore[misc]
    with pytest.raises(ExprError, match="no truth value"):
        bool(X > 0)


def test_deep_and_shared_graphs():
    node = X
    for _ in range(5000):
        node = node + node * 0.5  # 2**5000 paths
    assert len(list(postorder((node,)))) == 10002
    assert pickle.loads(pickle.dumps(node)) is node
    assert copy.deepcopy(node) is node
    assert copy.copy(node) is node
    assert len(repr(node)) < 5000
    assert rewrite((node,), lambda _: None)[0] is node
    assert len(fingerprint((node,))) == 64


def test_postorder_gives_operands_first_and_each_once():
    root = X * X + load(X, Border(), 1)
    order = list(postorder((root, X, root)))
    assert len(order) == len(set(order)) == 4
    assert all(order.index(s) < order.index(n) for n in order for s in n.src)


@pytest.mark.parametrize(
    ("made", "dtype", "source"),
    [
        (lambda: X + 1, F32, F32),
        (lambda: B + 1, I32, I32),
        (lambda: B + 1.0, F32, F32),
        (lambda: maximum(B, 7), U8, U8),
        (lambda: maximum(B, 300), I32, I32),
        (lambda: maximum(B, 2.5), F32, F32),
        (lambda: B < 300, BOOL, I32),
        (lambda: B < 3, BOOL, U8),
        (lambda: 1 / B, F32, F32),
        (lambda: convert(B, I64) + 2**40, I64, I64),
        (lambda: np.float32(0.5) * X, F32, F32),
        (lambda: np.int64(2) * B, I32, I32),
        (lambda: B * np.float64(2), F32, F32),
        (lambda: 7 // B, I32, I32),
        (lambda: 7 % B, I32, I32),
        (lambda: 1 << B, I32, I32),
        (lambda: True & (B > 1), BOOL, BOOL),
    ],
)
def test_numbers_beside_expressions(made, dtype, source):
    node = made()
    assert isinstance(node, Expr)
    assert node.dtype == dtype
    assert {s.dtype for s in node.src} == {source}


def test_select_takes_numbers():
    assert select(B > 1, 1, 0).dtype == I32
    assert select(B > 1, B, 0).dtype == U8
    assert select(B > 1, True, False).dtype == BOOL


def test_what_is_no_number_is_refused():
    for wrong in ("1", None, [1], 1j, np.zeros(3)):
        with pytest.raises(ExprError, match="takes expressions and numbers"):
            apply("add", X, wrong)  # type: ignore[arg-type]
    with pytest.raises(ExprError, match="1e\\+300 is not a value of f32"):
        const(1e300)
    with pytest.raises(ExprError, match="4294967296 is not a value of i32"):
        const(2**32)
    with pytest.raises(ExprError, match="add takes 2 operands, not 1"):
        apply("add", X)


def test_constants_convert_when_built():
    assert convert(const(2.5), U8) is const(2, U8)
    assert convert(const(-7), U8) is const(0, U8)
    assert convert(const(1e300, F64), F32) is const(float("inf"))
    big = 2**62 + 2**38 + 1  # f64 on the way would round it twice
    assert convert(const(big, I64), F32).arg == float(np.int64(big).astype(np.float32))
    assert const(0.1).arg == float(np.float32(0.1))


def test_load():
    assert load(X, Border()) is X
    assert load(X, Border(), 1, 2, -3).arg == Tap(-3, 2, 1, Border())
    assert load(X, Border(), np.int64(1)) is load(X, Border(), 1)
    assert load(X, Border(), size=(2, 3)).size == (2, 3)  # a crop
    assert load(X, Border(), size=SIZE) is X
    assert load(X, Border(), 0, 0, 0, 2, (2, 3)).size == (2, 3)
    for wrong, words in (
        (lambda: load(X, Border(), dt=1), "1 frames into the future"),
        (lambda: load(const(1), Border(), 1), "needs an image"),
        (lambda: load(state("s", F32), Border(), 1), "bare state"),
        (lambda: load(X, Border(), 0, 0, 0, 2), "stride of at least 1 and the size"),
        (lambda: load(X, Border(), 0.5), "whole numbers"),  # type: ignore[arg-type]
        (lambda: window("sum", X, Border(), (1, 0), (0, 0)), "rectangle that is not empty"),
        (lambda: window("mean", X, Border(), (0, 1), (0, 0)), "unknown window 'mean'"),
        (lambda: gather(X, const(0), const(0), (0, 3), Border()), "at least one pixel"),
        (lambda: gather(X, B, B, (3, 3), Border()), "vary over 6x4, its result over 3x3"),
        (lambda: gather(const(1), B, B, SIZE, Border()), "gather needs an image"),
        (lambda: Border("mirror"), "unknown border 'mirror'"),
        (lambda: coord("z", SIZE), "takes 'x' or 'y'"),
        (lambda: lookup([], B, U8), "at least one entry"),
        (lambda: lookup([1], X, U8), "index must be a whole number, not f32"),
        (lambda: lookup([300], B, U8), "300 is not a value of u8"),
    ):
        with pytest.raises(ExprError, match=words):
            wrong()


def test_types_of_windows_and_gathers():
    assert window("sum", B, Border(), (0, 1), (0, 0)).dtype == I32
    assert window("min", B, Border(), (0, 1), (0, 0)).dtype == U8
    assert window("sum", convert(B, F64), Border(), (0, 1), (0, 0)).dtype == F64
    node = gather(B, X, 1 * convert(X, I16), SIZE, Border())
    assert [s.dtype for s in node.src] == [U8, I32, I32]


def test_sizes_meet():
    other = input_plane(0, 0, F32, (4, 7))
    assert joint_size((X, const(1), X)) == SIZE
    with pytest.raises(ExprError, match="different sizes meet: 6x4 and 7x4"):
        X + other


def test_spread():
    assert spread(X, (9, 9)) is X
    assert spread(param("gain", F32), SIZE).size == SIZE


def test_rewrite_keeps_types_and_follows_sizes():
    small = input_plane(0, 0, F32, (2, 2))
    root = load(X * 2, Border("wrap"), 1, 0, -1)
    changed = rewrite((root,), lambda n: small if n is X else None)[0]
    assert changed is load(small * 2, Border("wrap"), 1, 0, -1)
    strided = load(X, Border(), 0, 0, 0, 2, (2, 3))
    assert rewrite((strided,), lambda n: small if n is X else None)[0].size == (2, 3)
    start = recur("m", X, state("m", F32) + X)
    assert rewrite((start,), lambda n: small if n is X else None)[0].size == (2, 2)


def test_what_is_below_a_replaced_value_alone_is_not_built_again(monkeypatch: pytest.MonkeyPatch):
    built: list[Expr] = []

    def counted(node: Expr, src: tuple[Expr, ...]) -> Expr:
        built.append(node)
        return with_operands(node, src)

    monkeypatch.setattr(rewriting, "with_operands", counted)
    deep = B.to(F32)
    for k in range(50):
        deep = deep + float(k + 1)
    wide = deep * 2.0
    assert substitute((wide + deep,), {wide: deep})[0] is deep + deep
    assert len(built) == 50 + 50 + 3  # `deep` is looked at besides: sums, numbers, the input as floats, the last sum
    built.clear()
    assert substitute((wide + 1.0,), {wide: deep})[0] is deep + 1.0
    assert len(built) == 2


def test_substitute_is_simultaneous():
    a, b = input_plane(0, 0, F32, SIZE), input_plane(2, 0, F32, SIZE)
    assert substitute((a - b,), {a: b, b: a})[0] is b - a
    assert substitute((a * 2 + b,), {a: b, a * 2: a})[0] is a + b
    with pytest.raises(ExprError, match=r"input of f32 .* cannot be replaced by input of u8"):
        substitute((a,), {a: B})
    with pytest.raises(ExprError, match="cannot be replaced"):
        substitute((a,), {a: const(1.0)})


def test_recurrence_names():
    m = recur("m", X, state("m", F32) + X)
    renamed = rename_states((m + state("m", F32),), lambda name: name + "!")[0]
    assert recurrences((renamed,)).keys() == {"m!"}
    assert not any(n.arg == "m" for n in postorder((renamed,)))
    total = recur("total", m, state("total", F32) + m)
    assert [n.arg for n in start_order(recurrences((total,)))] == ["m", "total"]
    with pytest.raises(ExprError, match="two different recurrences are called 'm'"):
        recurrences((m, recur("m", X * 2, state("m", F32) + X)))
    with pytest.raises(ExprError, match="recurrence 'a', 'b' starts from a state that does not exist yet"):
        start_order(recurrences((recur("a", state("b", F32), X), recur("b", state("a", F32), X))))


def test_a_recurrence_keeps_to_its_pixel():
    own = state("m", F32) + X
    assert wandering(recurrences((recur("m", X, own + load(X, Border(), 1)),))) is None
    assert wandering(recurrences((recur("m", X, load(own, Border(), 1)),))) == "m"
    assert wandering(recurrences((recur("m", X, load(own, Border(), dt=-1)),))) == "m"
    a = recur("a", X, state("b", F32) + X)
    assert wandering(recurrences((a, recur("b", X, load(a, Border(), 1))))) is not None
    assert wandering(recurrences((recur("c", X, state("c", F32) + load(recur("m", X, own), Border(), 1)),))) is None


def test_listing_is_the_same_in_every_process():
    first = listing((recur("m", X, state("m", F32) * 0.5 + load(X, Border("constant", 1), 1)),))
    assert first.splitlines()[0] == "%0 = input Input(index=0, channel=0, size=(4, 6)) : f32 6x4"
    code = (
        "from kernels.ir.planes import input_plane; from kernels.ir.image import F32\n"
        "from kernels.ir.listing import fingerprint\n"
        "print(fingerprint((input_plane(0, 0, F32, (4, 6)) * 2,)))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert fingerprint((X * 2,)) == other.stdout.strip()
    assert fingerprint((X * 2,)) != fingerprint((X * 3,))
