"""What the referee orders of the zygote, and what it hears back.

The zygote's children form a line. New ones are forked at its end, ahead of need; all else is about the first of them.
"""

import struct

FORK, REPLACE, CPU, END = b"f", b"r", b"c", b"e"
"""Fork another; end the first and fork another; say what CPU time the first has used; end it and report."""
ORDER = struct.Struct(">cQQ")
"""The order, and for a fork the kernel's limits on the child: seconds of CPU time, bytes of memory."""
DONE, FAILED = b"+", b"!"
"""The first byte of a reply; a report or marshalled facts may follow the one, a reason the other."""
REPORT = struct.Struct(">dii")
"""CPU seconds, exit code, signal."""
