"""Errors that a user sees as one clear line, and the exit code each of them gives."""


class UserError(Exception):
    """Something the user can mend; the message says what was expected and what came."""

    exit_code = 1


class ArgumentError(UserError):
    """A wrong argument, parameter or scene name."""

    exit_code = 2
