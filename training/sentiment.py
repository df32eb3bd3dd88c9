"""Trains the sentiment model: softmax regression on hashed words, bigrams, negated words and character n-grams.

Labels are stars (5-4 positive, 3 neutral, 2-1 negative) or polarity. Reads reviews.*.tsv (tokenised).

  sentiment.py try    measure on four whole files kept out of training
  sentiment.py ship   train on everything; write server/ingest/sentiment-model/sentiment.bin
Weights are stored against the neutral class (softmax has one degree of freedom less than it has classes), int8.
"""
import glob
import json
import os
import struct
import sys
import time

import numba as nb
import numpy as np

from features import NEGATORS, SCOPE, SCOPE_ENDS, WORK, shipped
from negation import examples

BUCKETS = 1 << 19
MAX_TOKENS = 400
SHIFT = 0.25  # added to the neutral class; chosen on the held files
HELD = ('yelp_ucd_categories', 'zomato_bangalore', 'tokyo_hotels_tripadvisor', 'amazon_popcorn_etc')
FNV_OFFSET, FNV_PRIME = 0x811C9DC5, 0x01000193
# mixed into a token's hash: which kind of feature it is
WORD, NEGATED, EXCLAIM, QUESTION, BIGRAM, GRAM = 0x1000193, 0x2545F491, 0x3C6EF35F, 0x41C64E6D, 0x5851F42D, 0x6C078965
OUT = shipped('server/ingest/sentiment-model/sentiment.bin')


def fnv(units):
    h = FNV_OFFSET
    for u in units:
        h = ((h ^ u) * FNV_PRIME) & 0xFFFFFFFF
    return h


def units(word):
    raw = word.encode('utf-16-le')
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def mix_py(h, salt):
    h = ((h ^ salt) * 0x85EBCA6B) & 0xFFFFFFFF
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & 0xFFFFFFFF
    h ^= h >> 16
    return h & (BUCKETS - 1)


@nb.njit(inline='always')
def mix(h, salt):
    h = np.uint32(np.uint32(h ^ salt) * np.uint32(0x85EBCA6B))
    h ^= h >> np.uint32(13)
    h = np.uint32(h * np.uint32(0xC2B2AE35))
    h ^= h >> np.uint32(16)
    return h & np.uint32(BUCKETS - 1)


class Corpus:
    """Words of labelled texts as ids, with each word's hash and character n-gram buckets."""

    def __init__(self):
        self.words, self.hash, self.grams = {}, [], [[]]
        self.grams = []

    def id(self, w):
        i = self.words.get(w)
        if i is None:
            i = self.words[w] = len(self.hash)
            u = units(w)
            self.hash.append(fnv(u))
            x = [60] + u + [62]
            self.grams.append([mix_py(fnv(x[k:k + n]), GRAM) for n in (4, 5) for k in range(len(x) - n + 1)] if len(u) > 3 else [])
        return i

    def encode(self, docs):
        ids, ptr, flags = [], [0], []
        for tokens, raw in docs:
            ids.extend(self.id(w) for w in tokens.split()[:MAX_TOKENS])
            ptr.append(len(ids))
            flags.append(('!' in raw) + 2 * ('?' in raw))
        return np.array(ids, np.int32), np.array(ptr), np.array(flags, np.int8)

    def tables(self):
        g = np.concatenate([np.array(x, np.uint32) for x in self.grams])
        p = np.concatenate([[0], np.cumsum([len(x) for x in self.grams])])
        h = np.array(self.hash, np.uint32)
        return h, g, p

    def flags(self, names):
        f = np.zeros(len(self.hash), np.bool_)
        for n in names:
            if n in self.words:
                f[self.words[n]] = True
        return f


