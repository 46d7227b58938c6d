"""The reference executor: the meaning of a body, in plain NumPy, one frame and one node at a time.

Clear and slow. Every other executor must give the same bits. Each node of the expression graph becomes one whole
array; a load extends its plane by the border rule and shifts it; a recurrence keeps one array.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, Program, State, check_datum
from kernels.executors.reference_tables import table_of
from kernels.executors.reference_volumes import contracted, mosaicked
from kernels.ir.bits import Bits
from kernels.ir.body import Body, Datum, Output, ValueType
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import ImageType, dtype_of
from kernels.ir.ops import OPS, convert
from kernels.ir.planes import Border
from kernels.ir.recurrence import recurrences, start_order
from kernels.ir.table import Table, TableType
from kernels.ir.volumes import WHOLE
from kernels.param import Value
from kernels.stage import Stage

Array = npt.NDArray[Any]


def border_index(index: Array, length: int, mode: str) -> Array:
    """Where coordinate `index` lies inside 0 .. length - 1 by a border rule; -1 for the constant outside.

    The rule of OpenCV's borderInterpolate, for any distance from the image.
    """
    inside = (index >= 0) & (index < length)
    if inside.all():
        return index
    if mode == "constant":
        return np.where(inside, index, -1)
    if mode == "replicate" or length == 1:
        return np.clip(index, 0, length - 1)
    if mode == "wrap":
        return np.mod(index, length)
    # reflect101: the edge itself is not repeated.
    period = 2 * (length - 1)
    folded = np.mod(index, period)
    return np.where(folded < length, folded, period - folded)


def look(plane: Array, y: Array, x: Array, border: Border) -> Array:
    """plane[y, x] for integer coordinates of any value (broadcast against each other), extended by `border`."""
    rows, columns = border_index(y, plane.shape[0], border.mode), border_index(x, plane.shape[1], border.mode)
    return _bordered(plane[rows, columns], rows, columns, border)


def _bordered(values: Array, rows: Array, columns: Array, border: Border) -> Array:
    """The values at some places, with the border's constant where `border_index` says so."""
    if border.mode == "constant":
        outside = (rows < 0) | (columns < 0)
        outside = outside[..., np.newaxis] if values.ndim > outside.ndim else outside
        if outside.any():
            constant = convert(np.array([border.value]), dtype_of(values.dtype))[0]
            values = np.where(outside, constant, values)
    return values


class _Schedule:
    """The nodes below some roots in order, and after each the ones that are no longer needed."""

    def __init__(self, roots: Sequence[Expr]) -> None:
        self.roots = tuple(roots)
        self.nodes = list(postorder(self.roots))
        kept = set(self.roots)
        # The last user of each value; arrays of whole frames are let go of there.
        last = {operand: i for i, node in enumerate(self.nodes) for operand in node.src}
        self.dead: list[list[Expr]] = [[] for _ in self.nodes]
        for operand, i in last.items():
            if operand not in kept:
                self.dead[i].append(operand)


