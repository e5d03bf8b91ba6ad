"""Ways to write a test, from the language reference. What plain execution says of each, the sandbox says too, or it
says nothing."""

from .calls import CALLS
from .changes import CHANGES
from .classes import CLASSES
from .comparisons import COMPARISONS
from .containers import CONTAINERS
from .exceptions import EXCEPTIONS
from .functions import FUNCTIONS
from .iterators import ITERATORS
from .layout import LAYOUT
from .operators import OPERATORS
from .own_exceptions import OWN_EXCEPTIONS
from .problems import PROBLEMS
from .shape import Idiom
from .values import VALUES

FAMILIES: dict[str, dict[str, Idiom]] = {
    "calls": CALLS,
    "changes": CHANGES,
    "classes": CLASSES,
    "comparisons": COMPARISONS,
    "containers": CONTAINERS,
    "exceptions": EXCEPTIONS,
    "functions": FUNCTIONS,
    "iterators": ITERATORS,
    "layout": LAYOUT,
    "operators": OPERATORS,
    "own_exceptions": OWN_EXCEPTIONS,
    "problems": PROBLEMS,
    "values": VALUES,
}
IDIOMS = {f"{family}/{name}": idiom for family, idioms in FAMILIES.items() for name, idiom in idioms.items()}
