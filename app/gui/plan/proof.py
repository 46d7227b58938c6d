""""Prove it": fused against one stage a program and against the reference, on the user's own frames."""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.subprocess_worker import SubprocessWorker
from app.gui import theme
from app.gui.icons import icon
from app.gui.plan.tables import cell, table
from app.proving.comparing import Compared
from app.proving.proof import FRAMES, PROVE, Proof, ProofAsk
from app.sources.reading import AS_STORED
from pipelines.automatic.settling import with_found
from pipelines.definition import loads
from pipelines.planning.explain import duration
from pipelines.writing import dumps

POLL = 40
"""Milliseconds between two looks for news of a proof."""
COLUMNS = (
    ("output", "What leaves a program"),
    ("against", "The other way in which it was computed"),
    ("largest", "Largest absolute difference"),
    ("differ", "Pixels (of a table: rows) that differ"),
    ("of", "How many were compared"),
)


class ProofView(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.

    Attributes:
        proof: what is known so far; None before the first.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._worker = SubprocessWorker()
        self._number = -1
        self._collected: list[np.ndarray] = []
        self._first = 0
        self._of: tuple[object, object] = (None, None)
        self.proof: Proof | None = None
        self.button = QtWidgets.QPushButton("Prove it")
        self.button.setIcon(icon("proof"))
        self.button.clicked.connect(self.toggle)
        self.bar = QtWidgets.QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(140, 8)
        self.bar.hide()
        self.words = QtWidgets.QLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.times = TimesView()
        self.view = table(COLUMNS)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.currentCellChanged.connect(lambda *_: self._picture())
        self.pictures = [PictureLabel(name) for name in ("fused", "the other way", "difference")]
        top = QtWidgets.QHBoxLayout()
        top.addWidget(self.button)
        top.addWidget(self.bar)
        top.addWidget(self.words, 1)
        top.addWidget(self.times)
        below = QtWidgets.QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.view, 5)
        for picture in self.pictures:
            below.addWidget(picture, 2)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(6, 2, 6, 4)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(below, 1)
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self.poll)
        bench.on(Topic.OPENED, self._other)
        bench.on(Topic.BUILT, self._other)
        bench.on(Topic.PICTURE, self._collect)
        self.refresh()

    @property
    def running(self) -> bool:
        """Whether a proof is being made."""
        return bool(self._timer.isActive())

    def _other(self) -> None:
        """A proof holds for what it was made of: another clip or pipeline needs one of its own."""
        if not self.running and self.proof is not None and self._of != self._what():
            self.proof = None
        self.refresh()

    def _what(self) -> tuple[object, object]:
        """What a proof would be made of now."""
        asked, built = self._bench.asked, self._bench.built
        return None if asked is None else (asked.what, asked.roi), None if built is None else built.pipeline

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.button.setIcon(icon("proof"))
        self.refresh()

    def toggle(self) -> None:
        """Begin, or give up."""
        if self.running:
            self.cancel()
        else:
            self.start()

    def start(self) -> None:
        """Prove what runs on the frames from the one that is shown on."""
        if self._bench.opened is None or self.running:
            return
        self.proof = None
        self._of = self._what()
        self._collected = []
        self._timer.start()
        if not self._bench.live:
            self._ask(self.question())
        self.refresh()

    def question(self) -> ProofAsk:
        """What is to be proven: the pipeline as it runs, on frames of the clip."""
        bench = self._bench
        assert bench.opened is not None
        built, asked = bench.built, bench.asked
        text = dumps(with_found(loads(built.pipeline), built.found) if built is not None else bench.pipeline)
        frame = bench.shown.frame if bench.shown is not None else max(0, bench.position)
        return ProofAsk(
            text, built.groups if built is not None else (), built.device if built is not None else "cpu",
            asked.what if asked is not None else str(bench.opened.info.identity.get("path", "")),
            asked.reading if asked is not None else AS_STORED, asked.roi if asked is not None else None,
            frame if bench.range[0] <= frame < bench.range[1] else bench.range[0], max(bench.range[1], 1),
        )  # fmt: skip

    def _ask(self, question: ProofAsk) -> None:
        self._number = self._worker.ask(PROVE, question)

    def _collect(self) -> None:
        """A camera's frames are those that come by, until there are enough."""
        shown = self._bench.shown
        if not self.running or not self._bench.live or len(self._collected) >= FRAMES or shown is None or shown.output:
            return
        if not self._collected:
            self._first = shown.frame
        if not self._collected or self._collected[0].shape == shown.pixels.shape:
            self._collected.append(shown.pixels.copy())
        if len(self._collected) == FRAMES:
            built = self._bench.built
            running = None if built is None else with_found(loads(built.pipeline), built.found)
            text = dumps(running or self._bench.pipeline)
            self._ask(ProofAsk(text, (), built.device if built is not None else "cpu", "", first=self._first,
                               frames=np.stack(self._collected), bits=shown.bits))  # fmt: skip
        self.refresh()

    def cancel(self) -> None:
        """Give up at once."""
        self._timer.stop()
        self._worker.cancel()
        self.refresh("stopped" if self.proof is None or not self.proof.done else "")

    def poll(self) -> None:
        """Take what has come."""
        for answer in self._worker.poll():
            if answer.number != self._number:
                continue
            if answer.value is not None:
                self.proof = answer.value
                self.refresh()
            if answer.done:
                self._timer.stop()
                self._worker.cancel()  # its memory goes with it
                self.refresh(answer.error)

    # ------------------------------------------------------------------------------------------------------ views

    def refresh(self, problem: str = "") -> None:
        """Show what is known."""
        proof, opened = self.proof, self._bench.opened is not None
        self.button.setEnabled(opened or self.running)
        self.button.setText("Cancel" if self.running else "Prove it")
        self.button.setToolTip("Stop at once" if self.running else
                               f"Computes {FRAMES} frames of what is open in three ways and compares every bit: fused "
                               "as it runs, one stage a program, and the NumPy reference")  # fmt: skip
        self.bar.setVisible(self.running)
        self.bar.setValue(round(1000 * (proof.share if proof is not None else 0.0)))
        self._say(problem)
        self.times.show_times(proof)
        self._rows(proof.compared if proof is not None else ())
        self._picture()

    def _say(self, problem: str) -> None:
        proof = self.proof
        bad = bool(problem)
        if problem:
            words = problem
        elif self._bench.opened is None:
            words = "Open a clip or a camera; then its own frames prove that fusing changes nothing but the time."
        elif self.running and self._bench.live and proof is None and len(self._collected) < FRAMES:
            words = f"waiting for frames of the camera: {len(self._collected)} of {FRAMES}"
        elif self.running:
            words = f"{proof.stage if proof is not None else 'starting'} …"
        elif proof is None:
            words = "Fused against one stage a program and against the NumPy reference, on the frames that are shown."
        else:
            words, bad = proof.verdict(), not proof.same
            words = " ".join(f"{part[0].upper()}{part[1:]}." for part in (words, proof.remark) if part)
        colours = theme.current()
        good = proof is not None and proof.done and proof.same and not problem
        ink = colours.bad if bad else colours.good if good else colours.muted
        self.words.setText(words)
        self.words.setStyleSheet(f"color: {ink};" + (" font-weight: 600;" if good or bad else ""))

    def _rows(self, compared: tuple[Compared, ...]) -> None:
        colours = theme.current()
        row = max(0, self.view.currentRow())
        self.view.blockSignals(True)
        self.view.setRowCount(len(compared))
        for k, c in enumerate(compared):
            ink = colours.good if c.same else colours.bad
            amount = "0" if c.same else "missing" if c.largest == float("inf") else f"{c.largest:.4g}"
            what = "pixels" if c.pictures is not None else "rows"
            texts = (c.output, c.against, amount, f"{c.differing:,}", f"{c.total:,} {what}")
            for j, text in enumerate(texts):
                self.view.setItem(k, j, cell(text, tip=f"{c.output}: {c.type}", colour=ink if j in (2, 3) else ""))
        self.view.resizeColumnsToContents()
        if compared:
            self.view.setCurrentCell(min(row, len(compared) - 1), 0)
        self.view.blockSignals(False)

    def _picture(self) -> None:
        compared = self.proof.compared if self.proof is not None else ()
        row = self.view.currentRow()
        found = compared[row] if 0 <= row < len(compared) else None
        shown = found.pictures if found is not None else None
        if shown is None or found is None:
            for picture in self.pictures:
                picture.show_picture(None, "a table has no picture" if found is not None else "")
            return
        self.pictures[0].show_picture(shown.fused, f"fused, frame {shown.frame}")
        self.pictures[1].show_picture(shown.other, found.against)
        scale = "nothing differs" if found.same else f"difference, white is {found.largest:.4g}"
        self.pictures[2].show_picture(shown.difference, scale)

    def shut(self) -> None:
        """End the process."""
        self._timer.stop()
        self._worker.cancel()


