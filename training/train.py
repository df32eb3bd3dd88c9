"""Trains word, phrase and negated-word vectors whose unit-length sums are sentence vectors.

Start: skip-gram vectors, common components removed, scaled by frequency (SIF, Arora et al. 2017). Then batches of
pairs: InfoNCE both ways with in-batch negatives (van den Oord et al. 2018), hard negatives as one more column; a margin
between the same thing praised and blamed; and the teacher's cosines on general text, squared error. Gradients are
written out by hand: the model is one table and one gain a feature.
"""

import argparse
import glob
import json
import os
import sys
import time

import numba as nb
import numpy as np

from evaluation import HEAD, Development, line
from features import FEATURES, WORK, Vocabulary, bags, tokenize, unit

MIX = (
    'title:3,next:1,phrase:3,opinion:1.3,question:4,opposite:1.6,hollow:.6,subjqa:4,qa:1,faq:1.2,quora:1,nli:.7,syn:.7,aspect:1.2,topic:.5,snip:.3,sts:.1,'
    'cloze:.5,gloss:.3'
)


# sources whose first text is what somebody would type
QUERY_LIKE = ('question', 'phrase', 'opposite', 'hollow', 'subjqa', 'qa', 'faq', 'title', 'cloze', 'topic')


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument('--name', default='run')
    p.add_argument('--words', type=int, default=36000)
    p.add_argument('--steps', type=int, default=1000)
    p.add_argument('--batch', type=int, default=768)
    p.add_argument('--lr', type=float, default=2e-3)
    p.add_argument('--tau', type=float, default=0.25)
    p.add_argument('--mix', default=MIX)
    p.add_argument('--more', default='', help='changes to the mix: source:share, ...')
    p.add_argument('--drop', type=float, default=0.1)
    p.add_argument('--margin', type=float, default=0.3)
    p.add_argument('--teach', type=float, default=0.0)
    p.add_argument(
        '--group',
        type=int,
        default=0,
        help='the teacher is asked about this many texts that are alike at a time; 0: as they come',
    )
    p.add_argument('--near', type=float, default=0.0, help='how much more the cosine of two like texts counts')
    p.add_argument('--gain', type=float, default=0.0)
    p.add_argument('--beta', type=float, default=0.9)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--sif', type=float, default=2e-4)
    p.add_argument('--remove', type=int, default=2)
    p.add_argument('--eval', type=int, default=0)
    return p.parse_args()


def start(V, sif, remove):
    n = len(np.load(f'{WORK}/counts.npy'))
    X = np.fromfile(f'{WORK}/sgns.bin', np.float32).reshape(n, -1)
    c = np.load(f'{WORK}/counts.npy')
    p = c / c[: V.words].sum()
    weight = sif / (sif + p)
    X = unit(X)
    common = np.minimum(p * weight * weight, 1e-5)
    X = X - (X * common[:, None]).sum(0) / common.sum()
    if remove:
        _, U = np.linalg.eigh((X * common[:, None]).T @ X)
        X = X - (X @ U[:, -remove:]) @ U[:, -remove:].T
    E = (X * weight[:, None])[V.source]
    E[V.words :] *= 0.5
    return np.ascontiguousarray(E, np.float32)


class Source:
    """One file of pairs, as feature ids: texts 3i, 3i+1, 3i+2 are a, b and the hard negative (may be empty)."""

    def __init__(self, V, name):
        cache = f'{WORK}/encoded.{name}.{len(V.names)}.npz'
        path = f'{WORK}/pairs.{name}.tsv'
        if os.path.exists(cache) and os.path.getmtime(cache) > os.path.getmtime(path):
            z = np.load(cache)
            self.ids, self.ptr, self.label = z['ids'], z['ptr'], z['label']
        else:
            texts, labels, known = [], [], {}
            for row in open(path):
                p = row.rstrip('\n').split('\t')
                p += [''] * (4 - len(p))
                texts += p[:3]
                labels.append(known.setdefault(p[3], len(known)) if p[3] else -1)
            self.ids, self.ptr = V.encode(texts)
            self.label = np.array(labels)
            np.savez(cache, ids=self.ids, ptr=self.ptr, label=self.label)
        size = np.diff(self.ptr).reshape(-1, 3)
        self.use = np.flatnonzero((size[:, 0] > 0) & (size[:, 1] > 0))
        self.hard = size[:, 2] > 0

    def take(self, pick, column, rng, drop):
        first = self.ptr[pick * 3 + column]
        size = np.minimum(self.ptr[pick * 3 + column + 1] - first, 96)
        ptr = np.concatenate([[0], np.cumsum(size)])
        ids = self.ids[np.repeat(first - ptr[:-1], size) + np.arange(ptr[-1])]
        w = (rng.random(ptr[-1]) >= drop).astype(np.float32) if drop else np.ones(ptr[-1], np.float32)
        mark = np.add.reduceat(
            np.append(ids.astype(np.int64) * 2654435761 % 1000003, 0), np.minimum(ptr[:-1], ptr[-1])
        ) * (size > 0)
        return ids, ptr, w, mark


