"""The slow, obvious oracle: docs/mathematics.md once more, in loops that can be checked by eye.

A video is a list of frames, a frame a list of lines, a line a list of (red, green, blue). An
element is an `Element`; a mask, where there is one, is a set of (line, column). Nothing here
imports the product, and nothing here is clever.
"""

import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal, localcontext

import numpy as np

LIFE_PARTS = 8
"""Parts of an element's life, of each of which palette and curve look at one frame."""

PLATE_FRAMES = 9
"""Frames that the plate is made of."""

CURVE_FRAMES = 3
"""Frames in which the system of appendix A is solved."""

AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1))


@dataclass
class Element:
    """`boxes[t]` is (x, y, width, height); `masks[t]` is a set of (line, column), or absent."""

    id: int
    boxes: dict
    masks: dict = field(default_factory=dict)


# --- pixels, owners, colours ---------------------------------------------------------------------


def colour(rgb):
    red, green, blue = (int(value) for value in rgb)
    return 65536 * red + 256 * green + blue


def box_mask(box, height, width):
    x, y, w, h = box
    return {
        (line, column)
        for line in range(math.floor(y), math.ceil(y + h))
        for column in range(math.floor(x), math.ceil(x + w))
        if 0 <= line < height and 0 <= column < width
    }


def mask(element, t, height, width):
    if t in element.masks:
        return {(a, b) for a, b in element.masks[t] if 0 <= a < height and 0 <= b < width}
    return box_mask(element.boxes[t], height, width)


def back_to_front(elements, t):
    listed = [element for element in elements if t in element.boxes]
    return sorted(listed, key=lambda e: (e.boxes[t][1] + e.boxes[t][3], e.id))


def owners(elements, t, height, width):
    """Owner of every pixel of frame t: {(line, column): id}; background pixels are left out."""
    owner = {}
    for element in back_to_front(elements, t):
        for place in mask(element, t, height, width):
            owner[place] = element.id
    return owner


class Counts:
    """count, worn and background, over all frames; and the pixels of each element, in order."""

    def __init__(self, video, elements):
        self.video, self.elements = video, sorted(elements, key=lambda e: e.id)
        self.height, self.width = len(video[0]), len(video[0][0])
        self.count, self.background = Counter(), Counter()
        self.worn = {element.id: Counter() for element in elements}
        self.pixels = {element.id: [] for element in elements}  # (t, line, column)
        self.owner = []
        for t, frame in enumerate(video):
            owner = owners(elements, t, self.height, self.width)
            self.owner.append(owner)
            for a in range(self.height):
                for b in range(self.width):
                    theta = colour(frame[a][b])
                    self.count[theta] += 1
                    if (a, b) in owner:
                        self.worn[owner[a, b]][theta] += 1
                        self.pixels[owner[a, b]].append((t, a, b))
                    else:
                        self.background[theta] += 1

    def theta(self, t, a, b):
        return colour(self.video[t][a][b])

    def wearers(self, theta):
        return [j for j in sorted(self.worn) if self.worn[j][theta] > 0]

    def case(self, theta):
        wearers = self.wearers(theta)
        if not wearers:
            return 2
        if len(wearers) == 1 and self.worn[wearers[0]][theta] == self.count[theta]:
            return 1
        return 3

    def most(self, theta):
        """Pixels in the element that wears most of a colour."""
        return max(worn[theta] for worn in self.worn.values())


# --- privacy loss --------------------------------------------------------------------------------


def loss(c, w, x):
    """From the definition, with integers."""
    if x > c - w:
        return math.inf if w > 0 else 0.0
    return math.log(math.comb(c, x)) - math.log(math.comb(c - w, x))


def loss_by_sum(c, w, x):
    """The page's second form; keeps its digits where the loss is tiny."""
    if x > c - w and w > 0:
        return math.inf
    return -math.fsum(math.log1p(-max(w, x) / (c - i)) for i in range(min(w, x)))


def exposure(total_loss):
    return 1 - math.exp(-total_loss)


