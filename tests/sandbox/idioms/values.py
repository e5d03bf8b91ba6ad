"""Values: text, numbers, dates, and how they are written."""

from .shape import idiom

# fmt: off
DAY = "from datetime import date\ndef f(): return date(2024, 2, 29)"
LATER = "from datetime import date\ndef f(): return date(2024, 3, 1)"

VALUES = {
    "upper case": idiom("def f(): return 'Heron'", "assert f().upper() == 'HERON'", wrong="def f(): return 'larch'"),
    "starts with": idiom("def f(): return 'Heron'", "assert f().startswith('He')", wrong="def f(): return 'larch'"),
    "split": idiom("def f(): return 'a b'", "assert f().split() == ['a', 'b']", wrong="def f(): return 'larch'"),
    "joined": idiom("def f(): return ['a', 'b']", "assert '-'.join(f()) == 'a-b'", wrong="def f(): return ['b']"),
    "lines": idiom(
        "def f(): return 'a\\nb'", "assert f() == '''a\nb'''", "assert len(f().splitlines()) == 2",
        wrong="def f(): return 'larch'",
    ),
    "an f-string": idiom(
        "def f(): return 'Heron'", "assert f'{f()}!' == 'Heron!'", "assert f'{f():>7}' == '  Heron'",
        wrong="def f(): return 'larch'",
    ),
    "a format": idiom(
        "def f(): return 'Heron'", "assert '{0} {0}'.format(f()) == 'Heron Heron'",
        "assert '%s!' % f() == 'Heron!'", wrong="def f(): return 'larch'",
    ),
    "its representation": idiom(
        "def f(): return 'Heron'", "assert repr(f()) == \"'Heron'\"", wrong="def f(): return 'larch'",
    ),
    "its text": idiom(
        "def f(): return [1, 'a', None]", "assert str(f()) == \"[1, 'a', None]\"", wrong="def f(): return [1]",
    ),
    "the text of a float": idiom(
        "def f(): return 0.1 + 0.2", "assert str(f()) == '0.30000000000000004'", wrong="def f(): return 0.3",
    ),
    "matched": idiom(
        "def f(): return 'Heron'", "import re\nassert re.match(r'H\\w+$', f())",
        "import re\nassert re.sub('e', 'a', f()) == 'Haron'", wrong="def f(): return 'larch'",
    ),
    "a match as the answer": idiom(
        "import re\ndef f(t): return re.match('(a)(b)', t)", "assert f('ab').group(1) == 'a'", "assert f('ab')",
        "assert f('x') is None", "assert f('ab').groups() == ('a', 'b')", "assert f('ab')[2] == 'b'",
        wrong="import re\ndef f(t): return re.match('(a)(.)', 'ac')",
    ),
    "not ASCII": idiom(
        "def f(): return 'é' + '\\U0001f600'", "assert f() == 'é😀'", "assert len(f()) == 2",
        wrong="def f(): return 'larch'",
    ),
    "a lone surrogate": idiom(
        "def f(): return '\\ud800'", "assert f() == '\\ud800'", wrong="def f(): return 'larch'",
    ),
    "encoded": idiom("def f(): return 'Heron'", "assert f().encode() == b'Heron'", wrong="def f(): return 'larch'"),
    "letters sorted": idiom(
        "def f(): return 'Heron'", "assert sorted(f()) == ['H', 'e', 'n', 'o', 'r']",
        "assert set(f()) == set('Heron')", wrong="def f(): return 'larch'",
    ),
    "a big integer": idiom(
        "def f(): return 2 ** 300", "assert f() == 2 ** 300", "assert f() % 7 == 1",
        wrong="def f(): return 2 ** 301",
    ),
    "arithmetic": idiom(
        "def f(): return 7", "assert f() * 2 + 1 == 15", "assert -f() == -7",
        "assert f() // 2 == 3 and f() % 2 == 1", wrong="def f(): return 8",
    ),
    "bits": idiom(
        "def f(): return 6", "assert f() & 2 == 2", "assert f() << 1 == 12", "assert ~f() == -7",
        wrong="def f(): return 8",
    ),
    "bool is an int": idiom(
        "def f(): return True", "assert f() == 1", "assert sum([f(), f()]) == 2", wrong="def f(): return 2",
    ),
    "int and float": idiom(
        "def f(): return 2.0", "assert f() == 2", "assert isinstance(f(), float)", wrong="def f(): return 2",
    ),
    "complex": idiom(
        "def f(): return 3 + 4j", "assert abs(f()) == 5", "assert f().imag == 4", "assert f() == complex(3, 4)",
        wrong="def f(): return 3",
    ),
    "a fraction": idiom(
        "from fractions import Fraction\ndef f(): return Fraction(1, 2)",
        "from fractions import Fraction\nassert f() == Fraction(1, 2)", "assert f() == 0.5",
        "assert f().denominator == 2", wrong="from fractions import Fraction\ndef f(): return Fraction(1, 3)",
    ),
    "a decimal": idiom(
        "from decimal import Decimal\ndef f(): return Decimal('0.10')",
        "from decimal import Decimal\nassert f() == Decimal('0.1')", "assert str(f()) == '0.10'",
        "assert round(f(), 1) * 10 == 1", wrong="from decimal import Decimal\ndef f(): return Decimal('1.00')",
    ),
    "a decimal given": idiom(
        "def f(x): return x * 2", "from decimal import Decimal\nassert f(Decimal('0.1')) == Decimal('0.2')",
        wrong="def f(x): return x",
    ),
    "a date": idiom(
        DAY, "from datetime import date\nassert f() == date(2024, 2, 29)", "assert f().year == 2024",
        "assert f().isoformat() == '2024-02-29'",
        "import datetime\nassert f() + datetime.timedelta(days=1) == datetime.date(2024, 3, 1)", wrong=LATER,
    ),
    "a time with its zone": idiom(
        "from datetime import datetime, timezone, timedelta\n"
        "def f(): return datetime(2024, 1, 1, 12, tzinfo=timezone.utc)",
        "from datetime import datetime, timezone\nassert f() == datetime(2024, 1, 1, 12, tzinfo=timezone.utc)",
        "assert f().hour == 12", "assert f().isoformat() == '2024-01-01T12:00:00+00:00'",
        wrong="from datetime import datetime\ndef f(): return datetime(2024, 1, 1, 12)",
    ),
    "a time delta": idiom(
        "from datetime import timedelta\ndef f(): return timedelta(hours=1)", "assert f().total_seconds() == 3600",
        wrong="from datetime import timedelta\ndef f(): return timedelta(hours=2)",
    ),
    "a date's text": idiom(
        DAY, "assert str(f()) == '2024-02-29'", "assert f().strftime('%d.%m.%y') == '29.02.24'", wrong=LATER,
    ),
    "a path": idiom(
        "from pathlib import PurePosixPath\ndef f(): return PurePosixPath('/a') / 'b'",
        "assert str(f()) == '/a/b'", "assert f().name == 'b'",
        wrong="from pathlib import PurePosixPath\ndef f(): return PurePosixPath('/a')",
    ),
    "a path compared": idiom(
        "from pathlib import PurePosixPath\ndef f(): return PurePosixPath('/a')",
        "assert f() == PurePosixPath('/a')",
        wrong="from pathlib import PurePosixPath\ndef f(): return PurePosixPath('/b')",
    ),
    "a module": idiom("import math\ndef f(): return math", "assert f().pi > 3", wrong="def f(): return 3"),
    "statistics": idiom(
        "def f(): return [1, 2, 3]", "import statistics\nassert statistics.mean(f()) == 2",
        wrong="def f(): return [1]",
    ),
    "a sum of floats": idiom(
        "def f(): return [0.1] * 10", "import math\nassert math.fsum(f()) == 1.0", wrong="def f(): return [0.1]",
    ),
    "min and max": idiom(
        "def f(): return [3, 1]", "assert min(f()) == 1 and max(f()) == 3", "assert max(f(), default=0) == 3",
        wrong="def f(): return [2]",
    ),
    "zipped": idiom(
        "def f(): return [1, 2]", "assert dict(zip('ab', f())) == {'a': 1, 'b': 2}",
        wrong="def f(): return [2, 1]",
    ),
    "reversed": idiom(
        "def f(): return [1, 2]", "assert list(reversed(f())) == [2, 1]", wrong="def f(): return [2, 1]",
    ),
    "a sentinel": idiom(
        "def f(): return NotImplemented", "assert f() is NotImplemented", wrong="def f(): return None",
    ),
    "an ellipsis": idiom("def f(): return ...", "assert f() is ...", wrong="def f(): return None"),
    "a type": idiom(
        "def f(): return int", "assert f() is int", "assert f()('3') == 3", wrong="def f(): return float",
    ),
    "a class of the program's": idiom(
        "class A:\n    n = 3\ndef f(): return A", "assert f() is A", "assert f().n == 3", "assert f()().n == 3",
        wrong="class A:\n    n = 4\ndef f(): return int",
    ),
    "nothing left over": idiom(
        "def f(xs):\n    xs.clear()\n    return xs", "assert f([1, 2]) == []", wrong="def f(xs): return xs",
    ),
    "a small integer is it": idiom("def f(): return 3", "assert f() is 3", wrong="def f(): return 4"),
    "a large integer is not it": idiom(
        "n = 9\ndef f(): return 10 ** n\ndef g(): return 10 ** n", "assert f() is not g()",
        wrong="kept = 10 ** 9\ndef f(): return kept\ng = f",
    ),
    "with a message": idiom("def f(): return 3", "assert f() == 3, f'got {f()}'", wrong="def f(): return 4"),
    "a counter in a loop": idiom(
        "def f(x): return x * x", "total = 0\nfor x in range(3):\n    total += f(x)\nassert total == 5",
        wrong="def f(x): return x",
    ),
    "several asserts": idiom(
        "def f(x): return x * x", "assert f(1) == 1\nassert f(2) == 4\nassert f(3) == 9",
        wrong="def f(x): return x",
    ),
    "answers gathered": idiom(
        "def f(x): return x * x", "got = []\nfor x in range(3):\n    got.append(f(x))\nassert got == [0, 1, 4]",
        wrong="def f(x): return x",
    ),
    "an answer as the next argument": idiom(
        "def f(x): return x + 1", "x = 0\nfor _ in range(3):\n    x = f(x)\nassert x == 3",
        wrong="def f(x): return 1",
    ),
    "an answer kept and asked again": idiom(
        "def f(x): return [x]", "a = f(1)\nb = f(2)\nassert a + b == [1, 2]", wrong="def f(x): return [1]",
    ),
    "an if": idiom(
        "def f(x): return x > 0", "if f(1):\n    pass\nelse:\n    assert False\nassert not f(-1)",
        wrong="def f(x): return True",
    ),
    "a sum of floats that is nearly so": idiom(
        "def f(): return [0.1, 0.2]", "assert abs(sum(f()) - 0.3) < 1e-9", wrong="def f(): return [1]",
    ),
    "text arithmetic": idiom(
        "def f(): return 'a'", "assert 2 * f() == 'aa'", "assert f() + 'b' == 'ab'", "assert f() < 'b'",
        wrong="def f(): return 'c'",
    ),
    "a decimal by the program's import": idiom(
        "from decimal import Decimal\ndef f(): return Decimal('1.1')", "assert f() * 2 == Decimal('2.2')",
        wrong="from decimal import Decimal\ndef f(): return Decimal('1.2')",
    ),
}