def joined(parts):
    base = np.concatenate([[0], np.cumsum([len(p[0]) for p in parts])])
    ptr = np.concatenate([p[1][:-1] + base[i] for i, p in enumerate(parts)] + [base[-1:]])
    return (
        np.concatenate([p[0] for p in parts]),
        ptr,
        np.concatenate([p[2] for p in parts]),
        np.concatenate([p[3] for p in parts]),
    )


@nb.njit
def gained(ids, ptr, w, query, gain):
    out = w.copy()
    for d in range(len(ptr) - 1):
        if query[d]:
            for j in range(ptr[d], ptr[d + 1]):
                out[j] *= gain[ids[j]]
    return out


@nb.njit
def scatter_gain(ids, ptr, w, query, dS, E, g):
    for d in range(len(ptr) - 1):
        if query[d]:
            for j in range(ptr[d], ptr[d + 1]):
                if w[j] != 0:
                    x = np.float32(0)
                    for k in range(dS.shape[1]):
                        x += dS[d, k] * E[ids[j], k]
                    g[ids[j]] += w[j] * x


@nb.njit
def scatter(ids, ptr, w, dS, G, touched, rows, count):
    for d in range(len(ptr) - 1):
        for j in range(ptr[d], ptr[d + 1]):
            if w[j] == 0:
                continue
            i = ids[j]
            if not touched[i]:
                touched[i] = True
                rows[count] = i
                count += 1
                G[i] = 0
            for k in range(dS.shape[1]):
                G[i, k] += w[j] * dS[d, k]
    return count


@nb.njit(fastmath=True)
def adam(E, G, M, S, age, rows, touched, lr, beta):
    """Adam over the rows a batch touched. The second moment is not bias-corrected: a rare word moves
    further for each of its few examples, as its momentum would have carried it in dense Adam."""
    one = np.float32(1)
    for i in rows:
        touched[i] = False
        age[i] += 1
        c1 = one - np.float32(beta ** age[i]) if beta > 0 else one
        for k in range(E.shape[1]):
            g = G[i, k]
            M[i, k] = beta * M[i, k] + (one - beta) * g
            S[i, k] = np.float32(0.99) * S[i, k] + np.float32(0.01) * g * g
            E[i, k] -= lr * (M[i, k] / c1) / (np.sqrt(S[i, k]) + np.float32(1e-8))


class Table:
    def __init__(self, E, beta):
        self.E = E
        self.G, self.M, self.S = (np.zeros_like(E) for _ in range(3))
        self.touched, self.rows, self.count, self.step = np.zeros(len(E), np.bool_), np.empty(len(E), np.int64), 0, 0
        self.age, self.beta = np.zeros(len(E), np.int64), beta
        # what a feature weighs in a query, against 1 in a document
        self.gain, self.dgain = np.ones(len(E), np.float32), np.zeros(len(E), np.float32)
        self.gm, self.gs = np.zeros(len(E), np.float32), np.zeros(len(E), np.float32)

    def forward(self, bag, query=None):
        w = bag[2] if query is None else gained(bag[0], bag[1], bag[2], query, self.gain)
        s = bags(bag[0], bag[1], self.E, w)
        size = np.maximum(np.linalg.norm(s, axis=1, keepdims=True), 1e-6)
        return s / size, (size, w, query)

    def backward(self, bag, z, state, dz):
        size, w, query = state
        ds = ((dz - (dz * z).sum(1, keepdims=True) * z) / size).astype(np.float32)
        self.count = scatter(bag[0], bag[1], w, ds, self.G, self.touched, self.rows, self.count)
        if query is not None:
            scatter_gain(bag[0], bag[1], bag[2], query, ds, self.E, self.dgain)

    def update(self, lr, gain_rate=0.0):
        self.step += 1
        adam(
            self.E,
            self.G,
            self.M,
            self.S,
            self.age,
            self.rows[: self.count],
            self.touched,
            np.float32(lr),
            np.float32(self.beta),
        )
        if gain_rate:
            r = self.rows[: self.count]
            g = self.dgain[r]
            self.gm[r] = 0.9 * self.gm[r] + 0.1 * g
            self.gs[r] = 0.99 * self.gs[r] + 0.01 * g * g
            move = (self.gm[r] / (1 - 0.9**self.step)) / (np.sqrt(self.gs[r] / (1 - 0.99**self.step)) + 1e-8)
            self.gain[r] = np.clip(self.gain[r] - gain_rate * move, 0.05, 2.5)
        self.dgain[:] = 0
        self.count = 0


