"""Bringing together messages of one moment that come one by one, from several threads."""

import threading


class Inbox:
    """Keeps the newest value of each input, and wakes who waits for them.

    Args:
        names: of the inputs.
    """

    def __init__(self, names):
        self._changed = threading.Condition()
        self._values = dict.fromkeys(names)
        self._fresh = dict.fromkeys(names, False)

    def put(self, name, value):
        """A new value, which makes this input ready."""
        with self._changed:
            self._values[name], self._fresh[name] = value, True
            self._changed.notify_all()

    def withdraw(self, name):
        """This input is not ready until the next `put`."""
        with self._changed:
            self._values[name], self._fresh[name] = None, False

    def missing(self):
        """Names of the inputs that are not ready."""
        with self._changed:
            return [name for name, value in self._values.items() if value is None]

    def gather(self, trigger, others, patience, timeout, optional=()):
        """Wait for a new value of the trigger, then a little for those that belong to it.

        Args:
            trigger: name of the input that is waited for. others, optional: names.
            patience: s to wait for new values of the others and the optional; after that, older
                ones of the others will do.
            timeout: s to wait for the trigger.

        Returns:
            list of values: the trigger's, the others', the optional ones' (None where there is no
            new one); None when the trigger did not come, or another is not ready.
        """
        needed = [trigger, *others]
        awaited = [*others, *optional]
        with self._changed:
            if not self._changed.wait_for(lambda: self._fresh[trigger], timeout):
                return None
            self._changed.wait_for(lambda: all(self._fresh[name] for name in awaited), patience)
            values = [self._values[name] for name in needed]
            values += [self._values[name] if self._fresh[name] else None for name in optional]
            self._fresh.update(dict.fromkeys([*needed, *optional], False))
        return None if any(value is None for value in values[: len(needed)]) else values
