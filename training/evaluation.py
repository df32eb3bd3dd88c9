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
    places = np.flatnonzero(hits)
    precision = ((np.arange(len(places)) + 1) / (places + 1)).mean()
    gain = 1 / np.log2(np.arange(2, 12))
    ndcg = (hits[:10] * gain[: len(hits[:10])]).sum() / gain[: min(10, len(places))].sum()
    return precision, ndcg, 1 / (places[0] + 1)


def auc(scores, labels):
    order = np.argsort(scores, kind='stable')
    sorted_scores = np.asarray(scores)[order]
    rank = np.arange(1, len(sorted_scores) + 1, dtype=float)
    # ties share their mean rank
    _, first, count = np.unique(sorted_scores, return_index=True, return_counts=True)
    rank = np.repeat(first + (count + 1) / 2, count)
    is_positive = np.asarray(labels)[order].astype(bool)
    positives, negatives = is_positive.sum(), (~is_positive).sum()
    return (rank[is_positive].sum() - positives * (positives + 1) / 2) / (positives * negatives)


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
            new = [text for text in dict.fromkeys(texts) if (text, kind) not in cache]
            if new:
                for text, vector in zip(new, encode(new, kind)):
                    cache[text, kind] = vector
            return np.stack([cache[text, kind] for text in texts])

        out = {}
        for name, (docs, queries) in self.sets.items():
            documents, question_vectors = vectors(docs, 'document'), vectors(
                [question[0] for question in queries], 'query'
            )
            figures = np.array(
                [
                    ranking(
                        documents[pool] @ question_vectors[number],
                        np.array([document in rel for document in pool], float),
                    )
                    for number, (_, pool, rel) in enumerate(queries)
                ]
            ).mean(0)
            out[name] = dict(zip(('map', 'ndcg', 'mrr'), figures))
            if name == 'aspect':
                vector_of = {question[0]: question_vectors[number] for number, question in enumerate(queries)}
                out['polarity'] = float(
                    np.mean(
                        [
                            auc(
                                np.concatenate([documents[row] @ vector_of[text], documents[wrong] @ vector_of[text]]),
                                [1] * len(row) + [0] * len(wrong),
                            )
                            for text, row, wrong in self.polarity
                        ]
                    )
                )
        first, second = vectors([row['a'] for row in self.sts], 'document'), vectors(
            [row['b'] for row in self.sts], 'document'
        )
        out['sts'] = spearman((first * second).sum(1), np.array([row['score'] for row in self.sts]))
        first, second = vectors([row['q'] for row in self.pairs], 'query'), vectors(
            [row['t'] for row in self.pairs], 'document'
        )
        cosines, labels = (first * second).sum(1), np.array([row['y'] for row in self.pairs])
        off_domain = vectors(self.off, 'query') @ vectors(self.pool, 'document').T
        out.update(threshold(cosines, labels, off_domain.max(1)))
        return out


def threshold(cosines, labels, off_domain):
    order = np.argsort(-cosines, kind='stable')
    hits = np.cumsum(labels[order])
    precision, recall = hits / (np.arange(len(labels)) + 1), hits / labels.sum()
    out = {'auc': auc(cosines, labels)}
    for beta in (1, 0.5):
        f_scores = (1 + beta**2) * precision * recall / np.maximum(beta**2 * precision + recall, 1e-9)
        best = int(np.argmax(f_scores))
        cut = float(cosines[order[best]])
        out[f'f{beta}'] = dict(
            t=cut,
            f=float(f_scores[best]),
            p=float(precision[best]),
            r=float(recall[best]),
            off=float((off_domain < cut).mean()),
        )
    precise = np.flatnonzero(precision >= 0.6)
    at = int(precise[precise > 500][-1]) if (precise > 500).any() else int(precise[-1])
    cut = float(cosines[order[at]])
    out['p60'] = dict(t=cut, p=float(precision[at]), r=float(recall[at]), off=float((off_domain < cut).mean()))
    return out


HEAD = 'model                        DSTC map ndcg | asp  | sqa  | STS  | AUC  | pol  | F1   (P) off | F.5 t    P    R    off | P60 R   off'


def line(name, o):
    return (
        f"{name:28s} {o['dstc']['map']:.3f} {o['dstc']['ndcg']:.3f} | {o['aspect']['ndcg']:.3f}| {o['subjqa']['mrr']:.3f}| "
        f"{o['sts']:.3f}| {o['auc']:.3f}| {o['polarity']:.3f}| {o['f1']['f']:.3f} ({o['f1']['p']:.2f}) {o['f1']['off']:.2f}| "
        f"{o['f0.5']['t']:.3f} {o['f0.5']['p']:.2f} {o['f0.5']['r']:.2f} {o['f0.5']['off']:.2f} | {o['p60']['r']:.2f} {o['p60']['off']:.2f}"
    )
