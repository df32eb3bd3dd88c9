"""Quantises the model and writes server/embed/builtin/embedding.bin.

File, little-endian: `PQEM`; uint32 version, dims, words, phrases, bytes of the word list; float64 threshold (the raw
cosine that calibration moves to the default floor), scale of the doubts, their base for queries and documents, an unknown
word's for queries and documents, and the length of an unknown word's vector; the words, UTF-8, one a line, padded to
4 bytes; uint16 pairs of word ids, one a phrase; for words and phrases uint8 gains (hundredths), then query doubts, then
document doubts, padded; float32 scales, then int8 rows: words, then phrases.
"""

import argparse
import os
import struct

import numpy as np

from features import WORK, Vocabulary, shipped, unit

OUT = shipped('server/embed/builtin/embedding.bin')
VERSION = 3
# Function words of other languages get no vector: what sentences of those languages share must be what they are about.
# Left out is what means something in English.
FUNCTION_WORDS = set(
    'der das und ist nicht sehr wir ich auch mit fur den dem ein eine einen einem einer von zu zum zur im auf bei sich es sind '
    'waren wurde haben hatte wie aber oder nur noch uns unser unsere hier immer dass als wenn man alles etwas ins vom am bis aus '
    'le la les un une des du de et est pas nous vous mais avec dans sur qui que tout tres plus etait ont ete cette ce ces au aux '
    'ne il elle ils je leur notre nos sont sans sa ses son en y meme aussi bien peu trop par '
    'el los las una unos del y es muy pero con por para que como mas su sus nos hay esta estaba era fue son todo todos lo al '
    'en ya sin cuando tambien este esa ese habia tiene '
    'il lo gli uno di che per molto sono anche nel nella della dei alla ma piu ci era tutto questo '
    'o os as um uma muito nao com mas foi dos das na no em '
    'het een van en niet zeer ook was maar met voor zijn bij wij erg te op'.split()
) - set(
    'was son no on as am man under me so an in is hat die war sur a o y pour par sa en al ma uno bien trop era per com em one im'.split()
)


def one_slip(a, b):
    """Same first letter, and one letter too many or wrong, or two swapped; as in server/embed/builtin/spelling.ts."""
    if a[0] != b[0] or abs(len(a) - len(b)) > 1:
        return False
    head = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    x, y = a[head:], b[head:]
    while x and y and x[-1] == y[-1]:
        x, y = x[:-1], y[:-1]
    return (len(x) <= 1 and len(y) <= 1) or (len(x) == 2 and len(y) == 2 and x == y[::-1])


def misspellings(V, frequent=8000, rare=9000, alike=0.45):
    """Rare words that are one slip from a frequent one and stand in the same company: row -> row of what was meant."""
    n = len(np.load(f'{WORK}/counts.npy'))
    X = np.fromfile(f'{WORK}/sgns.bin', np.float32).reshape(n, -1)[V.source[: V.words]]
    X = X - X[:20000].mean(0)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    left = {}
    cuts = lambda w: {w} | {w[:i] + w[i + 1 :] for i in range(len(w))}
    for i, w in enumerate(V.names[:frequent]):
        if len(w) >= 5 and w.isascii() and w.isalpha():
            for c in cuts(w):
                left.setdefault(c, []).append(i)
    out = {}
    for i in range(rare, V.words):
        w = V.names[i]
        if len(w) < 5 or not (w.isascii() and w.isalpha()):
            continue
        near = [j for c in cuts(w) for j in left.get(c, ()) if one_slip(w, V.names[j])]
        # plurals and other forms keep their own vectors
        near = [
            j
            for j in near
            if w.rstrip('s') != V.names[j].rstrip('s') and V.count[j] > 20 * V.count[i] and X[i] @ X[j] > alike
        ]
        if near:
            out[i] = max(near, key=lambda j: X[i] @ X[j])
    return out


def foreign(V, E, alike=0.65, rank=2500):
    """Words of other languages: in training they stand only beside each other, so they all lie in one place, and any two
    would pass for the same. The model must not know them; then they count by how they are written."""
    rows = unit(E[: V.words])
    out = set()
    for seeds in (
        'und ist das nicht sehr zimmer wir auch gut',
        'est tres pas nous mais chambre avec une dans',
        'muy pero una habitacion todo para buen servicio demasiado comida',
    ):
        at = [V.index[w] for w in seeds.split() if V.index.get(w, 0) > rank]
        out |= {int(i) for i in np.flatnonzero(rows @ unit(rows[at].mean(0)) > alike) if i > rank}
    return out


def quantise(E):
    scale = np.maximum(np.abs(E).max(1) / 127, 1e-12).astype(np.float32)
    return np.clip(np.round(E / scale[:, None]), -127, 127).astype(np.int8), scale


def write(V, E, threshold, gain, u, base, path=OUT):
    silent = [V.index[w] for w in FUNCTION_WORDS if w in V.index]
    z_rows = E
    E, u = E.copy(), u.copy()
    E[silent] = 0
    u[:, silent] = 0
    slips = misspellings(V)
    for i, j in slips.items():
        E[i], u[:, i], gain[i] = E[j], u[:, j], gain[j]
    show = sorted(slips)[:: max(1, len(slips) // 40)]
    print(len(slips), 'misspellings', [f'{V.names[i]}={V.names[slips[i]]}' for i in show])
    Q, scale = quantise(E)
    unknown = foreign(V, z_rows) - set(silent)
    # no token is ever written with a #, so these rows are never found
    words = '\n'.join(f'#{i}' if i in unknown else w for i, w in enumerate(V.names[: V.words])).encode()
    print(len(unknown), 'words of other languages', [V.names[i] for i in sorted(unknown)[:60]])
    pairs = np.array([[V.index[x] for x in w.split('_')] for w in V.names[V.words :]], np.uint16)
    step = max(float(np.quantile(u, 0.9999)) / 255, 1e-9)
    rare = slice(V.words - 6000, V.words)
    length = float(np.linalg.norm(E[rare], axis=1).mean())
    head = (
        b'PQEM'
        + struct.pack('<5I', VERSION, E.shape[1], V.words, len(pairs), len(words))
        + struct.pack('<7d', threshold, step, *base, *u[:, rare].mean(1), length)
    )
    column = lambda x: np.clip(np.round(x), 0, 255).astype(np.uint8).tobytes()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(head + words)
        f.write(b'\0' * (-f.tell() % 4))
        f.write(pairs.tobytes() + column(gain * 100) + column(u[0] / step) + column(u[1] / step))
        f.write(b'\0' * (-f.tell() % 4))
        f.write(scale.tobytes() + Q.tobytes())
    print(path, os.path.getsize(path), 'threshold', threshold, 'unknown word', length, u[:, rare].mean(1))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--words', type=int, default=36000)
    p.add_argument('--threshold', type=float, help='raw cosine that becomes the default floor; that with the best F0.5')
    p.add_argument('--out', default=OUT)
    A = p.parse_args()
    V = Vocabulary(A.words)
    z = np.load(f'{WORK}/blend.npz')
    write(V, z['E'], A.threshold or float(z['threshold']), z['gain'], z['u'], z['base'], A.out)


if __name__ == '__main__':
    main()
