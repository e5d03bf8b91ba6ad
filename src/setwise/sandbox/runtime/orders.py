"""What the referee orders from the zygote, and what it hears back.

The zygote's children form a queue. New ones are forked at its end, ahead of need; everything else concerns the first
one.
"""

import struct

FORK, REPLACE, CPU, END = b"f", b"r", b"c", b"e"
"""Fork another; end the first and fork another; report the CPU time of the first; end it and report."""
ORDER = struct.Struct(">cQQ")
"""The order and, for a fork, the kernel's limits on the child: seconds of CPU time, bytes of memory."""
DONE, FAILED = b"+", b"!"
"""The first byte of a reply. A report or marshalled facts may follow the first one, a reason the second."""
REPORT = struct.Struct(">dii")
"""CPU seconds, exit code, signal."""
