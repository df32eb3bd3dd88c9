"""Trains the sentiment model: five stars as a softmax over two sums of hashed words, pairs of words and negated words.

A review is two numbers, the sums of its features' two weights; five stars are a softmax over them (2 x 5 numbers and five
biases, learned as well), so one and two stars, four and five teach each other's difference and the file holds two weights a
feature. The stars' probabilities are added up to three classes. Labels are stars or polarity. Reads reviews.*.tsv (tokenised).

  sentiment.py tune   choose SHIFT: every file scored by a model that never saw it, the four of HELD left out
  sentiment.py try    measure on the four whole files kept out of training
  sentiment.py ship   train on everything; write server/sentiment/sentiment.bin and the scores the tests expect
"""

import glob
import json
import os
import struct
import sys
import time

import numba as nb
import numpy as np

from features import NEGATORS, SCOPE, SCOPE_ENDS, WORK, shipped, tokenize
from negation import examples

BUCKETS = 1 << 19
MAX_TOKENS = 400
EPOCHS, RATE, DECAY = 4, 0.15, 2e-6
FIRST = 0.1  # where Adagrad's sums begin: a rare feature's first steps stay small
SHIFT = 0.75  # added to the logit of neutral; chosen by `tune`
FOLDS = 4
HELD = ('yelp_ucd_categories', 'zomato_bangalore', 'tokyo_hotels_tripadvisor', 'amazon_popcorn_etc')
FNV_OFFSET, FNV_PRIME = 0x811C9DC5, 0x01000193
# mixed into a token's hash: which kind of feature it is
WORD, NEGATED, EXCLAIM, QUESTION, BIGRAM = 0x1000193, 0x2545F491, 0x3C6EF35F, 0x41C64E6D, 0x5851F42D
# what a star's logit takes of the two sums to begin with
START = ((1, 0), (0.7, 0.2), (0, 0), (0.2, 0.7), (0, 1))
# Labels: 0 to 4 are stars less one, then negative, positive and neutral where only polarity is known. MAY: the stars a label
# allows; GIVEN: the stars it was chosen among (collections of praise and blame leave three stars out).
NEGATIVE, POSITIVE, NEUTRAL = 5, 6, 7
MAY = np.array(
    [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
        [1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1],
        [0, 0, 1, 0, 0],
    ],
    np.float64,
)
GIVEN = np.ones((8, 5))
GIVEN[NEGATIVE, 2] = GIVEN[POSITIVE, 2] = 0
OUT = shipped('server/sentiment/sentiment.bin')
GOLDEN = shipped('test/sentiment/scores.golden.json')


def fnv(units):
    h = FNV_OFFSET
    for u in units:
        h = ((h ^ u) * FNV_PRIME) & 0xFFFFFFFF
    return h


def units(word):
    raw = word.encode('utf-16-le')
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


@nb.njit(inline='always')
def mix(h, salt):
    h = np.uint32(np.uint32(h ^ salt) * np.uint32(0x85EBCA6B))
    h ^= h >> np.uint32(13)
    h = np.uint32(h * np.uint32(0xC2B2AE35))
    h ^= h >> np.uint32(16)
    return h & np.uint32(BUCKETS - 1)


class Words:
    """Words of texts as ids, with each word's hash."""

    def __init__(self):
        self.ids, self.hash = {}, []

    def id(self, w):
        i = self.ids.get(w)
        if i is None:
            i = self.ids[w] = len(self.hash)
            self.hash.append(fnv(units(w)))
        return i

    def flags(self, names):
        f = np.zeros(len(self.hash), np.bool_)
        f[[self.ids[n] for n in names if n in self.ids]] = True
        return f

    def features(self, docs):
        """(tokens, raw text) pairs -> (buckets, offsets)."""
        ids, ptr, marks = [], [0], []
        for tokens, raw in docs:
            ids.extend(self.id(w) for w in tokens.split()[:MAX_TOKENS])
            ptr.append(len(ids))
            marks.append(('!' in raw) + 2 * ('?' in raw))
        return features(
            np.array(ids, np.int32),
            np.array(ptr),
            np.array(marks, np.int8),
            np.array(self.hash, np.uint32),
            self.flags(NEGATORS),
            self.flags(SCOPE_ENDS),
        )


