"""What the referee orders of the zygote, and what it hears back."""

import struct

FORK, CPU, END = b"f", b"c", b"e"
ORDER = struct.Struct(">cdQ")
"""The order, and for a fork the child's CPU seconds and bytes of memory."""
DONE, FAILED = b"+", b"!"
"""The first byte of a reply; a report or JSON follows the one, a reason the other."""
REPORT = struct.Struct(">dii")
"""CPU seconds, exit code, signal."""
