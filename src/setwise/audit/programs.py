"""Programs written for their tests."""

from setwise.audit.answers import habit
from setwise.audit.registry import Found, finding
from setwise.audit.view import AuditView
from setwise.records.audit import Severity


def no_programs(view: AuditView) -> str:
    return "" if view.context.is_code else "programs"


def no_tests(view: AuditView) -> str:
    return no_programs(view) or ("" if view.table.tests_known else "the tests")


@finding(
    "equivalent_programs", label="One program twice", severity=Severity.WARNING, counted="distinct", needs=no_programs
)
def equivalent_programs(view: AuditView) -> Found | None:
    """Sets whose programs differ in nothing that matters: they are equal without names, docstrings, annotations and
    whatever does not change the result."""
    return habit(view, "same_program", "sets hold one program twice")


@finding(
    "special_cases", label="Programs that know the tests", severity=Severity.WARNING, counted="wrong", needs=no_tests
)
def special_cases(view: AuditView) -> Found | None:
    """Programs that check for an input of the tests by value and answer with a value that the tests expect, in a branch
    or in a table, unless the problem's own reference does so."""
    return habit(view, "knows_tests", "completions hold a program that knows the tests")


@finding(
    "printed_results", label="Prints instead of returns", severity=Severity.WARNING, counted="wrong", needs=no_programs
)
def printed_results(view: AuditView) -> Found | None:
    """Programs whose tested function prints and never returns a value."""
    return habit(view, "prints_only", "completions hold a program that prints its result", 0.01)


@finding(
    "tampering", label="Programs that work on the judge", severity=Severity.WARNING, counted="wrong", needs=no_programs
)
def tampering(view: AuditView) -> Found | None:
    """Programs that end the process, make everything equal, or reach into the interpreter."""
    return habit(view, "works_on_the_judge", "completions hold a program that works on the judge")