class _FrameRun:
    """The evaluation of one frame."""

    def __init__(self, program: ReferenceProgram, inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> None:
        self.program = program
        self.inputs = inputs
        self.params = params
        self.values: dict[Expr, Array] = {}

    def run(self, schedule: _Schedule) -> dict[Expr, Array]:
        """The arrays of the schedule's roots, spread over their images; each node is computed once."""
        self.values = {}
        for node, dead in zip(schedule.nodes, schedule.dead, strict=True):
            self.values[node] = np.asarray(self._node(node, [self.values[s] for s in node.src]))
            for done in dead:
                del self.values[done]
        return {root: self.whole(root) for root in schedule.roots}

    def whole(self, node: Expr) -> Array:
        """The array of a computed node, spread over its image where it is the same for every pixel."""
        value = self.values[node]
        if node.channels == 1 and node.size is None:
            return value
        return _spread(value, node.channels, node.size or ())

    def deep(self, node: Expr) -> Array:
        """As `whole`, with an axis for channels also where there is one of them."""
        value = self.whole(node)
        return value if node.channels > 1 else value[..., np.newaxis]

    def _node(self, node: Expr, src: list[Array]) -> Array:
        program, arg = self.program, node.arg
        match node.op:
            case "input":
                image = self.inputs[arg.index]
                assert isinstance(image, np.ndarray)
                return image if image.ndim == 2 or arg.channel == WHOLE else image[:, :, arg.channel]
            case "const":
                return np.asarray(arg, node.dtype.numpy)
            case "param":
                return np.asarray(self.params[arg], node.dtype.numpy)
            case "coord":
                assert node.size is not None
                height, width = node.size
                line = np.arange(width) if arg == "x" else np.arange(height)[:, np.newaxis]
                return np.broadcast_to(line.astype(np.int32), node.size)
            case "state":
                held: Array = program.memory[arg]
                return held
            case "recur":
                return np.broadcast_to(src[1], node.size or ())
            case "load":
                return self._load(node)
            case "gather":
                y, x = (np.broadcast_to(s, arg.size) for s in src[1:])
                return look(self.whole(node.src[0]), y, x, arg.border)
            case "window":
                return self._window(node)
            case "table":
                entries: Array = np.asarray(arg, node.dtype.numpy)
                return np.asarray(entries[np.clip(src[0], 0, len(entries) - 1)])
            case "convert":
                return convert(src[0], node.dtype)
            case "vector":
                constants: Array = arg.array
                return constants
            case "stack":
                return np.concatenate([np.broadcast_to(self.deep(s), _shape(node, s.channels)) for s in node.src], -1)
            case "part":
                found = self.whole(node.src[0])[..., arg[0] : arg[0] + arg[1]]
                return found if node.channels > 1 else found[..., 0]
            case "contract":
                made = contracted(self.deep(node.src[0]), src[1], arg)
                return made if node.channels > 1 else made[..., 0]
            case "mosaic":
                return mosaicked([self.whole(s) for s in node.src], arg)
        # A plane meets a volume: it counts for all channels.
        if node.channels > 1:
            src = [v if s.channels > 1 or v.ndim < 2 else v[..., np.newaxis]
                   for s, v in zip(node.src, src, strict=True)]  # fmt: skip
        result: Array = OPS[node.op].numpy(*src)
        return result

    def _load(self, node: Expr) -> Array:
        tap, plane = node.arg, node.src[0]
        values = self.whole(plane)
        if tap.dt < 0:
            past = self.program.history[plane]
            # Frames before the first are copies of the first: the oldest known one, which in frame 0 is this one.
            values = past[tap.dt] if len(past) >= -tap.dt else past[0] if past else values
        rows, columns = self.program.places(node, values.shape)
        found = values.take(rows, 0).take(columns, 1)  # a row at a time: a tenth of the time of `values[y, x]`
        return _bordered(found, rows[:, np.newaxis], columns[np.newaxis, :], tap.border)

    def _window(self, node: Expr) -> Array:
        w = node.arg
        fold = OPS["add" if w.kind == "sum" else w.kind].numpy
        plane = self.whole(node.src[0])
        height, width = plane.shape[:2]
        # Rows first, then rows together: a float sum has this order in every back end.
        y = np.arange(w.y0, height + w.y1)[:, np.newaxis]
        rows = look(plane, y, np.arange(width)[np.newaxis, :] + w.x0, w.border)
        for dx in range(w.x0 + 1, w.x1 + 1):
            rows = fold(rows, look(plane, y, np.arange(width)[np.newaxis, :] + dx, w.border))
        total = rows[:height]
        for k in range(1, w.y1 - w.y0 + 1):
            total = fold(total, rows[k : k + height])
        return total


class ReferenceProgram:
    """A body with its state: recurrences by name, the past of planes that are looked at in time, the frame count."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        self._rows = {o.name: o.type.numpy for o in body.outputs if isinstance(o.type, TableType)}
        known = recurrences(body.roots)
        self._depth: dict[Expr, int] = {}
        for node in postorder(body.roots):
            if node.op == "load" and node.arg.dt < 0:
                self._depth[node.src[0]] = max(self._depth.get(node.src[0], 0), -node.arg.dt)
        self._known = known
        self._starts = [(node, _Schedule(node.src[:1])) for node in start_order(known)]
        # Updates of recurrences and planes with a past are computed though no output needs them this frame.
        self._schedule = _Schedule((*body.roots, *known.values(), *self._depth))
        self._places: dict[Expr, tuple[Array, Array]] = {}
        self.reset()

    def reset(self) -> None:
        self.frames = 0
        self.memory: dict[str, Array] = {}
        self.history: dict[Expr, list[Array]] = {plane: [] for plane in self._depth}

    def places(self, node: Expr, shape: tuple[int, ...]) -> tuple[Array, Array]:
        """The rows and the columns of a plane of this shape that a load takes, by its border rule; the same for all
        frames."""
        found = self._places.get(node)
        if found is None:
            tap = node.arg
            assert node.size is not None
            y, x = (np.arange(length) * stride + start for length, stride, start in
                    zip(node.size, (tap.stride_y, tap.stride_x), (tap.dy, tap.dx), strict=True))  # fmt: skip
            found = border_index(y, shape[0], tap.border.mode), border_index(x, shape[1], tap.border.mode)
            self._places[node] = found
        return found

    def snapshot(self) -> State:
        past = [[a.copy() for a in arrays] for arrays in self.history.values()]
        return {"frames": self.frames, "memory": {k: v.copy() for k, v in self.memory.items()}, "history": past}

    def restore(self, state: State) -> None:
        self.frames = state["frames"]
        self.memory = {name: array.copy() for name, array in state["memory"].items()}
        self.history = {p: [a.copy() for a in past] for p, past in zip(self._depth, state["history"], strict=True)}

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        frames = self._check(inputs, params)
        if out:
            self._check_out(out, frames, inputs)
        values = {**self.body.params, **params}
        results: dict[str, list[Datum]] = {output.name: [] for output in self.body.outputs}
        host = self.body.host
        # Masks stay words of bits between host functions: no unpacking in between.
        if host is not None and host.words is not None and frames and (
            any(output.words for output in self.body.outputs) or any(isinstance(batch, Bits) for batch in inputs)
        ):  # fmt: skip
            return self._in_words(host.words(inputs, values), frames)
        if host is not None and host.batch is not None and frames:
            results = self._host_batch(host.batch(inputs, values), frames, self.body.outputs)
            frames = 0
        for i in range(frames):
            frame = [None if batch is None else batch[i] for batch in inputs]
            for name, datum in self._frame(frame, values).items():
                results[name].append(datum)
        made = {output.name: _batch(results[output.name], output.type) for output in self.body.outputs}
        for name, array in (out or {}).items():
            array[...] = made[name]
            made[name] = array
        return made

    def _in_words(self, made: Mapping[str, Any], frames: int) -> Mapping[str, Batch]:
        """What a host function gave of masks that are words of bits."""
        masks = {name: data for name, data in made.items() if isinstance(data, Bits)}
        others = [output for output in self.body.outputs if output.name not in masks]
        left: dict[str, Any] = {output.name: masks[output.name] if output.words else np.asarray(masks[output.name])
                                  for output in self.body.outputs if output.name in masks}  # fmt: skip
        data = self._host_batch({output.name: made[output.name] for output in others}, frames, others)
        return left | {output.name: _batch(data[output.name], output.type) for output in others}

    def _host_batch(
        self, made: Mapping[str, Sequence[Datum]], frames: int, outputs: Sequence[Output]
    ) -> dict[str, list[Datum]]:
        """What a host function gave for many frames, checked."""
        results = {}
        for output in outputs:
            data = made.get(output.name, ())
            if len(data) != frames:
                raise DefinitionError(f"output {output.name!r} came for {len(data)} of {frames} frames")
            rows = self._rows.get(output.name)
            for datum in data:
                if rows is None or not isinstance(datum, Table) or datum.rows.dtype != rows:  # else it is what it is
                    check_datum(datum, output.type, f"output {output.name!r}")
            results[output.name] = list(data)
        return results

    def _frame(self, inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        if self.body.host is not None:
            made = self.body.host.run([_to_read(datum) for datum in inputs], params)
            for output in self.body.outputs:
                check_datum(made.get(output.name), output.type, f"output {output.name!r}")
            return made
        with np.errstate(all="ignore"):  # NaN and infinity are values like others; integers wrap by rule
            run = _FrameRun(self, inputs, params)
            if self.frames == 0:
                for node, start in self._starts:
                    self.memory[node.arg] = np.broadcast_to(run.run(start)[node.src[0]], node.size or ())
            values = run.run(self._schedule)
            results: dict[str, Datum] = {}
            for output in self.body.outputs:
                if output.table is not None:
                    assert isinstance(output.type, TableType)
                    results[output.name] = table_of(output.table, output.type, values, params)
                else:
                    assert isinstance(output.type, ImageType)
                    size = (output.type.height, output.type.width)
                    results[output.name] = _image([_spread(values[p], p.channels, size) for p in output.planes])
            # Copies, because a value may be a view of the caller's frame, which the next batch overwrites.
            self.memory = {name: values[node].copy() for name, node in self._known.items()}
            # After all looks of this frame: they saw the past without it.
            for plane, depth in self._depth.items():
                self.history[plane] = [*self.history[plane], values[plane].copy()][-depth:]
        self.frames += 1
        return results


def _shape(node: Expr, channels: int) -> tuple[int, ...]:
    """The shape of a volume of so many channels over the image of `node`."""
    return (*(node.size or ()), channels)


def _spread(value: Array, channels: int, size: tuple[int, ...]) -> Array:
    shape = size if channels == 1 else (*size, channels)
    return value if value.shape == shape else np.broadcast_to(value, shape)


def _image(planes: list[Array]) -> Array:
    """An image of planes and volumes, its own memory."""
    if len(planes) == 1:
        return planes[0].copy()
    return np.concatenate([p if p.ndim == 3 else p[..., np.newaxis] for p in planes], axis=-1)


def _to_read(datum: Datum | None) -> Datum | None:
    """The same, read-only: other stages and taps may be given it, too, or it may be the clip itself."""
    if not isinstance(datum, np.ndarray):
        return datum
    datum = datum.view()
    datum.flags.writeable = False
    return datum


def _batch(data: list[Datum], type_: ValueType) -> Batch:
    if isinstance(type_, TableType):
        return [d for d in data if isinstance(d, Table)]
    return np.stack([np.asarray(d) for d in data]) if data else np.zeros((0, *type_.shape), type_.dtype.numpy)


class ReferenceExecutor:
    """Runs bodies in NumPy."""

    name = "reference"

    def compile(self, body: Body) -> Program:
        return ReferenceProgram(body)


def create(threads: int = 0) -> ReferenceExecutor:
    """For `kernels.executors.base.executor`; the reference runs on one thread, whatever is asked for."""
    del threads
    return ReferenceExecutor()


def evaluate(stage: Stage, *frames: Any, bits: int = 0, **params: Value) -> Any:
    """Run one stage on one frame: the shortest way to try it.

    Args:
        stage: what to run.
        frames: an array per input, (height, width[, channels]).
        bits: significant bits of integer samples, 0 for all of the type.
        params: its parameters.

    Returns:
        The output array (a `Table` for reductions), or a dict of them by name where there are several.
    """
    results = evaluate_clip(stage, *(None if f is None else np.asarray(f)[np.newaxis] for f in frames), bits=bits,
                            **params)  # fmt: skip
    return {name: batch[0] for name, batch in results.items()} if isinstance(results, dict) else results[0]


def evaluate_clip(stage: Stage, *clips: Any, bits: int = 0, **params: Value) -> Any:
    """Run one stage on consecutive frames: arrays (frames, height, width[, channels]) in, the same out."""
    types = [None if clip is None else _image_type(np.asarray(clip), bits) for clip in clips]
    body = stage.build(types, params)
    batches: list[Batch | None] = [None if clip is None else np.asarray(clip) for clip in clips]
    batches += [None] * (len(body.inputs) - len(batches))
    outputs = dict(ReferenceProgram(body).run(batches, {}))
    return outputs if len(outputs) > 1 else next(iter(outputs.values()))


def _image_type(clip: Array, bits: int) -> ImageType:
    channels = clip.shape[3] if clip.ndim == 4 else 1
    return ImageType(dtype_of(clip.dtype), clip.shape[1], clip.shape[2], channels, bits)
