"""The corpus page's table on the development sets, for any encoder `texts -> unit vectors`.

Reads dev/*.jsonl.xz. `bench/relevance` measures the shipped model through the product's own TypeScript; this one
is for training and for the reference (teacher) figures.
"""

import collections
import json
import lzma
import os

import numpy as np

CORPUS = os.environ.get('PULLQUOTE_CORPUS', '../../shared/corpus')


def rows(name):
    return [json.loads(line) for line in lzma.open(f'{CORPUS}/dev/{name}.jsonl.xz', 'rt')]


def ranking(scores, relevant):
    order = np.argsort(-scores, kind='stable')
    hits = relevant[order]
    at = np.flatnonzero(hits)
    ap = ((np.arange(len(at)) + 1) / (at + 1)).mean()
    gain = 1 / np.log2(np.arange(2, 12))
    ndcg = (hits[:10] * gain[: len(hits[:10])]).sum() / gain[: min(10, len(at))].sum()
    return ap, ndcg, 1 / (at[0] + 1)


def auc(scores, labels):
    order = np.argsort(scores, kind='stable')
    s = np.asarray(scores)[order]
    rank = np.arange(1, len(s) + 1, dtype=float)
    # ties share their mean rank
    _, first, count = np.unique(s, return_index=True, return_counts=True)
    rank = np.repeat(first + (count + 1) / 2, count)
    y = np.asarray(labels)[order].astype(bool)
    p, n = y.sum(), (~y).sum()
    return (rank[y].sum() - p * (p + 1) / 2) / (p * n)


def spearman(a, b):
    def ranks(x):
        _, inverse, count = np.unique(x, return_inverse=True, return_counts=True)
        start = np.cumsum(count) - count
        return (start + (count - 1) / 2)[inverse]

    return np.corrcoef(ranks(a), ranks(b))[0, 1]


class Development:
    def __init__(self):
        self.sets = {}
        for name in ('dstc', 'aspect', 'subjqa'):
            docs, queries = rows(f'{name}.docs'), rows(f'{name}.q')
            pools = collections.defaultdict(list)
            for i, d in enumerate(docs):
                pools[d['pool']].append(i)
            ids = {d['id']: i for i, d in enumerate(docs)}
            self.sets[name] = (
                [d['text'] for d in docs],
                [
                    (
                        q['query'],
                        np.array([i for p in q['pool'] for i in pools[p]]),
                        {ids[r] for r in q['relevant'] if r in ids},
                    )
                    for q in queries
                ],
            )
            if name == 'aspect':
                self.polarity = self._polarity(docs, self.sets[name][1])
        self.sts = rows('stsb')
        self.pairs = rows('pairs')
        self.off = [r['q'] for r in rows('off')]
        self.pool = [r['t'] for r in rows('offpool')]

    @staticmethod
    def _polarity(docs, queries):
        """For each aspect query: sentences of its aspect with its polarity against those with the opposite one only."""
        out = []
        for query, pool, relevant in queries:
            common = collections.Counter((a, p) for i in relevant for a, p in map(tuple, docs[i]['labels']))
            need = [k for k, c in common.items() if c == len(relevant)]
            if len(need) == 0:
                continue
            aspect, pole = max(need, key=lambda k: common[k])
            other = {'positive': 'negative', 'negative': 'positive'}.get(pole)
            if other is None:
                continue
            wrong = [
                i for i in pool if [aspect, other] in docs[i]['labels'] and [aspect, pole] not in docs[i]['labels']
            ]
            if len(wrong) >= 3:
                out.append((query, sorted(relevant), wrong))
        return out

    def texts(self):
        for docs, queries in self.sets.values():
            yield from docs
            yield from (q for q, _, _ in queries)
        for r in self.sts:
            yield from (r['a'], r['b'])
        for r in self.pairs:
            yield from (r['q'], r['t'])
        yield from self.off
        yield from self.pool

    def measure(self, encode):
        """`encode(texts, kind)` -> unit rows. Returns a dict of figures; threshold figures are raw cosines."""
        cache = {}

        def vectors(texts, kind):
            new = [t for t in dict.fromkeys(texts) if (t, kind) not in cache]
            if new:
                for t, v in zip(new, encode(new, kind)):
                    cache[t, kind] = v
            return np.stack([cache[t, kind] for t in texts])

        out = {}
        for name, (docs, queries) in self.sets.items():
            d, q = vectors(docs, 'document'), vectors([x[0] for x in queries], 'query')
            figures = np.array(
                [
                    ranking(d[pool] @ q[i], np.array([p in rel for p in pool], float))
                    for i, (_, pool, rel) in enumerate(queries)
                ]
            ).mean(0)
            out[name] = dict(zip(('map', 'ndcg', 'mrr'), figures))
            if name == 'aspect':
                qv = {x[0]: q[i] for i, x in enumerate(queries)}
                out['polarity'] = float(
                    np.mean(
                        [
                            auc(np.concatenate([d[r] @ qv[t], d[w] @ qv[t]]), [1] * len(r) + [0] * len(w))
                            for t, r, w in self.polarity
                        ]
                    )
                )
        a, b = vectors([r['a'] for r in self.sts], 'document'), vectors([r['b'] for r in self.sts], 'document')
        out['sts'] = spearman((a * b).sum(1), np.array([r['score'] for r in self.sts]))
        a, b = vectors([r['q'] for r in self.pairs], 'query'), vectors([r['t'] for r in self.pairs], 'document')
        c, y = (a * b).sum(1), np.array([r['y'] for r in self.pairs])
        off = vectors(self.off, 'query') @ vectors(self.pool, 'document').T
        out.update(threshold(c, y, off.max(1)))
        return out


def threshold(c, y, off):
    order = np.argsort(-c, kind='stable')
    tp = np.cumsum(y[order])
    precision, recall = tp / (np.arange(len(y)) + 1), tp / y.sum()
    out = {'auc': auc(c, y)}
    for beta in (1, 0.5):
        f = (1 + beta**2) * precision * recall / np.maximum(beta**2 * precision + recall, 1e-9)
        best = int(np.argmax(f))
        t = float(c[order[best]])
        out[f'f{beta}'] = dict(
            t=t, f=float(f[best]), p=float(precision[best]), r=float(recall[best]), off=float((off < t).mean())
        )
    ok = np.flatnonzero(precision >= 0.6)
    at = int(ok[ok > 500][-1]) if (ok > 500).any() else int(ok[-1])
    t = float(c[order[at]])
    out['p60'] = dict(t=t, p=float(precision[at]), r=float(recall[at]), off=float((off < t).mean()))
    return out


HEAD = 'model                        DSTC map ndcg | asp  | sqa  | STS  | AUC  | pol  | F1   (P) off | F.5 t    P    R    off | P60 R   off'


def line(name, o):
    return (
        f"{name:28s} {o['dstc']['map']:.3f} {o['dstc']['ndcg']:.3f} | {o['aspect']['ndcg']:.3f}| {o['subjqa']['mrr']:.3f}| "
        f"{o['sts']:.3f}| {o['auc']:.3f}| {o['polarity']:.3f}| {o['f1']['f']:.3f} ({o['f1']['p']:.2f}) {o['f1']['off']:.2f}| "
        f"{o['f0.5']['t']:.3f} {o['f0.5']['p']:.2f} {o['f0.5']['r']:.2f} {o['f0.5']['off']:.2f} | {o['p60']['r']:.2f} {o['p60']['off']:.2f}"
    )
