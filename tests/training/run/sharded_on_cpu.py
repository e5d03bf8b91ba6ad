"""`setwise` in a process that accelerate takes for one of several GPUs, since it shards over those alone.

The rest is as on GPUs, with gloo instead of NCCL. The test beside this file launches it with torchrun.
"""

import sys
from typing import Any

from accelerate import PartialState
from accelerate.utils import DistributedType

made = PartialState.__init__


def as_on_gpus(self: PartialState, *args: Any, **kwargs: Any) -> None:
    made(self, *args, **kwargs)
    if self.distributed_type == DistributedType.MULTI_CPU:
        self.distributed_type = DistributedType.MULTI_GPU


PartialState.__init__ = as_on_gpus

if __name__ == "__main__":
    from setwise.cli import main

    sys.exit(main(sys.argv[1:]))
