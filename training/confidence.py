"""Learns how sure a query's and a sentence's vector is: two more components that lower cosines, never raise them.

A text's vector becomes (S, u, 0) for a query and (S, 0, u) for a document before it is scaled to unit length, where S is
the sum of its features' vectors and u a constant plus a number per feature. So a query of unfamiliar words, or a sentence
with hardly any content, comes near to nothing: its cosines shrink by |S| / sqrt(S² + u²), which is a true cosine still.
Trained on sigmoid loss: pairs against in-batch negatives, and questions of other domains against review sentences.
"""

import argparse

import numpy as np

from evaluation import HEAD, line
from features import WORK, Vocabulary, bags, unit
from train import Evaluator, Source, gained, sigmoid

PAIRS = {'question': 4, 'phrase': 2, 'subjqa': 1.5, 'faq': 0.7, 'title': 1, 'aspect': 0.5}
OUTSIDE = ('quora', 'gloss', 'nli')


def blend(models):
    runs = [(np.load(f'{WORK}/model.{m}.npy'), np.load(f'{WORK}/gain.{m}.npy')) for m in models]
    E = sum(x / np.sqrt((x * x).sum(1).mean()) for x, _ in runs) / len(runs)
    return (E / np.sqrt((E * E).sum(1).mean())).astype(np.float32), (sum(g for _, g in runs) / len(runs)).astype(
        np.float32
    )


def stretched(E, V, amount, pairs=40_000, directions=2, least=0.1):
    """Lengthens the two directions in which praise and blame of the same thing differ and two praises do not.

    Each row gets `amount` times its part along them once more, less what every word has: `least` of the row's length.
    So words that tell the tone move and "room" and "menu" stay, and questions that ask for neither lose less.
    """
    s, rng = Source(V, 'opinion'), np.random.default_rng(0)
    pick = rng.choice(s.use, pairs)
    pick = pick[s.hard[pick]]
    vectors = []
    for column in range(3):
        ids, ptr, w, _ = s.take(pick, column, rng, 0)
        vectors.append(unit(bags(ids, ptr, E, w)))
    told, alike, opposite = vectors
    tone, rest = alike - opposite, told - alike
    _, axes = np.linalg.eigh((tone.T @ tone - rest.T @ rest) / len(pick))
    t = axes[:, -directions:].astype(np.float32)
    part = E @ t
    size = np.maximum(np.linalg.norm(part, axis=1), 1e-9)
    part *= np.maximum(1 - least * np.linalg.norm(E, axis=1) / size, 0)[:, None]
    return (E + amount * part @ t.T).astype(np.float32)


class Confidence:
    def __init__(self, n):
        self.u = np.full((2, n), 0.05, np.float32)
        self.base = np.array([0.5, 0.5], np.float32)

    def amount(self, side, ids, ptr, w):
        total = np.add.reduceat(np.append(self.u[side][ids] * w, 0), np.minimum(ptr[:-1], len(ids))) * (
            np.diff(ptr) > 0
        )
        return total + self.base[side]


