"""The keyboard of a terminal: whole keys without waiting, a terminal that is always restored."""

import codecs
import contextlib
import os
import select
import signal
import sys
import termios
import time
import tty

from mujoco_ros_common.errors import UserError

_ESCAPE_WAIT = 0.03  # s; the rest of a key's sequence comes at once, a lone ESC is followed by none
_CONTROL = {"\x1b": "esc", "\r": "enter", "\n": "enter", "\t": "tab", " ": "space"}
_CONTROL.update({"\x7f": "backspace", "\x08": "backspace"})
# what follows ESC [ or ESC O (ECMA-48, and the names that xterm's control sequences give them)
_SEQUENCES = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_SEQUENCES.update({"1~": "home", "2~": "insert", "3~": "delete", "4~": "end"})
_SEQUENCES.update({"5~": "page_up", "6~": "page_down", "7~": "home", "8~": "end"})
_SEQUENCES.update({"P": "f1", "Q": "f2", "R": "f3", "S": "f4", "Z": "shift+tab"})
# the Linux console sends ESC [ [ A to E
_SEQUENCES.update({"[A": "f1", "[B": "f2", "[C": "f3", "[D": "f4"})
_FATAL_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class NoTerminalError(UserError):
    """Standard input is not a terminal."""


class RawTerminal:
    """Read single keys from a terminal; a context manager that restores it however it ends.

    Ctrl-C keeps its meaning. SIGTERM, SIGHUP and SIGQUIT restore the terminal, then do what they
    did before (by default: end the process, through SystemExit).

    Args:
        stream: the terminal; standard input by default.

    Raises:
        NoTerminalError: on entering, when the stream is not a terminal.
    """

    def __init__(self, stream=None):
        self._stream = sys.stdin if stream is None else stream
        self._saved, self._handlers = None, {}
        self._text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")

    def __enter__(self):
        if self._stream is None or self._stream.closed or not self._stream.isatty():
            raise NoTerminalError(
                "expected a terminal to read keys from, but standard input is none: "
                "start the keyboard in a terminal (roslaunch: terminal:='xterm -e')"
            )
        self._fd = self._stream.fileno()
        self._saved = termios.tcgetattr(self._fd)
        for number in _FATAL_SIGNALS:
            self._handlers[number] = signal.signal(number, self._on_signal)
        tty.setcbreak(self._fd, termios.TCSANOW)
        return self

    def __exit__(self, *_):
        self.restore()
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._on_signal:
                signal.signal(number, handler)

    def restore(self):
        """Give the terminal back as it was; harmless when called twice or on a closed one."""
        saved, self._saved = self._saved, None
        if saved is None:
            return
        # a process in the background would be stopped for it
        stopping = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        with contextlib.suppress(termios.error):  # the terminal itself may be gone
            termios.tcsetattr(self._fd, termios.TCSANOW, saved)
        signal.pthread_sigmask(signal.SIG_SETMASK, stopping)

    def read_keys(self, timeout=0.0):
        """Names of the keys pressed so far, in order; waits at most `timeout` s for the first.

        A printable key is its character; the others are "esc", "space", "enter", "tab",
        "backspace", "up", "down", "left", "right", "page_up", "page_down", "home", "end",
        "insert", "delete", "f1".."f4", "ctrl+x" and "alt+x".

        Raises:
            EOFError: the terminal was closed.
        """
        self._fill(timeout)
        keys = []
        while self._text:
            key, used = _first_key(self._text)
            if used == 0:  # a sequence that is not complete: its rest, or a lone ESC
                if self._fill(_ESCAPE_WAIT):
                    continue
                key, used = _cut_short(self._text), len(self._text)
            self._text = self._text[used:]
            if key is not None:
                keys.append(key)
        return keys

    def _fill(self, timeout):
        """Append what has been typed; False when nothing came in time."""
        if not select.select([self._fd], [], [], timeout)[0]:
            return False
        try:
            typed = os.read(self._fd, 1024)
        except OSError:
            typed = b""
        if not typed:
            raise EOFError("the terminal was closed")
        self._text += self._decoder.decode(typed)
        return True

    def _on_signal(self, number, frame):
        self.restore()
        previous = self._handlers.get(number)
        if callable(previous):
            previous(number, frame)
        elif previous != signal.SIG_IGN:
            sys.exit(128 + number)


def _first_key(text):
    """The first key of a text and how many characters it took; (None, 0) when it is cut short."""
    first = text[0]
    if first == "\x1b":
        return _escape(text)
    if first in _CONTROL:
        return _CONTROL[first], 1
    return (f"ctrl+{chr(ord(first) + 64).lower()}" if first < " " else first), 1


def _escape(text):
    """The same for a text that begins with ESC."""
    if len(text) == 1:
        return None, 0
    if text[1] == "\x1b":  # some terminals send ESC before the sequence of a key pressed with Alt
        key, used = _escape(text[1:]) if text[2:3] in ("[", "O") else ("esc", 0)
        return key, used + 1 if used or key else 0
    if text[1] not in "[O":
        return (f"alt+{text[1]}" if text[1] >= " " else None), 2
    for end in range(2, len(text)):
        if text[end] < " ":  # another key begins: this one was cut short
            return _cut_short(text[:end]), end
        if "\x40" <= text[end] <= "\x7e" and (end > 2 or text[end] != "["):
            return _sequence(text[2 : end + 1]), end + 1
    return None, 0


def _cut_short(text):
    """The key of a text that begins as a sequence, but does not go on."""
    if len(text) == 1:
        return "esc"
    return f"alt+{text[1]}" if len(text) == 2 else None


def _sequence(body):
    """The key of what follows ESC [ or ESC O; a modifier (";5" is Ctrl) makes no other key."""
    if ";" in body:
        number = body.split(";", 1)[0]
        body = (number if body[-1] == "~" else "") + body[-1]
    return _SEQUENCES.get(body)


class KeyRepeatFilter:
    """Lets a key that is held down count once, though the terminal repeats it.

    A terminal does not say when a key is released. Repeats come in a stream (X: the first after
    0.25-0.7 s, then 20-40 a second), a second press of a person comes alone. So a key that comes
    again soon after itself is held back for `burst` seconds: followed by another, it was a
    repeat; alone, it was a press.

    Args:
        keys: the keys to filter; others pass at once.
        burst: longest time between two repeats, s. delay: longest time before the first, s.
    """

    def __init__(self, keys, burst=0.12, delay=0.8):
        self.keys, self.burst, self.delay = frozenset(keys), burst, delay
        self._last, self._waiting = {}, {}

    def accept(self, keys, now=None):
        """The presses among `keys` (read just now), and those whose waiting has ended.

        Call it regularly, also with no keys. `now`: monotonic time, s.
        """
        now = time.monotonic() if now is None else now
        pressed = [key for key, since in self._waiting.items() if now - since >= self.burst]
        for key in pressed:
            del self._waiting[key]
        for key in keys:
            if key not in self.keys:
                pressed.append(key)
                continue
            gap = now - self._last.get(key, -float("inf"))
            self._last[key] = now
            if gap < self.burst:
                self._waiting.pop(key, None)
            elif gap < self.delay:
                self._waiting[key] = now
            else:
                pressed.append(key)
        return pressed
