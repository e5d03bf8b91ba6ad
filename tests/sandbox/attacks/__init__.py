"""Wrong programs that try to be judged right, or to do harm. An attack succeeds if, and only if, its tests pass."""

from .false_pass import FALSE_PASS
from .host_damage import HOST_DAMAGE
from .leak import LEAK
from .objects import OBJECTS
from .protocol import PROTOCOL
from .resources import RESOURCES
from .shape import Attack

FAMILIES: dict[str, dict[str, Attack]] = {
    "false_pass": FALSE_PASS,
    "leak": LEAK,
    "objects": OBJECTS,
    "resources": RESOURCES,
    "host_damage": HOST_DAMAGE,
    "protocol": PROTOCOL,
}
ATTACKS = {f"{family}/{name}": attack for family, attacks in FAMILIES.items() for name, attack in attacks.items()}