def shrink(size, u):
    return size / np.sqrt(size**2 + u**2)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--models', required=True)
    p.add_argument('--words', type=int, default=36000)
    p.add_argument('--steps', type=int, default=500)
    p.add_argument('--rate', type=float, default=0.02)
    p.add_argument('--outside', type=float, default=0.5)
    p.add_argument('--centre', type=float, default=0.45)
    p.add_argument('--tone', type=float, default=0.55)
    A = p.parse_args()
    rng = np.random.default_rng(7)
    V = Vocabulary(A.words)
    E, gain = blend(A.models.split(','))
    S = {k: Source(V, k) for k in (*PAIRS, *OUTSIDE, 'next')}
    names, share = list(PAIRS), np.array(list(PAIRS.values()))
    share = share / share.sum()
    C = Confidence(len(E))
    m1, m2 = [np.zeros_like(C.u), np.zeros(2)], [np.zeros_like(C.u), np.zeros(2)]
    evaluate = Evaluator(V)
    print(HEAD)
    print(line('mean', evaluate(E, gain)), flush=True)
    E = stretched(E, V, A.tone)
    print(line('tone', evaluate(E, gain)), flush=True)
    losses = []
    for step in range(A.steps):
        n = 384
        s = S[names[int(rng.choice(len(names), p=share))]]
        pick = rng.choice(s.use, n)
        a, b = s.take(pick, 0, rng, 0), s.take(pick, 1, rng, 0)
        o = S[OUTSIDE[rng.integers(3)]]
        c = o.take(rng.choice(o.use, n // 2), 0, rng, 0)
        far = S['next']
        d = far.take(rng.choice(far.use, n // 2), 0, rng, 0)
        lab = s.label[pick]
        dU = [np.zeros_like(C.u[0]), np.zeros_like(C.u[0])]
        dbase = np.zeros(2)
        total = 0
        for q, docs, outside in ((a, b, False), (c, d, True)):
            wq = gained(q[0], q[1], q[2], np.ones(len(q[1]) - 1, np.bool_), gain)
            sq, sd = bags(q[0], q[1], E, wq), bags(docs[0], docs[1], E, docs[2])
            nq, nd = np.linalg.norm(sq, axis=1), np.linalg.norm(sd, axis=1)
            uq, ud = C.amount(0, q[0], q[1], wq), C.amount(1, docs[0], docs[1], docs[2])
            fq, fd = shrink(nq, uq), shrink(nd, ud)
            cos = unit(sq) @ unit(sd).T
            z = (cos * fq[:, None] * fd - A.centre) / 0.07
            y = np.zeros_like(z) if outside else np.eye(len(z), dtype=np.float32)
            weight = np.full_like(z, A.outside / z.size * 20) if outside else np.full_like(z, 6 / z.size)
            if not outside:
                same = (
                    (q[3][:, None] == q[3])
                    | (docs[3][:, None] == docs[3])
                    | ((lab[:, None] == lab) & (lab[:, None] >= 0))
                )
                weight[same] = 0
                weight[np.arange(len(z)), np.arange(len(z))] = 1 / len(z)
            pz = sigmoid(z)
            total += -(weight * (y * np.log(pz + 1e-9) + (1 - y) * np.log(1 - pz + 1e-9))).sum()
            g = weight * (pz - y) * cos / 0.07
            gq, gd = (g * fd).sum(1), (g * fq[:, None]).sum(0)
            for side, bag, size, u, gf, w in ((0, q, nq, uq, gq, wq), (1, docs, nd, ud, gd, docs[2])):
                du = gf * (-size * u / np.maximum(size**2 + u**2, 1e-9) ** 1.5)
                np.add.at(dU[side], bag[0], np.repeat(du, np.diff(bag[1])) * w)
                dbase[side] += du.sum()
        losses.append(total)
        lr = A.rate * (1 - step / A.steps)
        for i, (param, grad) in enumerate(((C.u, np.stack(dU)), (C.base, dbase))):
            m1[i] = 0.9 * m1[i] + 0.1 * grad
            m2[i] = 0.99 * m2[i] + 0.01 * grad**2
            param -= (
                lr * (m1[i] / (1 - 0.9 ** (step + 1))) / (np.sqrt(m2[i] / (1 - 0.99 ** (step + 1))) + 1e-8)
            ).astype(np.float32)
            np.maximum(param, 0, out=param)
        if step % 100 == 99:
            print(step + 1, round(float(np.mean(losses[-100:])), 4), C.base, C.u.mean(1), flush=True)
    figures = evaluate(E, gain, confidence=C)
    print(line('with', figures), flush=True)
    print(line('query only', evaluate(E, gain, confidence=C, sides=(0,))), flush=True)
    # precision weighs above recall: an empty list beats an irrelevant one
    np.savez(f'{WORK}/blend.npz', E=E, gain=gain, u=C.u, base=C.base, threshold=round(figures['f0.5']['t'], 3))


if __name__ == '__main__':
    main()
