"""Colours for generated code: LLVM's text and CUDA C."""

from __future__ import annotations

import re

from pyqtgraph.Qt import QtGui

from app.gui import theme

_LLVM = (
    ("keyword", r"\b(?:define|declare|ret|br|label|phi|switch|unreachable|to|align|inbounds|nuw|nsw|private|constant|"
                r"internal|attributes|target|datalayout|triple|noalias|nocapture|readonly|x)\b"),
    ("call", r"\b(?:load|store|getelementptr|call|add|sub|mul|[su]div|[su]rem|f(?:add|sub|mul|div|neg|cmp|ptosi|ptoui|"
             r"pext|ptrunc)|icmp|select|and|or|xor|shl|[al]shr|zext|sext|trunc|[us]itofp|bitcast|insertelement|"
             r"extractelement|shufflevector|alloca|freeze)\b"),
    ("type", r"\b(?:i\d+|float|double|half|void|ptr|vector)\b|<\d+ x [^>]+>"),
    ("name", r"[%@][-\w.$]+"),
    ("number", r"(?<![\w%@.])-?(?:0x[0-9A-Fa-f]+|\d+\.\d+(?:e[+-]?\d+)?|\d+)\b"),
    ("text", r'"[^"]*"'),
)  # fmt: skip
_CUDA = (
    ("keyword", r"\b(?:if|else|for|while|do|return|const|static|struct|union|switch|case|break|continue|extern|inline|"
                r"volatile|sizeof|define|include|pragma|unroll)\b|#\w+"),
    ("call", r"\b(?:__\w+|threadIdx|blockIdx|blockDim|gridDim|f(?:min|max|ma|abs)f?|min|max|sqrtf?)\b"),
    ("type", r"\b(?:void|int|unsigned|float|double|char|short|long|bool|u?int\d+_t|half|size_t)\b"),
    ("number", r"\b(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)[uUlLfF]*\b"),
    ("text", r'"[^"]*"'),
)  # fmt: skip


class Highlighter(QtGui.QSyntaxHighlighter):  # type: ignore[misc]
    """Colours a document; `language` is "llvm" or "cuda"."""

    def __init__(self, document: QtGui.QTextDocument) -> None:
        super().__init__(document)
        self.language = "llvm"
        self._formats: dict[str, QtGui.QTextCharFormat] = {}
        self._rules = {name: [(kind, re.compile(pattern)) for kind, pattern in rules]
                       for name, rules in (("llvm", _LLVM), ("cuda", _CUDA))}  # fmt: skip
        self.themed()

    def themed(self) -> None:
        """Take the colours of the theme; lines are coloured as they are highlighted again."""
        colours = theme.current()
        ink = {"keyword": colours.tracks[3], "call": colours.tracks[0], "type": colours.tracks[1],
               "name": colours.tracks[4], "number": colours.tracks[2], "text": colours.tracks[5],
               "comment": colours.muted}  # fmt: skip
        self._formats = {}
        for kind, colour in ink.items():
            made = QtGui.QTextCharFormat()
            made.setForeground(QtGui.QColor(colour))
            if kind == "comment":
                made.setFontItalic(True)
            self._formats[kind] = made

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        """One line."""
        sign = ";" if self.language == "llvm" else "//"
        end = text.find(sign)
        code = text if end < 0 else text[:end]
        for kind, rule in self._rules[self.language]:
            for found in rule.finditer(code):
                self.setFormat(found.start(), found.end() - found.start(), self._formats[kind])
        if end >= 0:
            self.setFormat(end, len(text) - end, self._formats["comment"])
