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


def misspellings(vocabulary, frequent=8000, rare=9000, alike=0.45):
    """Rare words that are one slip from a frequent one and stand in the same company: row -> row of what was meant."""
    size = len(np.load(f'{WORK}/counts.npy'))
    vectors = np.fromfile(f'{WORK}/sgns.bin', np.float32).reshape(size, -1)[vocabulary.source[: vocabulary.words]]
    vectors = vectors - vectors[:20000].mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    left = {}
    cuts = lambda word: {word} | {word[:place] + word[place + 1 :] for place in range(len(word))}
    for place, word in enumerate(vocabulary.names[:frequent]):
        if len(word) >= 5 and word.isascii() and word.isalpha():
            for cut in cuts(word):
                left.setdefault(cut, []).append(place)
    out = {}
    for place in range(rare, vocabulary.words):
        word = vocabulary.names[place]
        if len(word) < 5 or not (word.isascii() and word.isalpha()):
            continue
        near = [other for cut in cuts(word) for other in left.get(cut, ()) if one_slip(word, vocabulary.names[other])]
        # plurals and other forms keep their own vectors
        near = [
            other
            for other in near
            if word.rstrip('s') != vocabulary.names[other].rstrip('s')
            and vocabulary.count[other] > 20 * vocabulary.count[place]
            and vectors[place] @ vectors[other] > alike
        ]
        if near:
            out[place] = max(near, key=lambda other: vectors[place] @ vectors[other])
    return out


def foreign(vocabulary, vectors, alike=0.65, rank=2500):
    """Words of other languages: in training they stand only beside each other, so they all lie in one place, and any two
    would pass for the same. The model must not know them; then they count by how they are written."""
    rows = unit(vectors[: vocabulary.words])
    out = set()
    for seeds in (
        'und ist das nicht sehr zimmer wir auch gut',
        'est tres pas nous mais chambre avec une dans',
        'muy pero una habitacion todo para buen servicio demasiado comida',
    ):
        places = [vocabulary.index[word] for word in seeds.split() if vocabulary.index.get(word, 0) > rank]
        out |= {int(place) for place in np.flatnonzero(rows @ unit(rows[places].mean(0)) > alike) if place > rank}
    return out


def quantise(vectors):
    """float32 [features, dimensions] -> int8 rows of the same shape, and a scale a row, float32 [features]."""
    scale = np.maximum(np.abs(vectors).max(1) / 127, 1e-12).astype(np.float32)
    return np.clip(np.round(vectors / scale[:, None]), -127, 127).astype(np.int8), scale


def write(vocabulary, vectors, threshold, gain, amounts, base, path=OUT):
    """vectors [features, dimensions], gain [features]; amounts [2, features] and base [2]: what confidence.py learned."""
    silent = [vocabulary.index[word] for word in FUNCTION_WORDS if word in vocabulary.index]
    all_vectors = vectors
    vectors, amounts = vectors.copy(), amounts.copy()
    vectors[silent] = 0
    amounts[:, silent] = 0
    slips = misspellings(vocabulary)
    for place, meant in slips.items():
        vectors[place], amounts[:, place], gain[place] = vectors[meant], amounts[:, meant], gain[meant]
    show = sorted(slips)[:: max(1, len(slips) // 40)]
    print(len(slips), 'misspellings', [f'{vocabulary.names[place]}={vocabulary.names[slips[place]]}' for place in show])
    rows, scale = quantise(vectors)
    unknown = foreign(vocabulary, all_vectors) - set(silent)
    # no token is ever written with a #, so these rows are never found
    words = '\n'.join(
        f'#{place}' if place in unknown else word for place, word in enumerate(vocabulary.names[: vocabulary.words])
    ).encode()
    print(len(unknown), 'words of other languages', [vocabulary.names[place] for place in sorted(unknown)[:60]])
    pairs = np.array(
        [[vocabulary.index[part] for part in word.split('_')] for word in vocabulary.names[vocabulary.words :]],
        np.uint16,
    )
    step = max(float(np.quantile(amounts, 0.9999)) / 255, 1e-9)
    rare = slice(vocabulary.words - 6000, vocabulary.words)
    length = float(np.linalg.norm(vectors[rare], axis=1).mean())
    head = (
        b'PQEM'
        + struct.pack('<5I', VERSION, vectors.shape[1], vocabulary.words, len(pairs), len(words))
        + struct.pack('<7d', threshold, step, *base, *amounts[:, rare].mean(1), length)
    )
    column = lambda part: np.clip(np.round(part), 0, 255).astype(np.uint8).tobytes()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(head + words)
        file.write(b'\0' * (-file.tell() % 4))
        file.write(pairs.tobytes() + column(gain * 100) + column(amounts[0] / step) + column(amounts[1] / step))
        file.write(b'\0' * (-file.tell() % 4))
        file.write(scale.tobytes() + rows.tobytes())
    print(path, os.path.getsize(path), 'threshold', threshold, 'unknown word', length, amounts[:, rare].mean(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--words', type=int, default=36000)
    parser.add_argument(
        '--threshold', type=float, help='raw cosine that becomes the default floor; that with the best F0.5'
    )
    parser.add_argument('--out', default=OUT)
    options = parser.parse_args()
    vocabulary = Vocabulary(options.words)
    blend = np.load(f'{WORK}/blend.npz')
    write(
        vocabulary,
        blend['E'],
        options.threshold or float(blend['threshold']),
        blend['gain'],
        blend['u'],
        blend['base'],
        options.out,
    )


if __name__ == '__main__':
    main()