def softmax(x):
    x = np.exp(x - x.max(1, keepdims=True))
    return x / x.sum(1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Evaluator:
    def __init__(self, V):
        self.D = Development()
        texts = list(dict.fromkeys(self.D.texts()))
        path = f'{WORK}/dev.tokens.txt'
        if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(
            os.path.join(os.path.dirname(os.path.abspath(__file__)), '../server/embed/builtin/tokenizer.ts')
        ):
            open(path, 'w').write('\n'.join(tokenize(texts, 'named')))
        self.tokens = dict(zip(texts, open(path).read().split('\n')))
        self.V = V

    def __call__(self, E, gain=None, name=FEATURES['nameWeight'], confidence=None, sides=(0, 1)):
        def encode(texts, kind):
            words = [self.tokens[t].split() for t in texts]
            ids, ptr = self.V.encode([' '.join(x.lstrip('^') for x in w) for w in words], 500)
            weight = np.ones(len(ids), np.float32)
            side = 0 if kind == 'query' else 1
            if side == 0 and gain is not None:
                weight = gain[ids]
            out = bags(ids, ptr, E, weight)
            u = (
                np.zeros(len(texts))
                if confidence is None or side not in sides
                else confidence.amount(side, ids, ptr, weight)
            )
            if side == 0:
                # names weigh little in a query: what they add is taken away again, phrases of two names included
                known, rare = self.V.index, FEATURES['rareWord']

                def name_of(w, i):
                    if w[i][0] != '^':
                        return False
                    row = (i > 0 and w[i - 1][0] == '^') or (i + 1 < len(w) and w[i + 1][0] == '^')
                    return row or known.get(w[i][1:], rare) >= rare

                names = [[w[i][1:] for i in range(len(w)) if name_of(w, i)] for w in words]
                names = [' '.join(n) if len(n) <= FEATURES['mostNames'] * len(w) else '' for n, w in zip(names, words)]
                ids, ptr = self.V.encode(names, 500)
                weight = np.ones(len(ids), np.float32) if gain is None else gain[ids]
                out -= (1 - name) * bags(ids, ptr, E, weight)
                if u.any():
                    u -= (1 - name) * (confidence.amount(0, ids, ptr, weight) - confidence.base[0])
            more = np.zeros((len(texts), 2))
            more[:, side] = u
            return unit(np.c_[out, more])

        return self.D.measure(encode)


def main():
    A = arguments()
    rng = np.random.default_rng(A.seed)
    t0 = time.time()
    V = Vocabulary(A.words)
    mix = {k: float(v) for k, v in (x.split(':') for x in f'{A.mix},{A.more}'.strip(',').split(','))}
    S = {k: Source(V, k) for k in mix}
    names = list(mix)
    share = np.array([mix[k] for k in names])
    share /= share.sum()
    table = Table(start(V, A.sif, A.remove), A.beta)
    evaluate = Evaluator(V)
    print('load', round(time.time() - t0, 1), {k: len(s.use) for k, s in S.items()}, flush=True)
    print(HEAD)
    t1, losses = time.time(), []
    teach = None
    if A.teach:
        parts = sorted(glob.glob(f'{WORK}/teach.*.npy'))
        ids, ptr = V.encode([t for p in parts for t in open(p.replace('.npy', '.txt')).read().split('\n')])
        teach = (ids, ptr, np.concatenate([np.load(p) for p in parts]))
        alike = np.load(f'{WORK}/likeness.npy') if A.group else None
        print('taught', len(teach[2]))
    for step in range(A.steps):
        lr = A.lr * min(1, (step + 1) / 100) * max(0.02, 1 - step / A.steps)
        parts, labels, hard, polar, asks = [[], [], []], [], [], [], []
        for _ in range(2):
            k = int(rng.choice(len(names), p=share))
            s = S[names[k]]
            pick = rng.choice(s.use, min(A.batch // 2, len(s.use)), replace=len(s.use) > 50 * A.batch)
            for c in range(3):
                parts[c].append(s.take(pick, c, rng, A.drop))
            labels.append(np.where(s.label[pick] >= 0, s.label[pick] + 1_000_000 * (k + 1), -1))
            hard.append(s.hard[pick])
            asks.append(np.full(len(pick), names[k] in QUERY_LIKE))
            polar.append(s.hard[pick] & (names[k] in ('opinion', 'phrase', 'aspect', 'nli', 'opposite', 'hollow')))
        a, b, c = (joined(p) for p in parts)
        label, hard, polar = np.concatenate(labels), np.concatenate(hard), np.concatenate(polar)
        B = len(label)
        za, na = table.forward(a, np.concatenate(asks) if A.gain else None)
        zb, nb_ = table.forward(b)
        zc, nc = table.forward(c)
        C = za @ zb.T
        same = (a[3][:, None] == a[3]) | (b[3][:, None] == b[3]) | ((label[:, None] == label) & (label[:, None] >= 0))
        np.fill_diagonal(same, False)
        L = np.where(same, -1e4, C / A.tau).astype(np.float32)
        h = (za * zc).sum(1)
        Lh = np.concatenate([L, np.where(hard, h / A.tau, -1e4)[:, None].astype(np.float32)], 1)
        P, Q = softmax(Lh), softmax(L.T).T
        losses.append(-np.log(P[np.arange(B), np.arange(B)] + 1e-9).mean())
        dC = (P[:, :B] + Q) / (2 * B * A.tau)
        dC[np.arange(B), np.arange(B)] -= 1 / (B * A.tau)
        dh = P[:, B] / (2 * B * A.tau)
        if A.margin and polar.any():
            g = sigmoid((h - C[np.arange(B), np.arange(B)] + 0.1) / 0.1) / 0.1 * polar * (A.margin / B)
            dh = dh + g
            dC[np.arange(B), np.arange(B)] -= g
        dh = (dh * hard).astype(np.float32)[:, None]
        dC = dC.astype(np.float32)
        table.backward(a, za, na, dC @ zb + dh * zc)
        table.backward(b, zb, nb_, dC.T @ za)
        if hard.any():
            table.backward(c, zc, nc, dh * za)
        if teach is not None:
            ids, ptr, T = teach
            m = 512
            if A.group:
                pick = alike[(rng.integers(0, len(T) - A.group, m // A.group)[:, None] + np.arange(A.group)).ravel()]
            else:
                pick = rng.integers(0, len(T) - m) + np.arange(m)
            size = ptr[pick + 1] - ptr[pick]
            p = np.concatenate([[0], np.cumsum(size)])
            bag = (ids[np.repeat(ptr[pick] - p[:-1], size) + np.arange(p[-1])], p, np.ones(p[-1], np.float32))
            z, n = table.forward(bag)
            target = T[pick].astype(np.float32)
            target = target @ target.T
            D = z @ z.T - target
            np.fill_diagonal(D, 0)
            if A.near:
                D *= 1 + A.near * np.maximum(target, 0)
            table.backward(bag, z, n, (4 * A.teach / m) * D @ z)
        table.update(lr, A.gain * lr / A.lr)
        if (A.eval and step % A.eval == A.eval - 1) or step == A.steps - 1:
            print(
                line(f'{A.name}@{step + 1} {np.mean(losses[-200:]):.3f}', evaluate(table.E, table.gain)),
                round(time.time() - t1),
                flush=True,
            )
    np.save(f'{WORK}/model.{A.name}.npy', table.E)
    np.save(f'{WORK}/gain.{A.name}.npy', table.gain)
    json.dump(vars(A), open(f'{WORK}/model.{A.name}.json', 'w'))


if __name__ == '__main__':
    main()
