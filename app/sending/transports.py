"""Where packets go: UDP, or a ZeroMQ publisher. Neither ever waits: what has no room is not sent, and says so."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from typing import Any, Protocol

from app.files.optional import need
from kernels.errors import InputError

DATAGRAM = 9216
"""Bytes of a datagram, at most: macOS sends no more by default, and no loopback divides less."""
SCHEMES = ("udp", "zmq")
WAITING = 1000
"""Messages that a ZeroMQ subscriber may be behind before no more are sent."""
_HELD = 200
"""Milliseconds that what was sent last has to leave when the publisher closes."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to: "udp" or "zmq", a host and a port."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def parse_address(given: str) -> Address:
    """udp://HOST:PORT or zmq://HOST:PORT.

    Raises:
        InputError: anything else.

    >>> str(parse_address("udp://[::1]:9000")), parse_address("zmq://*:5556").host
    ('udp://[::1]:9000', '*')
    """
    found = re.fullmatch(r"(\w+)://(\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):(\d{1,5})/?", given)
    if found is None or found[1] not in SCHEMES or not 0 < int(found[3]) < 65536:
        raise InputError("--send takes udp://HOST:PORT or zmq://HOST:PORT, such as udp://127.0.0.1:9000, not "
                         f"{given!r}")  # fmt: skip
    return Address(found[1], found[2].strip("[]"), int(found[3]))


class Transport(Protocol):
    """What sends packets of at most `most` bytes (0: any)."""

    most: int

    def send(self, packet: bytes) -> str:
        """Send it, or say at once why not."""
        ...

    def close(self) -> None:
        """Give the socket back."""
        ...


class Udp:
    """Datagrams to one address; whether they are received is unknown.

    Raises:
        InputError: the host is not known.
    """

    most = DATAGRAM

    def __init__(self, address: Address) -> None:
        self._to: Any = None
        try:
            kind, _, _, _, self._to = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(kind, socket.SOCK_DGRAM)
        except (OSError, UnicodeError) as error:
            raise InputError(f"{address} leads nowhere: {getattr(error, 'strerror', None) or error}") from None
        self._socket.setblocking(False)

    def send(self, packet: bytes) -> str:
        try:
            self._socket.sendto(packet, self._to)
        except BlockingIOError:
            return "no room in the socket"
        except OSError as error:
            return (error.strerror or str(error)).lower()
        return ""

    def close(self) -> None:
        self._socket.close()


class ZeroMq:
    """A publisher (PUB) that subscribers connect to; each message is a whole batch.

    Raises:
        InputError: pyzmq is not installed, or the address cannot be had.
    """

    most = 0

    def __init__(self, address: Address) -> None:
        self._zmq: Any = need("zmq", "sending to zmq://", "zmq")
        self._context = self._zmq.Context()
        self._socket = self._context.socket(self._zmq.PUB)
        self._socket.setsockopt(self._zmq.SNDHWM, WAITING)
        # Otherwise it drops what a slow subscriber has no room for without a word.
        self._socket.setsockopt(self._zmq.XPUB_NODROP, 1)
        if ":" in address.host:
            self._socket.setsockopt(self._zmq.IPV6, 1)
        try:
            self._socket.bind(str(address).replace("zmq://", "tcp://", 1))
        except self._zmq.ZMQError as error:
            self._context.destroy(linger=0)
            raise InputError(f"{address} cannot be had: {str(error).lower()}; a port of this computer is wanted that "
                             "no other program has, such as zmq://127.0.0.1:5556") from None  # fmt: skip

    def send(self, packet: bytes) -> str:
        try:
            self._socket.send(packet, self._zmq.NOBLOCK)
        except self._zmq.Again:
            return "a subscriber was too far behind"
        except self._zmq.ZMQError as error:
            return str(error).lower()
        return ""

    def close(self) -> None:
        self._context.destroy(linger=_HELD)


def transport(address: Address) -> Transport:
    """The one for an address; raises InputError as it does."""
    return Udp(address) if address.scheme == "udp" else ZeroMq(address)
