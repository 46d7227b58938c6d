"""The panel with every track in a line: search, sort, select, rename, merge, split, delete."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.corrector import Corrector
from app.desk.tracks.evicted_tracks import evicted_words
from app.gui.clipboard import to_clipboard
from app.gui.icons import icon
from app.gui.tracks.columns import Columns
from app.gui.tracks.model import COLUMNS, NAME, STATE, WHY, TracksModel
from kernels.errors import InputError

EVERY = 250
"""Milliseconds between two looks for new rows."""
FIT = 2.0
"""Seconds between two looks whether columns are wide enough, while rows come."""
LOOKS = 20
"""For the rows of a track to which the user goes; each takes a few milliseconds at most."""


class TracksTable(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        corrector: carries out corrections.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        further: what is in the menu below that of tracks.
        went: a signal: it went to a track's frame; both are given.
    """

    went = QtCore.pyqtSignal(int, int)

    def __init__(self, bench: Workbench, corrector: Corrector, guard: Callable[[Callable[[], object]], object]) -> None:
        super().__init__()
        self._bench, self._corrector, self._guard = bench, corrector, guard
        self.model = TracksModel(bench, corrector, guard)
        self.further: list[QtWidgets.QAction] = []
        self.search = QtWidgets.QLineEdit()
        self.search.setToolTip("Only tracks whose name or number has these letters; Esc leaves the field")
        self.search.setPlaceholderText("search names")
        self.search.setClearButtonEnabled(True)
        self.states = QtWidgets.QComboBox()
        for words, state in (("all", ""), ("seen", "seen"), ("guessed", "guessed"), ("lost", "lost"),
                             ("unsure", "unsure")):  # fmt: skip
            self.states.addItem(words, state)
        self.states.setToolTip("Only tracks that stand so in their last frame")
        self.follow = QtWidgets.QToolButton()
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        self.follow.setToolTip("Scroll to the track that is selected elsewhere")
        self.view = QtWidgets.QTableView()
        self.view.setModel(self.model)
        self.view.setSortingEnabled(True)
        self.view.setAlternatingRowColors(True)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(24)
        head = self.head = self.view.horizontalHeader()
        head.setHighlightSections(False)
        head.setStretchLastSection(True)
        head.setSectionsMovable(True)
        head.setMinimumSectionSize(36)
        head.setSortIndicator(NAME, QtCore.Qt.SortOrder.AscendingOrder)
        head.setDefaultAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)
        self.columns = Columns(self.view)
        self.count = QtWidgets.QLabel()
        self.count.setProperty("muted", True)
        self.buttons: dict[str, QtWidgets.QToolButton] = {}
        bar = QtWidgets.QHBoxLayout()
        bar.setSpacing(2)
        bar.addWidget(self.count, 1)
        for name, picture, tip, work in (
            ("merge", "link", "Merge: the selected tracks are one thing  (Ctrl+M)", self.merge),
            ("split", "cut", "Split the selected track at the frame that is shown  (Ctrl+K)", self.split),
            ("delete", "delete", "Delete the selected tracks  (Del)", self.delete),
        ):
            self.buttons[name] = button = QtWidgets.QToolButton()
            button.setToolTip(tip)
            button.setProperty("picture", picture)
            button.clicked.connect(lambda _, work=work: guard(work))
            bar.addWidget(button)
        top = QtWidgets.QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addWidget(self.states)
        top.addWidget(self.follow)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 4)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.view, 1)
        layout.addLayout(bar)
        keyed = QtWidgets.QShortcut(QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Copy), self.view)
        keyed.setContext(QtCore.Qt.ShortcutContext.WidgetWithChildrenShortcut)
        keyed.activated.connect(lambda: guard(self.copy))  # Qt's own would copy one cell
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.redraw)
        self._timer.start()
        self._choosing = False
        self._fitted, self._fit_at = -1, 0.0
        self.search.textChanged.connect(self._search)
        self.states.currentIndexChanged.connect(self._search)
        self.view.doubleClicked.connect(self._jump)
        self.view.selectionModel().selectionChanged.connect(self._chosen)
        self.view.customContextMenuRequested.connect(self._menu)
        bench.on(Topic.SELECTION, self._selected)
        bench.on(Topic.VIEW, self._renamed)
        bench.on(Topic.OPENED, self.redraw)
        self.themed()
        self._buttons()

    def themed(self) -> None:
        """The colours of the theme."""
        self.follow.setIcon(icon("eye"))
        for button in self.buttons.values():
            button.setIcon(icon(str(button.property("picture"))))
        self.view.viewport().update()

    # --------------------------------------------------------------------------------------------------- following

    def redraw(self) -> None:
        """Take in new rows, if anybody sees them; so much as a few milliseconds allow."""
        self._corrector.kept.poll()
        if not self.isVisible():
            return
        before = len(self.model.lines)
        version = self._bench.store.version
        # More waits: in the next turn, after what the user did.
        if self._look():
            QtCore.QTimer.singleShot(0, self.redraw)
        if len(self.model.lines) != before:
            self._selected()
        now = time.monotonic()
        # At once when the first rows come; later now and then, for the widths of all cells are asked for.
        if version != self._fitted and (not before or now > self._fit_at):
            self.columns.fit(wider=before > 0)
            self._fitted, self._fit_at = version, now + FIT
        self._count()

    def _look(self) -> bool:
        """Have the model take in new rows; tracks that have no line now stay selected."""
        # Lines that go take their selection with them, which the user did not undo.
        self._choosing = True
        more = self.model.look()
        self._choosing = False
        self.columns.offer(self.model.fields)
        return more

    def _count(self) -> None:
        shown, count = len(self.model.lines), self.model.count
        words = f"{shown} of {count} tracks" if shown != count else f"{count} track{'' if count == 1 else 's'}"
        chosen = len(self._bench.selected)
        words += f", {chosen} selected" if chosen else ""
        gone = evicted_words(self._bench.store, self._bench.number)
        words += "; some given up" if gone else ""
        tip = f"Given up for want of memory: {gone}. Run or record the clip to have all in a file" if gone else ""
        self.count.setToolTip(tip)
        self.count.setText(f"{words}, catching up…" if self.model.behind else words)

    def _search(self, *_: object) -> None:
        self._choosing = True
        self.model.search(self.search.text(), self.states.currentData())
        self._choosing = False
        self._selected()
        self._count()

    def _renamed(self) -> None:
        if self.isVisible():
            self._choosing = True
            self.model.arrange()
            self._choosing = False
            self.model.headerDataChanged.emit(QtCore.Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _selected(self) -> None:
        """Mark what the bench has as selected."""
        if self._choosing:
            return
        rows = self.model.rows_of(self._bench.selected)
        wanted = QtCore.QItemSelection()
        cuts = np.flatnonzero(np.diff(rows) != 1) + 1
        for part in np.split(rows, cuts) if len(rows) else ():  # runs, not rows: Qt takes long for many
            wanted.select(self.model.index(int(part[0]), 0), self.model.index(int(part[-1]), len(COLUMNS) - 1))
        self._choosing = True
        flag = QtCore.QItemSelectionModel.SelectionFlag
        self.view.selectionModel().select(wanted, flag.ClearAndSelect)
        self._choosing = False
        if len(rows) and self.follow.isChecked():
            self.view.scrollTo(self.model.index(int(rows[-1]), 0))
        self._buttons()
        self._count()

    def _chosen(self, *_: object) -> None:
        """Tell the bench what was selected here; the order in which tracks were picked stays."""
        if self._choosing:
            return
        lines, chosen = self.model.lines["track"], self.view.selectionModel().selection()
        # Ranges of rows, not single indexes: Qt makes an object of each of those.
        tracks = [track for part in chosen for track in lines[part.top() : part.bottom() + 1].tolist()]
        known = set(tracks)
        kept = [track for track in self._bench.selected if track in known]
        self._choosing = True
        self._bench.tracks.select([*kept, *tracks])
        self._choosing = False
        self._buttons()
        self._count()

    def _buttons(self) -> None:
        count = len(self._bench.selected)
        self.buttons["merge"].setEnabled(count > 1)
        self.buttons["split"].setEnabled(count == 1)
        self.buttons["delete"].setEnabled(count > 0)

    # -------------------------------------------------------------------------------------------------- correcting

    @property
    def frame(self) -> int:
        """The one that is shown."""
        return self._bench.shown.frame if self._bench.shown is not None else max(self._bench.position, 0)

    def merge(self) -> None:
        """The selected tracks are one thing."""
        self._corrector.merge(self._bench.selected)

    def split(self) -> None:
        """The selected track is another thing from the frame that is shown on."""
        if self._bench.selected:
            self._corrector.split(self._bench.selected[0], self.frame)

    def swap(self) -> None:
        """The two selected tracks are one another from the frame that is shown on."""
        self._corrector.swap(self._bench.selected, self.frame)

    def delete(self) -> None:
        """The selected tracks are none."""
        self._corrector.delete(self._bench.selected)

    def rename(self) -> None:
        """Write another name into the line of the selected track."""
        rows = self.model.rows_of(self._bench.selected[:1])
        if len(rows):
            self.view.setFocus()
            self.view.edit(self.model.index(int(rows[0]), 0))

    def select_all(self) -> None:
        """All tracks that have a line: those that were searched for, where something is."""
        for _ in range(LOOKS):  # the table may never have been shown so far
            if not self._look():
                break
        self._bench.tracks.select(self.model.lines["track"].tolist())

    def go(self, last: bool) -> None:
        """To the first or last frame of the selected track."""
        for _ in range(LOOKS):  # the table may never have been shown so far
            if not self._look():
                break
        rows = self.model.rows_of(self._bench.selected[:1])
        if len(rows):
            self._bench.player.pause()
            frame = int(self.model.lines["last" if last else "first"][rows[0]])
            self._bench.player.seek(frame)
            self.went.emit(self._bench.selected[0], frame)

    def _jump(self, index: QtCore.QModelIndex) -> None:
        """To the frame in which it began; from the columns of its end, to the one in which it ended."""
        if self._bench.live:
            return
        self._bench.tracks.select([int(self.model.lines["track"][index.row()])])
        self.go(index.column() in (STATE, WHY))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:  # noqa: N802
        """Another width for the columns."""
        super().resizeEvent(event)
        self.columns.fit()

    def menu(self) -> QtWidgets.QMenu:
        """What can be done with the selected tracks."""
        menu = QtWidgets.QMenu(self)
        count = len(self._bench.selected)
        for text, picture, work, sense in (
            ("Rename", "", self.rename, count == 1),
            ("Go to first frame", "first", lambda: self.go(False), count == 1),
            ("Go to last frame", "last", lambda: self.go(True), count == 1),
            ("", "", None, True),
            (f"Merge {count} tracks" if count > 1 else "Merge", "link", self.merge, count > 1),
            (f"Split at frame {self._bench.number(self.frame)}", "cut", self.split, count == 1),
            (f"Swap from frame {self._bench.number(self.frame)} on", "", self.swap, count == 2),
            (f"Delete {count} tracks" if count > 1 else "Delete", "delete", self.delete, count > 0),
        ):
            if work is None:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            if picture:
                action.setIcon(icon(picture))
            action.setEnabled(sense and (not self._bench.live or picture not in ("first", "last")))
            action.triggered.connect(lambda _=False, work=work: self._guard(work))
        menu.addSeparator()
        copied = menu.addAction(f"Copy {count} lines" if count > 1 else "Copy the line" if count else "Copy all lines")
        copied.setShortcut(QtGui.QKeySequence.StandardKey.Copy)
        copied.triggered.connect(lambda: self._guard(self.copy))
        menu.addSeparator()
        menu.addActions(self.further)
        return menu

    def copy(self) -> None:
        """The lines of the selected tracks, or all that are listed, to the clipboard, as spreadsheets want them: the
        columns that are seen."""
        self._look()
        rows = self.model.rows_of(self._bench.selected).tolist() or list(range(len(self.model.lines)))
        if not rows:
            raise InputError("there are no tracks to copy")
        to_clipboard(self.model.copied(rows, self.columns.seen))
        self._bench.speak(Level.NOTE, f"copied {len(rows)} line{'' if len(rows) == 1 else 's'} of tracks")

    def _menu(self, at: QtCore.QPoint) -> None:
        self.menu().popup(self.view.viewport().mapToGlobal(at))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:  # noqa: N802
        """Del deletes."""
        if event.key() == QtCore.Qt.Key.Key_Delete and self._bench.selected:
            self._guard(self.delete)
            return
        super().keyPressEvent(event)