@nb.njit
def features(ids, ptr, flags, hashes, grams, gptr, negator, ends):
    cap = len(ids) * 12 + 2 * len(flags)
    out = np.empty(cap, np.uint32)
    optr = np.zeros(len(ptr), np.int64)
    seen = np.full(BUCKETS, -1, np.int32)
    m = 0
    for d in range(len(ptr) - 1):
        prev = np.uint32(FNV_OFFSET)
        left = 0
        if m + (ptr[d + 1] - ptr[d]) * 60 + 10 > len(out):
            bigger = np.empty(len(out) * 2, np.uint32)
            bigger[:m] = out[:m]
            out = bigger
        f = flags[d]
        if f & 1:
            k = mix(np.uint32(0), np.uint32(EXCLAIM)); out[m] = k; m += 1; seen[k] = d
        if f & 2:
            k = mix(np.uint32(0), np.uint32(QUESTION)); out[m] = k; m += 1; seen[k] = d
        for j in range(ptr[d], ptr[d + 1]):
            w = ids[j]
            h = hashes[w]
            k = mix(h, np.uint32(WORD))
            if seen[k] != d:
                seen[k] = d; out[m] = k; m += 1
                for q in range(gptr[w], gptr[w + 1]):
                    g = grams[q]
                    if seen[g] != d:
                        seen[g] = d; out[m] = g; m += 1
            k = mix(np.uint32(np.uint32(prev * np.uint32(FNV_PRIME)) ^ h), np.uint32(BIGRAM))
            if seen[k] != d:
                seen[k] = d; out[m] = k; m += 1
            if negator[w]:
                left = SCOPE
            else:
                if ends[w]:
                    left = 0
                if left > 0:
                    left -= 1
                    k = mix(h, np.uint32(NEGATED))
                    if seen[k] != d:
                        seen[k] = d; out[m] = k; m += 1
            prev = h
        optr[d + 1] = m
    return out[:m], optr


@nb.njit(fastmath=True)
def epoch(ind, ptr, y, cw, W, G, b, order, lr, l2):
    z = np.zeros(3)
    loss = 0.0
    for q in order:
        s, e = ptr[q], ptr[q + 1]
        if e == s:
            continue
        v = 1 / np.sqrt(e - s)
        for k in range(3):
            z[k] = b[k]
        for j in range(s, e):
            for k in range(3):
                z[k] += W[ind[j], k] * v
        top = z.max()
        t = 0.0
        for k in range(3):
            z[k] = np.exp(z[k] - top); t += z[k]
        for k in range(3):
            z[k] /= t
        loss -= np.log(z[y[q]] + 1e-12)
        c = cw[y[q]]
        for k in range(3):
            g = c * (z[k] - (1.0 if k == y[q] else 0.0))
            for j in range(s, e):
                i = ind[j]
                gj = g * v + l2 * W[i, k]
                G[i, k] += gj * gj
                W[i, k] -= lr * gj / np.sqrt(G[i, k] + 1e-8)
            b[k] -= lr * 0.01 * g
    return loss / len(order)


@nb.njit
def score(ind, ptr, W, b):
    out = np.zeros((len(ptr) - 1, W.shape[1]))
    for d in range(len(ptr) - 1):
        n = ptr[d + 1] - ptr[d]
        for j in range(ptr[d], ptr[d + 1]):
            for k in range(W.shape[1]):
                out[d, k] += W[ind[j], k]
        for k in range(W.shape[1]):
            out[d, k] = out[d, k] / np.sqrt(max(n, 1)) + b[k]
    return out


def label(stars):
    s = abs(stars)
    return 0 if s <= 2 else 1 if s < 3.5 else 2


def load():
    train, held = [], {name: [] for name in HELD}
    for path in sorted(glob.glob(f'{WORK}/reviews.*.tsv')):
        for line in open(path):
            p = line.rstrip('\n').split('\t')
            if float(p[1]) == 0:
                continue
            pieces = [s.split('\x01', 1) for s in p[4:]]
            doc = (' '.join(t for t, _ in pieces), ' '.join(r for _, r in pieces), label(float(p[1])))
            held[p[0]].append(doc) if p[0] in held else train.append(doc)
    return train, held


def f1(y, p):
    out = []
    for k in range(3):
        tp = ((y == k) & (p == k)).sum()
        out.append(2 * tp / max(1, (y == k).sum() + (p == k).sum()))
    return np.array(out)


