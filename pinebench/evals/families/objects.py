"""Tasks about user-defined types and methods."""

from __future__ import annotations

from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN
from pinebench.evals.tasks import Instance, family, pine, words


@family("touched-levels", "write", "indicator", "hard")
def _touched_levels(draw: Draw) -> Instance:
    side, most = draw.whole(2, 3), draw.whole(2, 3)
    kind = draw.turn("high", "low", "high", "low", "high")
    count, touches, newest = draw.pick(
        ("Levels", "Touches", "Newest"), ("Open", "Hits", "Last"), ("Held", "Tests", "Latest")
    )
    beyond = "above" if kind == "high" else "below"
    sign = ">" if kind == "high" else "<"
    reach = ">=" if kind == "high" else "<="
    word = "at or above" if kind == "high" else "at or below"

    def values(bars, n: int) -> dict[str, list[float]]:
        series = getattr(bars, kind)
        better = (lambda a, b: a > b) if kind == "high" else (lambda a, b: a < b)
        found: dict[str, list[float]] = {count: [], touches: [], newest: []}
        levels: list[list[float]] = []
        for i in range(len(bars)):
            for level in levels:
                if better(series[i], level[0]) or series[i] == level[0]:
                    level[1] += 1
            levels = [level for level in levels if not better(bars.close[i], level[0])]
            at = i - n
            if at >= n:
                price = series[at]
                others = [series[j] for j in range(at - n, i + 1) if j != at]
                if all(better(price, other) for other in others):
                    levels.append([price, 0.0])
                    if len(levels) > most:
                        levels.pop(0)
            found[count].append(float(len(levels)))
            found[touches].append(sum(level[1] for level in levels))
            found[newest].append(levels[-1][0] if levels else NAN)
        return found

    return Instance(
        request=words(f"""
            Write an indicator that keeps price levels, with a user-defined type for a level. A bar is a pivot if its
            {kind} is strictly {beyond} the {kind} of each of the n bars before it and of each of the n bars after it; n is
            the input "Side" (int, default {side}). So a pivot is known n bars after its bar. On every bar do this, in this
            order:

            - 1. For each level that is held: if this bar's {kind} is {word} the level's price, add 1 to its touches.

            - 2. Remove each level whose price this bar's close is strictly {beyond} of.

            - 3. If the bar n bars ago has become a pivot, add a level with its {kind} as the price and 0 touches. If there
            are then more than {most} levels, remove the oldest one.

            Plot the number of levels as "{count}", the sum of the touches of all levels as "{touches}" (0 if there are
            none), and the price of the newest level as "{newest}" (na if there are none).
        """),
        reference=pine(f"""
            //@version=6
            indicator("Touched levels", overlay = true)
            int side = input.int({side}, "Side", minval = 1)
            type Level
                float price
                int touches = 0
            method test(Level this) =>
                if {kind} {reach} this.price
                    this.touches += 1
                close {sign} this.price
            var array<Level> levels = array.new<Level>()
            bool isPivot = true
            for i = 0 to 2 * side
                if i != side and not ({kind}[side] {sign} {kind}[i])
                    isPivot := false
            array<Level> kept = array.new<Level>()
            for level in levels
                if not level.test()
                    kept.push(level)
            levels := kept
            if isPivot
                levels.push(Level.new({kind}[side]))
                if levels.size() > {most}
                    levels.shift()
            int total = 0
            for level in levels
                total += level.touches
            float newest = levels.size() > 0 ? levels.last().price : na
            plot(levels.size(), "{count}")
            plot(total, "{touches}")
            plot(newest, "{newest}", style = plot.style_linebr)
        """),
        inputs={"Side": side + 1},
        oracle=lambda bars, inputs: values(bars, inputs.get("Side", side)),
    )


@family("best-moves", "write", "indicator", "medium")
def _best_moves(draw: Draw) -> Instance:
    keep, length = draw.whole(3, 6), draw.whole(2, 5)
    way = draw.turn("largest", "smallest", "largest", "smallest", "largest")
    top, mean, age = draw.pick(("First", "Mean", "Age"), ("Best", "Average", "Bars since"), ("Lead", "Level", "Old"))
    sign = ">" if way == "largest" else "<"

    def values(bars, n: int) -> dict[str, list[float]]:
        close = bars.close
        found: dict[str, list[float]] = {top: [], mean: [], age: []}
        held: list[tuple[float, int]] = []
        for i in range(len(close)):
            if i >= n:
                move = close[i] - close[i - n]
                place = sum((one[0] >= move) if way == "largest" else (one[0] <= move) for one in held)
                held.insert(place, (move, i))
                held = held[:keep]
            found[top].append(held[0][0] if held else NAN)
            found[mean].append(sum(one[0] for one in held) / len(held) if held else NAN)
            found[age].append(float(i - held[0][1]) if held else NAN)
        return found

    return Instance(
        request=words(f"""
            Write an indicator that keeps a list of the {keep} {way} moves so far, with a user-defined type for a move. The
            move of a bar is its close minus the close of n bars before; n is the input "Length" (int, default {length}).
            Bars without such a move are skipped. The list is sorted, the {way} move first; among equal moves the earlier
            one comes first, and of more than {keep} the last ones are dropped. Each bar's own move takes part on that bar.
            Plot the first move of the list as "{top}", the simple average of all moves in the list as "{mean}", and the
            number of bars since the bar of the first move as "{age}". All are na while the list is empty.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Best moves")
            int length = input.int({length}, "Length", minval = 1)
            type Move
                float size
                int bar
            method insert(array<Move> this, Move added) =>
                int place = 0
                for one in this
                    if added.size {sign} one.size
                        break
                    place += 1
                this.insert(place, added)
                if this.size() > {keep}
                    this.pop()
            var array<Move> moves = array.new<Move>()
            float size = close - close[length]
            if not na(size)
                moves.insert(Move.new(size, bar_index))
            float total = 0.0
            for one in moves
                total += one.size
            bool isAny = moves.size() > 0
            plot(isAny ? moves.first().size : na, "{top}")
            plot(isAny ? total / moves.size() : na, "{mean}")
            plot(isAny ? bar_index - moves.first().bar : na, "{age}")
        """),
        inputs={"Length": length + 3},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )
