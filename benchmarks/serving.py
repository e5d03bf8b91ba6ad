"""The overhead and the capacity of `setwise serve`, against the server behind it, in the same run.

    python benchmarks/serving.py                      10,000 requests, 64 at a time; memory over 100,000
    python benchmarks/serving.py --requests 1000 --memory-requests 0 --local-requests 64

Claims: (1) no request is lost or answered twice, and the upstream is asked once for each; (2) in front of an upstream
that takes about `--delay-ms` per completion, as models do, the server adds at most 5 ms at the median; (3) a model in
the server's own process answers at least twice as many requests per second in batches as one at a time; (4) memory is
flat: once its caches are full (65,536 answers), it grows by at most 5 % from half of the requests to all of them. The
exit status is 1 if a claim fails.
"""

import argparse
import sys
import tempfile

from served.load import Measured, load
from served.processes import completions_given, resident_mb, served, upstream

MOST_ADDED_MS = 5.0
LEAST_BATCHED = 2.0
MOST_GROWTH = 1.05
TOKENS = 32


def proxy(requests: int, at_once: int, delay_ms: float) -> bool:
    with upstream(delay_ms) as behind, served(f"openai:m@{behind}") as server:
        for url in (behind, f"{server}/v1"):
            load(url, 10 * at_once, at_once)
        direct = load(behind, requests, at_once)
        before = completions_given(behind)
        through = load(f"{server}/v1", requests, at_once)
        asked = completions_given(behind) - before
    added = through.median_ms - direct.median_ms
    print(f"{requests:,} requests, {at_once} at a time, an upstream of {0.5 * delay_ms:g} to {1.5 * delay_ms:g} ms")
    for name, measured in (("upstream", direct), ("setwise serve", through)):
        _show(name, measured)
    lost = requests - len(through.answered)
    print(f"  added at the median: {added:.2f} ms; lost: {lost}; wrong: {through.wrong}; asked upstream: {asked:,}")
    return lost == 0 and through.wrong == 0 and asked == requests and added <= MOST_ADDED_MS


def batched(requests: int, at_once: int, model: str | None) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        spec = model or f"hf:{_word_model(folder)}"
        rates = {}
        for size in (1, at_once):
            with served(spec, "--at-once", str(size), "--k", "3") as server:
                load(f"{server}/v1", 2 * size, size, max_tokens=TOKENS)
                rates[size] = load(f"{server}/v1", requests, at_once, max_tokens=TOKENS)
    print(f"{requests:,} requests to a model in the server's process, {at_once} at a time, {TOKENS} tokens each")
    _show("one at a time", rates[1])
    _show(f"up to {at_once} together", rates[at_once])
    ratio = rates[at_once].per_second / rates[1].per_second
    wrong = sum(requests - len(each.answered) for each in rates.values())
    print(f"  batched against one at a time: {ratio:.1f}x; lost or wrong: {wrong}")
    return wrong == 0 and ratio >= LEAST_BATCHED


def memory(requests: int, at_once: int) -> bool:
    steps = [requests // 10, requests // 2, requests]
    sizes, done = [], 0
    with upstream(0) as behind, served(f"openai:m@{behind}") as server:
        for step in steps:
            load(f"{server}/v1", step - done, at_once)
            done = step
            sizes.append(resident_mb(server))
    told = ", ".join(f"{size:.1f} MB after {step:,}" for size, step in zip(sizes, steps, strict=True))
    print(f"resident memory of the server: {told}")
    return sizes[2] <= MOST_GROWTH * sizes[1]


def _show(name: str, measured: Measured) -> None:
    print(
        f"  {name:18} median {measured.median_ms:8.2f} ms   p99 {measured.p99_ms:8.2f} ms   "
        f"{measured.per_second:8.0f} requests/s"
    )


def _word_model(folder: str) -> str:
    """Untrained, of the demo's size: its answers mean nothing, but its cost is the demo's."""
    from setwise.training.warm_start.word_model import WordModelSize, build_word_model

    words = [f"word{number}" for number in range(400)]
    return str(build_word_model(words, folder, WordModelSize()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--delay-ms", type=float, default=200.0, help="mean time of a completion of the upstream")
    parser.add_argument("--local-requests", type=int, default=512, help="0 leaves the local model out")
    parser.add_argument("--model", help="a local model instead of an untrained one of the demo's size")
    parser.add_argument("--memory-requests", type=int, default=100_000, help="0 leaves the memory out")
    args = parser.parse_args()
    kept = []
    if args.requests:
        kept.append(proxy(args.requests, args.at_once, args.delay_ms))
    if args.local_requests:
        kept.append(batched(args.local_requests, args.at_once, args.model))
    if args.memory_requests:
        kept.append(memory(args.memory_requests, args.at_once))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