@nb.njit
def features(ids, ptr, marks, hashes, negator, ends):
    out = np.empty(len(ids) * 3 + 2 * len(marks), np.uint32)
    optr = np.zeros(len(ptr), np.int64)
    seen = np.full(BUCKETS, -1, np.int32)
    m = 0
    for d in range(len(ptr) - 1):
        prev = np.uint32(FNV_OFFSET)
        left = 0
        if marks[d] & 1:
            k = mix(np.uint32(0), np.uint32(EXCLAIM))
            out[m] = k
            m += 1
            seen[k] = d
        if marks[d] & 2:
            k = mix(np.uint32(0), np.uint32(QUESTION))
            out[m] = k
            m += 1
            seen[k] = d
        for j in range(ptr[d], ptr[d + 1]):
            w = ids[j]
            h = hashes[w]
            k = mix(h, np.uint32(WORD))
            if seen[k] != d:
                seen[k] = d
                out[m] = k
                m += 1
            k = mix(np.uint32(np.uint32(prev * np.uint32(FNV_PRIME)) ^ h), np.uint32(BIGRAM))
            if seen[k] != d:
                seen[k] = d
                out[m] = k
                m += 1
            if negator[w]:
                left = SCOPE
            else:
                if ends[w]:
                    left = 0
                if left > 0:
                    left -= 1
                    k = mix(h, np.uint32(NEGATED))
                    if seen[k] != d:
                        seen[k] = d
                        out[m] = k
                        m += 1
            prev = h
        optr[d + 1] = m
    return out[:m], optr


@nb.njit(fastmath=True)
def epoch(ind, ptr, label, may, given, W, A, b, order, lr, l2):
    """One pass of Adagrad. Rows of W: two weights, then their sums of squared gradients."""
    p, q, g = np.zeros(5), np.zeros(5), np.zeros(5)
    loss = 0.0
    for d in order:
        s, e = ptr[d], ptr[d + 1]
        if e == s:
            continue
        v = 1 / np.sqrt(e - s)
        h0 = h1 = 0.0
        for j in range(s, e):
            h0 += W[ind[j], 0]
            h1 += W[ind[j], 1]
        h0 *= v
        h1 *= v
        top = -1e9
        for k in range(5):
            p[k] = b[k] + A[k, 0] * h0 + A[k, 1] * h1
            top = max(top, p[k])
        all_, right = 0.0, 0.0
        for k in range(5):
            x = np.exp(p[k] - top)
            p[k] = x * given[label[d], k]
            q[k] = x * may[label[d], k]
            all_ += p[k]
            right += q[k]
        loss -= np.log(right / all_ + 1e-12)
        g0 = g1 = 0.0
        for k in range(5):
            g[k] = p[k] / all_ - q[k] / right
            g0 += A[k, 0] * g[k]
            g1 += A[k, 1] * g[k]
        g0 *= v
        g1 *= v
        for j in range(s, e):
            i = ind[j]
            x0, x1 = g0 + l2 * W[i, 0], g1 + l2 * W[i, 1]
            W[i, 2] += x0 * x0
            W[i, 3] += x1 * x1
            W[i, 0] -= lr * x0 / np.sqrt(W[i, 2])
            W[i, 1] -= lr * x1 / np.sqrt(W[i, 3])
        for k in range(5):
            b[k] -= lr * 0.01 * g[k]
            A[k, 0] -= lr * 0.001 * g[k] * h0
            A[k, 1] -= lr * 0.001 * g[k] * h1
    return loss / len(order)


@nb.njit
def sums(ind, ptr, W):
    """Each text's two sums, not yet divided by the root of its number of features."""
    out = np.zeros((len(ptr) - 1, 2))
    for d in range(len(ptr) - 1):
        for j in range(ptr[d], ptr[d + 1]):
            out[d, 0] += W[ind[j], 0]
            out[d, 1] += W[ind[j], 1]
    return out


def label_of(stars):
    """The label of a review: a polarity is written as -1, -3 or -5."""
    if stars < 0:
        return {-1: NEGATIVE, -3: NEUTRAL, -5: POSITIVE}[round(stars)]
    return min(max(round(stars), 1), 5) - 1