def report(name, sets, W, b):
    ys, zs = [], []
    for n, (ind, ptr, y) in sets.items():
        ys.append(y); zs.append(score(ind, ptr, W, b))
    cells = []
    for n, y, z in list(zip(sets, ys, zs)) + [('all', np.concatenate(ys), np.concatenate(zs))]:
        m = y != 1
        cells.append(f'{n[:10]} {f1(y, z.argmax(1)).mean():.3f}/{(np.where(z[m, 2] > z[m, 0], 2, 0) == y[m]).mean():.3f}')
    print(f'{name:24s}', ' | '.join(cells), f1(np.concatenate(ys), np.concatenate(zs).argmax(1)).round(3), flush=True)


def fit(ind, ptr, y, power, epochs, lr=0.15, l2=1e-7, seed=0):
    c = np.bincount(y, minlength=3) / len(y)
    cw = (1 / c)**power
    cw /= (cw * c).sum()
    W, G, b = np.zeros((BUCKETS, 3), np.float32), np.full((BUCKETS, 3), 1e-3, np.float32), np.zeros(3)
    rng = np.random.default_rng(seed)
    for e in range(epochs):
        loss = epoch(ind, ptr, y, cw, W, G, b, rng.permutation(len(y)), lr * (1 - e / (epochs + 0.5)), l2)
        print('  epoch', e, round(loss, 4), flush=True)
    return W, b


def quantise(W, b):
    """Weights against neutral, int8 by one scale per class pair; the clipped tail is 1 in 20,000."""
    D = (W[:, [0, 2]] - W[:, [1]])
    scale = np.quantile(np.abs(D), 0.99995, axis=0) / 127
    Q = np.clip(np.round(D / scale), -127, 127).astype(np.int8)
    return Q, scale, np.array([b[0] - b[1], b[2] - b[1]])


def dequantised(Q, scale, bias):
    W = np.zeros((len(Q), 3))
    W[:, [0, 2]] = Q * scale
    return W, np.array([bias[0], 0.0, bias[1]])


def write(Q, scale, bias):
    """Little-endian: magic PQSM, version, buckets (uint32 each), 2 scales and 2 biases (float64), then int8 pairs."""
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, 'wb') as f:
        f.write(b'PQSM' + struct.pack('<II', 1, BUCKETS) + struct.pack('<I4d', 0, *scale, *bias) + Q.tobytes())
    print('wrote', OUT, os.path.getsize(OUT))


def main():
    mode = sys.argv[1]
    t0 = time.time()
    train, held = load()
    if mode == 'ship':
        train = train + [d for docs in held.values() for d in docs]
    train = train + examples()
    corpus = Corpus()
    enc = corpus.encode([d[:2] for d in train])
    enc_held = {n: corpus.encode([d[:2] for d in docs]) for n, docs in held.items()}
    h, g, gp = corpus.tables()
    neg, ends = corpus.flags(NEGATORS), corpus.flags(SCOPE_ENDS)
    ind, ptr = features(*enc, h, g, gp, neg, ends)
    y = np.array([d[2] for d in train])
    sets = {n: (*features(*e, h, g, gp, neg, ends), np.array([d[2] for d in held[n]])) for n, e in enc_held.items()}
    print('train', len(y), np.bincount(y), 'features a text', round(len(ind) / len(y)), 's', round(time.time() - t0), flush=True)
    for power, epochs, l2, shift in ((0.5, 4, 2e-6, SHIFT),):
        W, b = fit(ind, ptr, y, power, epochs, l2=l2)
        b = b + np.array([0, shift, 0])
        report(f'float {power} {epochs} {l2}', sets, W, b)
        Q, scale, bias = quantise(W, b)
        report('int8', sets, *dequantised(Q, scale, bias))
        np.savez(f'{WORK}/sentiment.{mode}.npz', Q=Q, scale=scale, bias=bias)
        print(round(time.time() - t0), flush=True)
    if mode == 'ship':
        write(Q, scale, bias)


if __name__ == '__main__':
    main()
