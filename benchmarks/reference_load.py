"""Print how long it takes to load the reference and to build every function, in milliseconds of CPU time."""

import time


def main() -> None:
    start = time.process_time()
    from pinebench import reference

    reference.function("ta.sma")
    reference.variable("close")
    reference.constant("color.red")
    loaded = time.process_time()
    for name in reference.functions():
        reference.function(name)
    built = time.process_time()
    print(f"load {1000 * (loaded - start):.1f} ms, build all functions {1000 * (built - loaded):.1f} ms")


if __name__ == "__main__":
    main()