def class_of(stars):
    s = abs(stars)
    return 0 if s <= 2 else 1 if s < 3.5 else 2


def load():
    """Labelled reviews as (tokens, raw text), with their files, labels and classes; made-up examples come last."""
    docs, files, labels, classes = [], [], [], []
    for path in sorted(glob.glob(f'{WORK}/reviews.*.tsv')):
        for line in open(path):
            p = line.rstrip('\n').split('\t')
            stars = float(p[1])
            if stars == 0:
                continue
            pieces = [s.split('\x01', 1) for s in p[4:]]
            docs.append((' '.join(t for t, _ in pieces), ' '.join(r for _, r in pieces)))
            files.append(p[0])
            labels.append(label_of(stars))
            classes.append(class_of(stars))
    if not docs:
        sys.exit(f'no reviews.*.tsv in {WORK}: see make.sh')
    for tokens, raw, c in examples():
        docs.append((tokens, raw))
        files.append('')
        labels.append((NEGATIVE, NEUTRAL, POSITIVE)[c])
        classes.append(c)
    return docs, np.array(files), np.array(labels, np.uint8), np.array(classes)


def fit(ind, ptr, label, rows, seed=0):
    W = np.zeros((BUCKETS, 4), np.float32)
    W[:, 2:] = FIRST
    A, b = np.array(START, np.float64), np.zeros(5)
    rng = np.random.default_rng(seed)
    for e in range(EPOCHS):
        loss = epoch(
            ind,
            ptr,
            label,
            MAY,
            GIVEN,
            W,
            A,
            b,
            rows[rng.permutation(len(rows))],
            RATE * (1 - e / (EPOCHS + 0.5)),
            DECAY,
        )
        print('  epoch', e, round(loss, 4), flush=True)
    return W[:, :2], A, b


def logits(ind, ptr, W, A, b):
    """Three classes' logits: the sums over the stars of each."""
    h = sums(ind, ptr, W) / np.sqrt(np.maximum(np.diff(ptr), 1))[:, None]
    z = h @ A.T + b
    return np.stack([np.logaddexp(z[:, 0], z[:, 1]), z[:, 2], np.logaddexp(z[:, 3], z[:, 4])], 1)


def f1(y, p):
    out = []
    for k in range(3):
        tp = ((y == k) & (p == k)).sum()
        out.append(2 * tp / max(1, (y == k).sum() + (p == k).sum()))
    return np.array(out)


def some(ind, ptr, rows):
    """The features of some of the texts."""
    n = np.diff(ptr)[rows]
    at = np.repeat(ptr[rows] - np.concatenate([[0], np.cumsum(n)[:-1]]), n) + np.arange(n.sum())
    return ind[at], np.concatenate([[0], np.cumsum(n)])


def report(name, y, z, files):
    cells = []
    for n in list(dict.fromkeys(files)) + ['all']:
        q = np.ones(len(y), bool) if n == 'all' else files == n
        m = q & (y != 1)
        cells.append(
            f'{n[:10]} {f1(y[q], z[q].argmax(1)).mean():.3f}/{(np.where(z[m, 2] > z[m, 0], 2, 0) == y[m]).mean():.3f}'
        )
    print(f'{name:10s}', ' | '.join(cells), f1(y, z.argmax(1)).round(3), flush=True)


def tune(ind, ptr, label, y, files):
    """The best SHIFT for macro-F1, by models that never saw the file they judge; a file counts for 5,000 reviews at most."""
    names = [n for n in np.unique(files) if n and n not in HELD]
    fold = {n: i % FOLDS for i, n in enumerate(names)}
    of = np.array([fold.get(n, -1) for n in files])
    rng = np.random.default_rng(1)
    ys, zs = [], []
    for k in range(FOLDS):
        model = fit(ind, ptr, label, np.flatnonzero((of != k) & ~np.isin(files, HELD)))
        for n in names:
            rows = np.flatnonzero(files == n)
            if fold[n] == k and (y[rows] == 1).sum() >= 40:
                rows = np.sort(rng.permutation(rows)[:5000])
                ys.append(y[rows])
                zs.append(logits(*some(ind, ptr, rows), *model))
    y, z = np.concatenate(ys), np.concatenate(zs)
    table = [(f1(y, (z + [0, shift, 0]).argmax(1)).mean(), round(shift, 2)) for shift in np.arange(0, 1.31, 0.05)]
    print(len(y), 'reviews of', len(ys), 'files; macro-F1 and shift:')
    for value, shift in sorted(table)[::-1][:5] + table[:1]:
        print(f'  {value:.4f} {shift}')


