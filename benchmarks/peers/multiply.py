"""How fast is a plain large fp32 matrix multiply? Prints GFLOPS, the best of some seconds."""

from __future__ import annotations

import sys
import time

import torch

SIZE, SECONDS = 2048, 3.0


def main() -> None:
    """With as many threads as the one argument says."""
    torch.set_num_threads(int(sys.argv[1]))
    a, b = torch.randn(SIZE, SIZE), torch.randn(SIZE, SIZE)
    out, best, end = torch.empty(SIZE, SIZE), float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        began = time.perf_counter()
        torch.mm(a, b, out=out)
        best = min(best, time.perf_counter() - began)
    print(2 * SIZE**3 / best / 1e9)


if __name__ == "__main__":
    main()
