"""Painting: shaded limbs, stamping sprites, light and sensor noise."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["COLUMNS", "expose", "paint_limbs", "shrink", "stamp", "visible_pixels"]

# A limb is one row: where its axis starts and ends, its half-widths and how far its rounded
# ends reach there, its colour, and how a second colour is laid over it.
COLUMNS = (
    *("x0", "y0", "x1", "y1", "width0", "width1", "end0", "end1"),
    *("red", "green", "blue", "pattern", "red2", "green2", "blue2", "period"),
    *("forward_x", "forward_z", "grain"),
)


@njit(nogil=True, cache=True, fastmath=True)
def _second_colour(
    pattern: int, along: float, across: float, up: float, forward: float, period: float
) -> bool:
    """Whether a point of a limb shows the limb's second colour.

    Patterns: 1 bands, 2 checks, 3 hair on a head, 4 an open jacket, 5 the far end of a limb,
    6 a print on the chest, 7 stripes along the limb.
    """
    if pattern == 1:
        return (along / period) % 1.0 < 0.5
    if pattern == 2:
        return ((along / period) % 1.0 < 0.5) != ((across * 0.1 / period) % 1.0 < 0.5)
    if pattern == 3:
        return up > 0.52 or forward < -0.15 + 0.35 * up
    if pattern == 4:
        return forward > 0.9
    if pattern == 5:
        return along > period
    if pattern == 6:
        return forward > 0.8 and 0.17 < along < 0.26
    if pattern == 7:
        return (across * 0.1 / period) % 1.0 < 0.4
    return False


@njit(nogil=True, cache=True, fastmath=True)
def paint_limbs(
    limbs: NDArray[np.float32],
    scale: float,
    light: NDArray[np.float32],
    rgb: NDArray[np.float32],
    cover: NDArray[np.uint8],
) -> None:
    """Paint limbs onto an empty canvas, as round bodies under a light.

    Args:
        limbs: (n, 19) float32, see COLUMNS, in canvas pixels, the nearest limb first.
        scale: canvas pixels per body height, the unit of `period`.
        light: (4,) float32: direction to the light (right, up, towards us), ambient share.
        rgb: (height, width, 3) float32, written where a limb is.
        cover: (height, width) uint8, all 0; set to 1 where a limb is.
    """
    height, width = cover.shape
    ambient = light[3]
    for i in range(limbs.shape[0]):
        limb = limbs[i]
        x0, y0 = limb[0], limb[1]
        dx, dy = limb[2] - x0, limb[3] - y0
        length = np.sqrt(dx * dx + dy * dy) + 1e-6
        dx /= length
        dy /= length
        w0, w1 = limb[4], limb[5]
        e0, e1 = limb[6] + 1e-6, limb[7] + 1e-6
        reach = max(w0, w1, e0, e1) + 1.0
        left = max(0, int(min(x0, limb[2]) - reach))
        right = min(width, int(max(x0, limb[2]) + reach) + 2)
        top = max(0, int(min(y0, limb[3]) - reach))
        bottom = min(height, int(max(y0, limb[3]) + reach) + 2)
        pattern = int(limb[11])
        grain = int(limb[18])
        for y in range(top, bottom):
            for x in range(left, right):
                if cover[y, x]:
                    continue
                px, py = x + 0.5 - x0, y + 0.5 - y0
                t = px * dx + py * dy
                lateral = py * dx - px * dy
                cap = 0.0
                if t < 0.0:
                    cap = t / e0
                    wide = w0
                elif t > length:
                    cap = (t - length) / e1
                    wide = w1
                else:
                    wide = w0 + (w1 - w0) * t / length
                u = lateral / wide
                flat = u * u + cap * cap
                if flat > 1.0:
                    continue
                if pattern == 3:  # a head is one ellipsoid: its ends start at its middle
                    cap = (t - 0.5 * length) / (0.5 * length + e1)
                    flat = min(1.0, u * u + cap * cap)
                nx = cap * dx - u * dy
                ny = cap * dy + u * dx
                nz = np.sqrt(1.0 - flat)
                shade = nx * light[0] - ny * light[1] + nz * light[2]
                shade = ambient + (1.0 - ambient) * max(0.0, shade)
                along = t / scale
                forward = nx * limb[16] + nz * limb[17]
                # Folds of cloth: slow waves along the limb, and a little grain.
                fold = abs((along * 14.0 + u * 0.6 + 0.37 * grain) % 1.0 - 0.5) - 0.25
                speck = ((x >> 1) * 374761393 + (y >> 1) * 668265263 + grain * 974711) & 0xFFFF
                speck = ((speck ^ (speck >> 7)) * 1274126177 >> 8) & 255
                shade *= 1.0 + (0.22 * fold if pattern != 3 else 0.0) + (speck - 128) * 0.0003
                first = 8
                if pattern and _second_colour(pattern, along, u, -ny, forward, limb[15]):
                    first = 12
                if pattern == 3 and first == 8:
                    # Eyes: two dark spots on the front of the face.
                    sideways = abs(nx * limb[17] - nz * limb[16])
                    if forward > 0.6 and 0.2 < sideways < 0.55 and 0.02 < -ny < 0.22:
                        shade *= 0.35
                rgb[y, x, 0] = limb[first] * shade
                rgb[y, x, 1] = limb[first + 1] * shade
                rgb[y, x, 2] = limb[first + 2] * shade
                cover[y, x] = 1


@njit(nogil=True, cache=True)
def shrink(
    rgb: NDArray[np.float32], cover: NDArray[np.uint8], factor: int, soft: bool = False
) -> NDArray[np.uint8]:
    """Average a canvas down by a whole factor.

    Args:
        rgb: (height * factor, width * factor, 3) float32, 0..255.
        cover: (height * factor, width * factor) uint8, 1 where something is painted.
        factor: how many canvas pixels make one pixel.
        soft: whether edges let shine through what is behind.

    Returns:
        (height, width, 4) uint8. Soft: alpha is the painted share of a pixel, and colours are
        weighed by it. Else alpha is 255 where at least half of a pixel is painted and 0
        elsewhere: nothing of what is behind ever mixes with the sprite.
    """
    height, width = cover.shape[0] // factor, cover.shape[1] // factor
    out = np.zeros((height, width, 4), np.uint8)
    for y in range(height):
        for x in range(width):
            red, green, blue, n = 0.0, 0.0, 0.0, 0
            for v in range(y * factor, (y + 1) * factor):
                for u in range(x * factor, (x + 1) * factor):
                    if cover[v, u]:
                        red += rgb[v, u, 0]
                        green += rgb[v, u, 1]
                        blue += rgb[v, u, 2]
                        n += 1
            if n and (soft or 2 * n >= factor * factor):
                parts = factor * factor if soft else n
                out[y, x, 0] = np.uint8(min(255.0, max(0.0, red / parts + 0.5)))
                out[y, x, 1] = np.uint8(min(255.0, max(0.0, green / parts + 0.5)))
                out[y, x, 2] = np.uint8(min(255.0, max(0.0, blue / parts + 0.5)))
                out[y, x, 3] = 255 * n // (factor * factor) if soft else 255
    return out


@njit(nogil=True, cache=True)
def stamp(
    frame: NDArray[np.uint8],
    owner: NDArray[np.int32],
    sprite: NDArray[np.uint8],
    x: int,
    y: int,
    who: int,
) -> None:
    """Lay a sprite onto a frame, wholly inside it, and note who owns the pixels.

    Args:
        frame: (height, width, 3) uint8.
        owner: (height, width) int32.
        sprite: (h, w, 4) uint8, alpha 0 or 255.
        x: column of the sprite's left edge.
        y: row of the sprite's upper edge.
        who: written into `owner`.
    """
    for v in range(sprite.shape[0]):
        for u in range(sprite.shape[1]):
            if sprite[v, u, 3]:
                frame[y + v, x + u, 0] = sprite[v, u, 0]
                frame[y + v, x + u, 1] = sprite[v, u, 1]
                frame[y + v, x + u, 2] = sprite[v, u, 2]
                owner[y + v, x + u] = who


@njit(nogil=True, cache=True)
def visible_pixels(owner: NDArray[np.int32], x: int, y: int, w: int, h: int, who: int) -> int:
    """Count the pixels of one owner inside a box of an (height, width) int32 owner map."""
    n = 0
    for v in range(y, y + h):
        for u in range(x, x + w):
            if owner[v, u] == who:
                n += 1
    return n


@njit(nogil=True, cache=True)
def expose(
    frame: NDArray[np.uint8],
    gain: int,
    noise: NDArray[np.int8],
    offsets: NDArray[np.int64],
) -> None:
    """Apply light and sensor noise to a frame in place; a pixel's result depends on it alone.

    Args:
        frame: (height, width * 3) uint8.
        gain: brightness in 1/4096.
        noise: (n,) int8, a bank of noise; empty for none.
        offsets: (height,) int64, where in the bank each row starts.
    """
    height, width = frame.shape
    for y in range(height):
        row = frame[y]
        if noise.size:
            grains = noise[offsets[y] : offsets[y] + width]
            for x in range(width):
                value = ((np.int32(row[x]) * np.int32(gain) + 2048) >> 12) + np.int32(grains[x])
                row[x] = min(max(value, 0), 255)
        else:
            for x in range(width):
                value = (np.int32(row[x]) * np.int32(gain) + 2048) >> 12
                row[x] = min(max(value, 0), 255)