def quantise(W):
    """int8 by one scale per sum; the clipped tail is 1 in 20,000."""
    scale = np.quantile(np.abs(W), 0.99995, axis=0) / 127
    return np.clip(np.round(W / scale), -127, 127).astype(np.int8), scale


def write(path, Q, scale, A, b):
    """Little-endian: magic PQSM, version, buckets, 0 (uint32 each); float64: 2 scales, 5 x 2 of the stars, 5 biases; int8 pairs."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(
            b'PQSM' + struct.pack('<III', 2, BUCKETS, 0) + struct.pack('<17d', *scale, *A.ravel(), *b) + Q.tobytes()
        )
    print('wrote', path, os.path.getsize(path))


def read(path):
    """What `write` wrote, as `logits` takes it: weights, the stars' parts of the sums, biases."""
    with open(path, 'rb') as f:
        f.seek(16)
        numbers = np.frombuffer(f.read(17 * 8))
        W = np.frombuffer(f.read(), np.int8).reshape(-1, 2) * numbers[:2]
    return W, numbers[2:12].reshape(5, 2), numbers[12:]


GOLDEN_TEXTS = (
    '',
    '...',
    'Not bad at all!',
    'I would not go back.',
    'Great place, friendly people and wonderful food. Will we return? Yes!',
    "It wasn't that good, but because of the view we stayed.",
    'We did not really find the breakfast room very easily.',
    'Never, ever again: no hot water, nobody helped, nothing worked.',
    'good good good good not good not good',
    'Café Noël — très bien, naïve façade; 3.50 € for 12 or 1,200 people at 10:30',
    'Sooooo goooood 😀😀 👍🏽',
    '駅に近い。とても良い',
    "l'hôtel était propre, qu'il fait bon",
    'WIFI wi-fi Wi Fi',
    'without neither nor hardly none only just however although though',
    ' '.join(chr(97 + i // 26) + chr(97 + i % 26) + 'q' for i in range(MAX_TOKENS + 20)),
)


def write_golden(words, Q):
    """Features and whole-number sums of made-up texts: the product must come to the same."""
    docs = list(zip(tokenize(GOLDEN_TEXTS), GOLDEN_TEXTS))
    ind, ptr = words.features(docs)
    rows = [
        {'text': t, 'features': int(n), 'negative': int(s[0]), 'positive': int(s[1])}
        for t, n, s in zip(GOLDEN_TEXTS, np.diff(ptr), sums(ind, ptr, Q))
    ]
    with open(GOLDEN, 'w') as f:
        f.write(json.dumps(rows, indent=2, ensure_ascii=False) + '\n')


def main():
    mode = sys.argv[1]
    t0 = time.time()
    docs, files, label, y = load()
    words = Words()
    ind, ptr = words.features(docs)
    print(
        len(y),
        'texts',
        np.bincount(y),
        'features a text',
        round(len(ind) / len(y)),
        's',
        round(time.time() - t0),
        flush=True,
    )
    if mode == 'tune':
        tune(ind, ptr, label, y, files)
    else:
        held = np.isin(files, HELD) if mode == 'try' else np.zeros(len(y), bool)
        W, A, b = fit(ind, ptr, label, np.flatnonzero(~held))
        b[2] += SHIFT
        Q, scale = quantise(W)
        if mode == 'try':
            rows = np.flatnonzero(held)
            at = some(ind, ptr, rows)
            report('float', y[rows], logits(*at, W, A, b), files[rows])
            report('int8', y[rows], logits(*at, Q * scale, A, b), files[rows])
            write(f'{WORK}/sentiment.try.bin', Q, scale, A, b)
        if mode == 'ship':
            write(OUT, Q, scale, A, b)
            write_golden(words, Q)
    print(round(time.time() - t0), 's')


if __name__ == '__main__':
    main()
