"""What the export dialog consists of: its widgets, their tips, and where they lie."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.services.exporting import What
from app.exports.path_picture import By
from app.gui.icons import icon
from app.gui.sessions.video_form import VideoForm

COLOURS: dict[By, str] = {"track": "a colour for each track", "speed": "colours tell speed",
                          "time": "colours tell time"}  # fmt: skip


class ExportForm(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module.

    Args:
        parent: the window.
        video: what can be chosen of a video besides.

    Attributes:
        what: buttons by what is exported. format: the formats; about: what one of them is. file: what is written.
        colour: what the colours of paths tell.
        marks, lengths, axes, y_up, every, guesses, force, chosen_only: boxes. first, last: frames, as the timeline
            counts.
        video: what can be chosen of a video besides.
        bar: how far it is. words: what came of it. export, stop, show_folder, shut, browse: buttons.
    """

    def __init__(self, parent: QtWidgets.QWidget, video: VideoForm) -> None:
        super().__init__(parent)
        self.video = video
        self.setWindowTitle("Export")
        self.what = {what: QtWidgets.QRadioButton() for what in What}
        self.format = QtWidgets.QComboBox()
        self.about = QtWidgets.QLabel()
        self.about.setProperty("muted", True)
        self.about.setWordWrap(True)
        self.file = QtWidgets.QLineEdit()
        self.browse = QtWidgets.QToolButton()
        self.themed()
        self.browse.setToolTip("Choose the file")
        self.marks = QtWidgets.QCheckBox("only frames")
        self.first, self.last = QtWidgets.QSpinBox(), QtWidgets.QSpinBox()
        self.chosen_only = QtWidgets.QCheckBox()
        self.colour = QtWidgets.QComboBox()
        for by, words in COLOURS.items():
            self.colour.addItem(words, by)
        self.lengths = QtWidgets.QCheckBox()
        self.y_up = QtWidgets.QCheckBox("y points up, from the lowest row of pixels")
        self.axes = QtWidgets.QCheckBox("from my origin, along my axes")
        self.guesses = QtWidgets.QCheckBox("fill in places where a track was expected but not seen")
        self.every = QtWidgets.QCheckBox("also tracks that were seen too seldom to be believed")
        self.channels = QtWidgets.QCheckBox("the data channels, as a table beside it")
        self.channels.setChecked(True)
        self.force = QtWidgets.QCheckBox("replace the file if there is one")
        self.bar = QtWidgets.QProgressBar()
        self.words = QtWidgets.QLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.export = QtWidgets.QPushButton("Export")
        self.export.setDefault(True)
        self.stop = QtWidgets.QPushButton("Cancel the export")
        self.show_folder = QtWidgets.QPushButton("Open folder")
        self.shut = QtWidgets.QPushButton("Close")
        for button in (self.stop, self.show_folder, self.shut):
            button.setAutoDefault(False)
        self._tips()
        self._lay_out()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.browse.setIcon(icon("open"))

    def _tips(self) -> None:
        for widget, tip in (
            *((choice, "What is written") for choice in self.what.values()),
            (self.format, "Which programs read it is said below"), (self.file, "The file that is written"),
            (self.marks, "Only this part of the clip; the marks of the timeline (I, O) are proposed"),
            (self.first, "The first frame that is written"), (self.last, "The last frame that is written"),
            (self.chosen_only, "Leave out what is not selected in the table or on the video"),
            (self.colour, "Of the paths in the picture"),
            (self.lengths, "Positions and speeds in the unit of the scale (K sets one), else in pixels"),
            (self.axes, "Positions from the origin and along the axes that were set with the tool Axes"),
            (self.y_up, "As in physics books; pictures have y down"),
            (self.guesses, "Such places are left empty without it; where the format has a place for the state of a "
                           "track (mat, nwb) it says which they are"),
            (self.every, "Tracks that began and ended before they were confirmed; left out without it"),
            (self.channels, "FILE.channel.csv: a row a frame, with the channel interpolated at its time; of a "
                            "second one FILE.channel-2.csv"),
            (self.force, "Without it nothing that exists is overwritten"),
            (self.export, "Write the file; the window goes on meanwhile  (Return)"),
            (self.stop, "Stop writing; a file that is not whole is not left behind"),
            (self.show_folder, "Show the folder with the file"), (self.shut, "Close this window  (Esc)"),
        ):  # fmt: skip
            widget.setToolTip(tip)

    def _lay_out(self) -> None:
        form = QtWidgets.QGridLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(7)
        form.setColumnStretch(1, 1)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.file, 1)
        row.addWidget(self.browse)
        choices = QtWidgets.QVBoxLayout()
        for choice in self.what.values():
            choices.addWidget(choice)
        boxes = QtWidgets.QVBoxLayout()
        frames = QtWidgets.QHBoxLayout()
        frames.setSpacing(8)
        for widget in (self.marks, self.first, QtWidgets.QLabel("to"), self.last):
            frames.addWidget(widget)
        frames.addStretch()
        boxes.addLayout(frames)
        colours = QtWidgets.QHBoxLayout()
        colours.addWidget(self.colour)
        colours.addStretch()
        boxes.addLayout(colours)
        boxes.addWidget(self.video)
        for box in (self.chosen_only, self.lengths, self.axes, self.y_up, self.guesses, self.every, self.channels,
                    self.force):  # fmt: skip
            boxes.addWidget(box)
        for k, (words, item) in enumerate((("what", choices), ("format", self.format), ("", self.about), ("file", row),
                                           ("how", boxes))):  # fmt: skip
            label = QtWidgets.QLabel(words)
            label.setProperty("muted", True)
            top = QtCore.Qt.AlignmentFlag.AlignTop | QtCore.Qt.AlignmentFlag.AlignRight
            form.addWidget(label, k, 0, top)
            if isinstance(item, QtWidgets.QLayout):
                form.addLayout(item, k, 1)
            else:
                form.addWidget(item, k, 1)
        buttons = QtWidgets.QHBoxLayout()
        buttons.addWidget(self.show_folder)
        buttons.addStretch()
        for button in (self.stop, self.shut, self.export):
            buttons.addWidget(button)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(10)
        layout.addLayout(form)
        layout.addStretch()
        layout.addWidget(self.words)
        layout.addWidget(self.bar)
        layout.addLayout(buttons)
        self.setMinimumWidth(640)