def price(c, w):
    return math.inf if w >= c else -math.log(1 - w / c)


def losses(counts, draws, tracks=1):
    """What each element is charged: its own loss, if every person has one track."""
    return {
        j: math.fsum(
            loss_by_sum(hiding(counts, theta, j, tracks), worn[theta], x)
            for theta, x in draws.items()
            if worn[theta] > 0
        )
        for j, worn in counts.worn.items()
    }


# --- palette -------------------------------------------------------------------------------------


def palette_frames(counts, element, parts=LIFE_PARTS):
    first, last = min(element.boxes), max(element.boxes)
    length = last - first + 1
    n = min(parts, length)
    owned = {t for t, _, _ in counts.pixels[element.id]}
    chosen = {}
    for t in range(first, last + 1):
        part = (t - first) * n // length
        if t in owned and part not in chosen:
            chosen[part] = t
    return sorted(chosen.values())


def bands(k, height, width):
    return min(max(round(math.sqrt(k * height / width)), 1), k)


def cell(k, r_total, box, a, b):
    x, y, width, height = box
    u, v = (b + 0.5 - x) / width, (a + 0.5 - y) / height
    r = min(max(math.floor(v * r_total), 0), r_total - 1)
    first, end = r * k // r_total, (r + 1) * k // r_total
    column = min(max(math.floor(u * (end - first)), 0), end - first - 1)
    return first + column


def palette(counts, element, epsilon, k, rule):
    """Colours in the order in which the cells choose them."""
    frames = palette_frames(counts, element)
    if not frames:
        return []
    tall = math.fsum(element.boxes[t][3] for t in frames)
    wide = math.fsum(element.boxes[t][2] for t in frames)
    r_total = bands(k, tall, wide)
    cells = [Counter() for _ in range(k)]
    for t, a, b in counts.pixels[element.id]:
        theta = counts.theta(t, a, b)
        if t in frames and counts.case(theta) == 3:
            cells[cell(k, r_total, element.boxes[t], a, b)][theta] += 1
    taken = []
    for here in cells:
        candidates = [theta for theta in here if theta not in taken]
        if rule == "affordable":

            def order(theta, here=here):
                affordable = price(counts.count[theta], counts.most(theta)) <= epsilon / k
                return (not affordable, -here[theta], theta)
        else:

            def order(theta, here=here):
                return (-here[theta], theta)

        if candidates:
            taken.append(min(candidates, key=order))
    return taken


# --- optimal k -----------------------------------------------------------------------------------


def neighbours(place, places):
    a, b = place
    return [(a + da, b + db) for da, db in AROUND if (a + da, b + db) in places]


def sigmas(probabilities):
    """sigma_0..sigma_n: that exactly m of the neighbours are drawn, over all 2^n outcomes."""
    n = len(probabilities)
    sigma = [0.0] * (n + 1)
    for outcome in range(2**n):
        chance, m = 1.0, 0
        for i, p in enumerate(probabilities):
            drawn = outcome >> i & 1
            chance *= p if drawn else 1 - p
            m += drawn
        sigma[m] += chance
    return sigma


def expected_grey(grey, p):
    """E of every pixel of one frame of an element: the appendix's system, solved densely.

    `grey` and `p`: {(line, column): value}. Each sigma_m is shared out over the C(n, m) choices of
    m neighbours, and each choice is their mean: the equations for four, three and two neighbours.
    """
    places = sorted(grey)
    at = {place: i for i, place in enumerate(places)}
    system, right = np.eye(len(places)), np.zeros(len(places))
    for place in places:
        around = neighbours(place, grey)
        n = len(around)
        sigma = sigmas([p[other] for other in around])
        right[at[place]] = p[place] * grey[place]
        for m in range(1, n + 1):
            # A neighbour is in C(n - 1, m - 1) of the C(n, m) choices, with weight 1/m in each.
            share = sigma[m] * math.comb(n - 1, m - 1) / (math.comb(n, m) * m)
            for other in around:
                system[at[place], at[other]] -= (1 - p[place]) * share
    solved = np.linalg.solve(system, right)
    return {place: float(solved[at[place]]) for place in places}