class TimesView(QtWidgets.QWidget):  # type: ignore[misc]
    """Two bars: fused, and one stage a program."""

    def __init__(self) -> None:
        super().__init__()
        self._proof: Proof | None = None
        words = self.fontMetrics().horizontalAdvance("fused 999 µs, 99.9 x as fast")
        self.setFixedSize(words + 150, 2 * self.fontMetrics().height() + 10)
        self.setToolTip("Time a frame in the compiled programs, medians of turns; host functions are the same in both")

    def show_times(self, proof: Proof | None) -> None:
        """Show them."""
        self._proof = proof if proof is not None and proof.fused > 0 else None
        self.setVisible(self._proof is not None)
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Bars with words in front and behind."""
        del event
        proof = self._proof
        if proof is None:
            return
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        colours, height = theme.current(), self.fontMetrics().height()
        flags = int(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)
        lines = (("fused", proof.fused, colours.good, f"{duration(proof.fused)}, {proof.ratio:.2f} x as fast"),
                 ("apart", proof.alone, colours.muted, duration(proof.alone)))  # fmt: skip
        name = self.fontMetrics().horizontalAdvance("fused") + 10
        words = max(self.fontMetrics().horizontalAdvance(text) for *_, text in lines) + 12
        room = max(20, self.width() - name - words)
        most = max(proof.fused, proof.alone)
        for k, (title, seconds, colour, text) in enumerate(lines):
            top = 2 + k * (height + 4)
            painter.setPen(QtGui.QColor(colours.muted))
            painter.drawText(QtCore.QRect(2, top, name, height), flags, title)
            painter.setPen(QtCore.Qt.PenStyle.NoPen)
            painter.setBrush(QtGui.QColor(colour))
            width = max(2.0, room * seconds / most)
            painter.drawRoundedRect(QtCore.QRectF(name, top + 2, width, height - 4), 3, 3)
            painter.setPen(QtGui.QColor(colours.text))
            painter.drawText(QtCore.QRectF(name + width + 8, top, words, height), flags, text)
        painter.end()


class PictureLabel(QtWidgets.QWidget):  # type: ignore[misc]
    """A picture that keeps its shape, and a line below it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.words = ""
        self.image: QtGui.QImage | None = None
        self.setMinimumWidth(90)

    def show_picture(self, pixels: np.ndarray | None, words: str) -> None:
        """Show u8 pixels (height, width[, channels]); None for none."""
        self.words = words
        self.image = None if pixels is None else _image(pixels)
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """The picture, as large as fits."""
        del event
        painter, colours = QtGui.QPainter(self), theme.current()
        height = self.fontMetrics().height() + 4
        field = QtCore.QRectF(self.rect()).adjusted(0, 0, 0, -height)
        if self.image is not None:
            size = QtCore.QSizeF(self.image.size()).scaled(field.size(), QtCore.Qt.AspectRatioMode.KeepAspectRatio)
            place = QtCore.QRectF(QtCore.QPointF(0, 0), size)
            place.moveCenter(field.center())
            painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self.image)
            painter.setPen(QtGui.QColor(colours.line))
            painter.drawRect(place)
        painter.setPen(QtGui.QColor(colours.muted))
        line = QtCore.QRectF(0, self.height() - height, self.width(), height)
        short = self.fontMetrics().elidedText(self.words, QtCore.Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(line, int(QtCore.Qt.AlignmentFlag.AlignCenter), short)
        painter.end()


def _image(pixels: np.ndarray) -> QtGui.QImage:
    if pixels.ndim == 3 and pixels.shape[2] != 3:
        pixels = pixels[..., :3] if pixels.shape[2] > 3 else pixels[..., 0]
    data = np.ascontiguousarray(pixels)
    form = QtGui.QImage.Format.Format_RGB888 if data.ndim == 3 else QtGui.QImage.Format.Format_Grayscale8
    height, width = data.shape[:2]
    return QtGui.QImage(data.data, width, height, data.strides[0], form).copy()