def grey_of(rgb):
    red, green, blue = (int(value) for value in rgb)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def spread(frames, many):
    """Of n frames those in the middle of `many` equal parts: for the curve, for the plate."""
    many = min(many, len(frames))
    return [frames[(2 * i + 1) * len(frames) // (2 * many)] for i in range(many)]


def curve_value(counts, element, epsilon, chosen, frames):
    """Mean of (theta - E)^2 over the element's pixels in `frames`, for one palette."""
    total = sum(counts.worn[element.id][theta] for theta in chosen)
    probability = 1 - math.exp(-epsilon / total) if total else 0.0
    squares = []
    for t in frames:
        mine = [(a, b) for s, a, b in counts.pixels[element.id] if s == t]
        grey = {(a, b): grey_of(counts.video[t][a][b]) for a, b in mine}
        p = {(a, b): probability if counts.theta(t, a, b) in chosen else 0.0 for a, b in mine}
        expected = expected_grey(grey, p)
        squares += [(grey[place] - expected[place]) ** 2 for place in grey]
    return math.fsum(squares) / len(squares)


def figure_error(counts, element, plan):
    """Criterion `fill`: one drawn pixel of a published colour fills the whole element."""
    frames = palette_frames(counts, element)
    greys = [grey_of(counts.video[t][a][b]) for t, a, b in counts.pixels[element.id] if t in frames]
    losses = {}
    for theta, draws in zip(plan.colours.tolist(), plan.draws.tolist(), strict=True):
        worn = counts.worn[element.id].get(theta, 0)
        losses[theta] = loss(counts.count[theta], worn, draws)
    total = math.fsum(losses.values())
    if not total:
        return 1.0  # nothing can be drawn
    mean, square = math.fsum(greys) / len(greys), math.fsum(g * g for g in greys) / len(greys)
    value = 0.0
    for theta, own in losses.items():
        g = grey_of((theta >> 16, theta >> 8 & 255, theta & 255))
        value += own / total * (square - 2 * g * mean + g * g)
    return value


# --- budget and draws ----------------------------------------------------------------------------


def budgets(counts, union, epsilon):
    """Algorithm 2, in the order of operations that the page prints."""
    left = {j: epsilon for j in counts.worn}
    d = {j: sum(worn[theta] for theta in union) for j, worn in counts.worn.items()}
    budget = {}
    for theta in sorted(union, key=lambda theta: (-len(counts.wearers(theta)), theta)):
        wearers = counts.wearers(theta)
        share = min(left[j] * counts.worn[j][theta] / d[j] for j in wearers)
        budget[theta] = share
        for j in wearers:
            left[j] -= share
            d[j] -= counts.worn[j][theta]
    return budget


def hiding(counts, theta, j, tracks):
    """Pixels of a colour but those that `tracks - 1` others wear, who may be the same person."""
    others = sorted((counts.worn[i][theta] for i in counts.worn if i != j), reverse=True)
    return counts.count[theta] - sum(others[: tracks - 1])


def equation6(pairs, budget):
    """The largest x with C(c, x) / C(c - w, x) <= exp(budget) for all (c, w): 60 digits."""
    with localcontext() as context:
        context.prec = 60
        power = Decimal(budget).exp()

        def fits(x):
            return all(
                x <= c - w and Decimal(math.comb(c, x)) <= power * math.comb(c - w, x)
                for c, w in pairs
            )

        x = 0
        while fits(x + 1):
            x += 1
        return x


class Accounts:
    """What is left of each element's epsilon; a draw is booked if all wearers can pay."""

    def __init__(self, counts, epsilon, draws, tracks):
        self.counts, self.draws, self.tracks = counts, Counter(draws), tracks
        spent = losses(counts, self.draws, tracks)
        self.left = {j: epsilon - 1e-11 - spent[j] for j in spent}

    def step(self, theta, j):
        """Price of the next draw of a colour for one element."""
        c, w = hiding(self.counts, theta, j, self.tracks), self.counts.worn[j][theta]
        x = self.draws[theta]
        return math.inf if w >= c - x else -math.log1p(-w / (c - x))

    def affordable(self, theta):
        return all(self.step(theta, j) <= self.left[j] for j in self.counts.wearers(theta))

    def buy(self, theta):
        while self.affordable(theta):
            for j in self.counts.wearers(theta):
                self.left[j] -= self.step(theta, j)
            self.draws[theta] += 1


def leftover(counts, epsilon, union, draws, tracks=1):
    """Rule `affordable`: spend what rounding down left over."""
    accounts = Accounts(counts, epsilon, draws, tracks)
    case3 = [theta for theta in counts.count if counts.case(theta) == 3]

    def most_first(colours):
        return sorted(colours, key=lambda theta: (-counts.most(theta), theta))

    for theta in most_first(union):
        accounts.buy(theta)
    further = [theta for theta in case3 if theta not in union]
    for j in sorted(counts.worn):
        for theta in most_first(theta for theta in further if counts.wearers(theta) == [j]):
            accounts.buy(theta)
    for theta in most_first(theta for theta in further if len(counts.wearers(theta)) > 1):
        accounts.buy(theta)
    return Counter({theta: x for theta, x in accounts.draws.items() if x})


# --- phase II ------------------------------------------------------------------------------------


def rounded_mean(values):
    return (2 * sum(values) + len(values)) // (2 * len(values))


def ring_fill(known, holes):
    """`known`: {(line, column): rgb}, `holes`: a set; all of a ring from the rings before it."""
    known, holes = dict(known), set(holes)
    while True:
        ring = {}
        for a, b in holes:
            around = [known[a + da, b + db] for da, db in AROUND if (a + da, b + db) in known]
            if around:
                ring[a, b] = tuple(rounded_mean(channel) for channel in zip(*around, strict=True))
        if not ring:
            return known
        known.update(ring)
        holes -= ring.keys()


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


def is_clear(counts, t, a, b):
    """Whether no element is within the margin of a pixel."""
    margin = max(3, round(0.006 * max(counts.height, counts.width)))
    near = range(-margin, margin + 1)
    around = [(a + i, b + j) for i in near for j in near]
    inside = [(i, j) for i, j in around if 0 <= i < counts.height and 0 <= j < counts.width]
    gaps = [box for e in counts.elements if (box := between(e, t))]
    return not any(
        place in counts.owner[t] or any(touches(box, *place) for box in gaps) for place in inside
    )


def between(element, t):
    """The box of an element that is listed before and after frame t, but not in it; or None."""
    before, after = ([f for f in element.boxes if (f - t) * way > 0] for way in (-1, 1))
    if t in element.boxes or not before or not after:
        return None
    a, b = max(before), min(after)
    share = (t - a) / (b - a)
    pairs = zip(element.boxes[a], element.boxes[b], strict=True)
    return [(1 - share) * one + share * other for one, other in pairs]


def touches(box, line, column):
    """Whether a box reaches into a pixel."""
    x, y, width, height = box
    across = math.floor(x) <= column < math.ceil(x + width)
    return across and math.floor(y) <= line < math.ceil(y + height)


def plate(counts, frames):
    """{(line, column): rgb}: the lower median where enough frames are clear, then filled."""
    known, holes = {}, set()
    for a in range(counts.height):
        for b in range(counts.width):
            free = [counts.video[t][a][b] for t in frames if is_clear(counts, t, a, b)]
            if len(free) >= math.ceil(len(frames) / 5):
                known[a, b] = tuple(
                    lower_median([int(value) for value in channel])
                    for channel in zip(*free, strict=True)
                )
            else:
                holes.add((a, b))
    places = itertools.product(range(counts.height), range(counts.width))
    return ring_fill(known, holes) if known else dict.fromkeys(places, (128, 128, 128))


def carried(place, box_from, box_to):
    """The pixel at the same relative place in another box."""
    a, b = place
    u, v = (b + 0.5 - box_from[0]) / box_from[2], (a + 0.5 - box_from[1]) / box_from[3]
    return math.floor(box_to[1] + v * box_to[3]), math.floor(box_to[0] + u * box_to[2])


def sources(drawn, t, insert):
    """The frames whose drawn pixels an element shows in frame t."""
    if drawn.get(t):
        return [t]
    before = max((s for s in drawn if s < t), default=None)
    after = min((s for s in drawn if s > t), default=None)
    near = [s for s in (before, after) if s is not None]
    if insert == "neighbours":
        near = [s for s in near if abs(s - t) == 1]
    return [] if insert == "none" else near


def onto(place, places):
    """A place that misses the mask moves into its bounding box, then to the nearest pixel of it."""
    lines, columns = {a for a, _ in places}, {b for _, b in places}
    a = min(max(place[0], min(lines)), max(lines))
    b = min(max(place[1], min(columns)), max(columns))
    return min(places, key=lambda other: ((other[0] - a) ** 2 + (other[1] - b) ** 2, other))


def figure(element, drawn, t, height, width, insert="lifetime"):
    """An element in frame t, {(line, column): rgb} over its whole mask; {} if it is not shown.

    `drawn`: {t: {(line, column): rgb}}, the drawn pixels of this element. Pixels that are carried
    over to the same place give it their mean. Parts of the mask that no known pixel reaches are
    reached through the gaps within its bounding box.
    """
    places = mask(element, t, height, width)
    near = sources(drawn, t, insert)
    if not places or not near:
        return {}
    landed = {}
    for s in near:
        for place, rgb in drawn[s].items():
            if s != t:
                place = onto(carried(place, element.boxes[s], element.boxes[t]), places)
            landed.setdefault(place, []).append(rgb)
    known = {
        place: tuple(rounded_mean(channel) for channel in zip(*colours, strict=True))
        for place, colours in landed.items()
    }
    filled = ring_fill(known, places - known.keys())
    if filled.keys() < places:
        lines, columns = [a for a, _ in places], [b for _, b in places]
        crop = {
            (a, b)
            for a in range(min(lines), max(lines) + 1)
            for b in range(min(columns), max(columns) + 1)
        }
        filled = ring_fill(filled, crop - filled.keys())
    return {place: filled[place] for place in places}


def paint(picture, figures):
    """Figures, back to front, over a picture: both {(line, column): rgb}."""
    painted = dict(picture)
    for one in figures:
        painted.update(one)
    return painted


def without_elements(counts, t, the_plate, fill):
    """Frame t under `retain`: background stays, holes come from the plate or from around them."""
    frame, owner = counts.video[t], counts.owner[t]
    everywhere = {(a, b) for a in range(counts.height) for b in range(counts.width)}
    known = {
        (a, b): tuple(int(value) for value in frame[a][b])
        for a, b in everywhere
        if (a, b) not in owner
    }
    if fill == "spatial":
        return ring_fill(known, owner.keys()) if known else dict.fromkeys(everywhere, (128,) * 3)
    picture = dict(known)
    for element in back_to_front(counts.elements, t):
        places = mask(element, t, counts.height, counts.width)
        if not places:
            continue
        lines, columns = [a for a, _ in places], [b for _, b in places]
        around = [
            (a, b)
            for a, b in known
            if a in range(max(min(lines) - 6, 0), max(lines) + 7, 2)
            and b in range(max(min(columns) - 6, 0), max(columns) + 7, 2)
        ]
        light = [
            rounded_mean([known[place][i] - the_plate[place][i] for place in around])
            if around
            else 0
            for i in range(3)
        ]
        for place in places:
            if owner[place] == element.id:
                picture[place] = tuple(
                    min(max(the_plate[place][i] + light[i], 0), 255) for i in range(3)
                )
    return picture
