"""Trains word, phrase and negated-word vectors whose unit-length sums are sentence vectors.

Start: skip-gram vectors, common components removed, scaled by frequency (SIF, Arora et al. 2017). Then batches of
pairs: InfoNCE both ways with in-batch negatives (van den Oord et al. 2018), hard negatives as one more column; a margin
between the same thing praised and blamed; and the teacher's cosines on general text, squared error. Gradients are
written out by hand: the model is one table and one gain a feature.

Texts are held as one flat array with `starts`, int64 [texts + 1]: text i is `features[starts[i]:starts[i + 1]]`. A "bag" is
such texts: (features int32, starts, weights float32 like features, marks int64 [texts], equal for equal texts).
"""

import argparse
import glob
import json
import os
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


def start(vocabulary, sif, remove):
    """The table to begin with: float32 [features, dimensions]."""
    size = len(np.load(f'{WORK}/counts.npy'))
    vectors = np.fromfile(f'{WORK}/sgns.bin', np.float32).reshape(size, -1)
    counts = np.load(f'{WORK}/counts.npy')
    frequency = counts / counts[: vocabulary.words].sum()
    weight = sif / (sif + frequency)
    vectors = unit(vectors)
    common = np.minimum(frequency * weight * weight, 1e-5)
    vectors = vectors - (vectors * common[:, None]).sum(0) / common.sum()
    if remove:
        _, axes = np.linalg.eigh((vectors * common[:, None]).T @ vectors)
        vectors = vectors - (vectors @ axes[:, -remove:]) @ axes[:, -remove:].T
    table = (vectors * weight[:, None])[vocabulary.source]
    table[vocabulary.words :] *= 0.5
    return np.ascontiguousarray(table, np.float32)


class Source:
    """One file of pairs, as feature ids: texts 3i, 3i+1, 3i+2 are a, b and the hard negative (may be empty)."""

    def __init__(self, vocabulary, name):
        cache = f'{WORK}/encoded.{name}.{len(vocabulary.names)}.npz'
        path = f'{WORK}/pairs.{name}.tsv'
        if os.path.exists(cache) and os.path.getmtime(cache) > os.path.getmtime(path):
            stored = np.load(cache)
            self.ids, self.starts, self.label = stored['ids'], stored['ptr'], stored['label']
        else:
            texts, labels, known = [], [], {}
            for row in open(path):
                cells = row.rstrip('\n').split('\t')
                cells += [''] * (4 - len(cells))
                texts += cells[:3]
                labels.append(known.setdefault(cells[3], len(known)) if cells[3] else -1)
            self.ids, self.starts = vocabulary.encode(texts)
            self.label = np.array(labels)
            np.savez(cache, ids=self.ids, ptr=self.starts, label=self.label)
        size = np.diff(self.starts).reshape(-1, 3)
        self.usable = np.flatnonzero((size[:, 0] > 0) & (size[:, 1] > 0))
        self.has_hard = size[:, 2] > 0

    def take(self, pick, column, rng, drop):
        """The bag of one column of some pairs; `drop` of the words weigh nothing."""
        first = self.starts[pick * 3 + column]
        size = np.minimum(self.starts[pick * 3 + column + 1] - first, 96)
        starts = np.concatenate([[0], np.cumsum(size)])
        features = self.ids[np.repeat(first - starts[:-1], size) + np.arange(starts[-1])]
        weights = (rng.random(starts[-1]) >= drop).astype(np.float32) if drop else np.ones(starts[-1], np.float32)
        marks = np.add.reduceat(
            np.append(features.astype(np.int64) * 2654435761 % 1000003, 0), np.minimum(starts[:-1], starts[-1])
        ) * (size > 0)
        return features, starts, weights, marks


def joined(parts):
    """Bags after each other as one."""
    base = np.concatenate([[0], np.cumsum([len(part[0]) for part in parts])])
    starts = np.concatenate([part[1][:-1] + base[number] for number, part in enumerate(parts)] + [base[-1:]])
    return (
        np.concatenate([part[0] for part in parts]),
        starts,
        np.concatenate([part[2] for part in parts]),
        np.concatenate([part[3] for part in parts]),
    )


@nb.njit
def gained(features, starts, weights, query, gain):
    """The weights, times each feature's gain in texts that are queries: query bool [texts], gain float32 [features]."""
    out = weights.copy()
    for text in range(len(starts) - 1):
        if query[text]:
            for at in range(starts[text], starts[text + 1]):
                out[at] *= gain[features[at]]
    return out


@nb.njit
def scatter_gain(features, starts, weights, query, sum_gradient, vectors, gain_gradient):
    """Adds to the gains' gradient [features]; sum_gradient float32 [texts, dimensions]."""
    for text in range(len(starts) - 1):
        if query[text]:
            for at in range(starts[text], starts[text + 1]):
                if weights[at] != 0:
                    product = np.float32(0)
                    for dimension in range(sum_gradient.shape[1]):
                        product += sum_gradient[text, dimension] * vectors[features[at], dimension]
                    gain_gradient[features[at]] += weights[at] * product


@nb.njit
def scatter(features, starts, weights, sum_gradient, gradient, touched, rows, count):
    """Adds to the table's gradient [features, dimensions]; returns how many of `rows` hold a feature that was touched."""
    for text in range(len(starts) - 1):
        for at in range(starts[text], starts[text + 1]):
            if weights[at] == 0:
                continue
            feature = features[at]
            if not touched[feature]:
                touched[feature] = True
                rows[count] = feature
                count += 1
                gradient[feature] = 0
            for dimension in range(sum_gradient.shape[1]):
                gradient[feature, dimension] += weights[at] * sum_gradient[text, dimension]
    return count


@nb.njit(fastmath=True)
def adam(vectors, gradient, momentum, squares, age, rows, touched, rate, beta):
    """Adam over the rows a batch touched. The second moment is not bias-corrected: a rare word moves
    further for each of its few examples, as its momentum would have carried it in dense Adam."""
    one = np.float32(1)
    for row in rows:
        touched[row] = False
        age[row] += 1
        correction = one - np.float32(beta ** age[row]) if beta > 0 else one
        for dimension in range(vectors.shape[1]):
            slope = gradient[row, dimension]
            momentum[row, dimension] = beta * momentum[row, dimension] + (one - beta) * slope
            squares[row, dimension] = np.float32(0.99) * squares[row, dimension] + np.float32(0.01) * slope * slope
            vectors[row, dimension] -= (
                rate * (momentum[row, dimension] / correction) / (np.sqrt(squares[row, dimension]) + np.float32(1e-8))
            )


class Table:
    def __init__(self, vectors, beta):
        # all like vectors, float32 [features, dimensions]
        self.vectors = vectors
        self.gradient, self.momentum, self.squares = (np.zeros_like(vectors) for _ in range(3))
        # the first `count` of `rows` are the features that this batch touched
        self.touched = np.zeros(len(vectors), np.bool_)
        self.rows = np.empty(len(vectors), np.int64)
        self.count = 0
        self.step = 0
        self.age = np.zeros(len(vectors), np.int64)  # batches that touched a feature
        self.beta = beta
        # what a feature weighs in a query, against 1 in a document [features]
        self.gain = np.ones(len(vectors), np.float32)
        self.gain_gradient, self.gain_momentum, self.gain_squares = (
            np.zeros(len(vectors), np.float32) for _ in range(3)
        )

    def forward(self, bag, query=None):
        """Unit vectors of texts, float32 [texts, dimensions], and what `backward` needs."""
        weights = bag[2] if query is None else gained(bag[0], bag[1], bag[2], query, self.gain)
        sums = bags(bag[0], bag[1], self.vectors, weights)
        size = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        return sums / size, (size, weights, query)

    def backward(self, bag, units, state, unit_gradient):
        """unit_gradient: of the loss by the unit vectors [texts, dimensions]."""
        size, weights, query = state
        sum_gradient = ((unit_gradient - (unit_gradient * units).sum(1, keepdims=True) * units) / size).astype(
            np.float32
        )
        self.count = scatter(bag[0], bag[1], weights, sum_gradient, self.gradient, self.touched, self.rows, self.count)
        if query is not None:
            scatter_gain(bag[0], bag[1], bag[2], query, sum_gradient, self.vectors, self.gain_gradient)

    def update(self, rate, gain_rate=0.0):
        self.step += 1
        adam(
            self.vectors,
            self.gradient,
            self.momentum,
            self.squares,
            self.age,
            self.rows[: self.count],
            self.touched,
            np.float32(rate),
            np.float32(self.beta),
        )
        if gain_rate:
            rows = self.rows[: self.count]
            slope = self.gain_gradient[rows]
            self.gain_momentum[rows] = 0.9 * self.gain_momentum[rows] + 0.1 * slope
            self.gain_squares[rows] = 0.99 * self.gain_squares[rows] + 0.01 * slope * slope
            move = (self.gain_momentum[rows] / (1 - 0.9**self.step)) / (
                np.sqrt(self.gain_squares[rows] / (1 - 0.99**self.step)) + 1e-8
            )
            self.gain[rows] = np.clip(self.gain[rows] - gain_rate * move, 0.05, 2.5)
        self.gain_gradient[:] = 0
        self.count = 0


def softmax(x):
    x = np.exp(x - x.max(1, keepdims=True))
    return x / x.sum(1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Evaluator:
    def __init__(self, vocabulary):
        self.development = Development()
        texts = list(dict.fromkeys(self.development.texts()))
        path = f'{WORK}/dev.tokens.txt'
        # Whatever there decides how a text is read: the tokens of an earlier state are made again.
        product = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../server/embed/builtin')
        changed = max(os.path.getmtime(f'{product}/{name}') for name in os.listdir(product) if not name.endswith('.bin'))
        if not os.path.exists(path) or os.path.getmtime(path) < changed:
            open(path, 'w').write('\n'.join(tokenize(texts, 'named')))
        self.tokens = dict(zip(texts, open(path).read().split('\n')))
        self.vocabulary = vocabulary

    def __call__(self, vectors, gain=None, name=FEATURES['nameWeight'], confidence=None, sides=(0, 1)):
        def encode(texts, kind):
            words = [self.tokens[text].split() for text in texts]
            features, starts = self.vocabulary.encode(
                [' '.join(token.lstrip('^') for token in tokens) for tokens in words], 500
            )
            weight = np.ones(len(features), np.float32)
            side = 0 if kind == 'query' else 1
            if side == 0 and gain is not None:
                weight = gain[features]
            out = bags(features, starts, vectors, weight)
            amounts = (
                np.zeros(len(texts))
                if confidence is None or side not in sides
                else confidence.amount(side, features, starts, weight)
            )
            if side == 0:
                # names weigh little in a query: what they add is taken away again, phrases of two names included
                known, rare = self.vocabulary.index, FEATURES['rareWord']

                def name_of(tokens, at):
                    if tokens[at][0] != '^':
                        return False
                    in_a_row = (at > 0 and tokens[at - 1][0] == '^') or (
                        at + 1 < len(tokens) and tokens[at + 1][0] == '^'
                    )
                    return in_a_row or known.get(tokens[at][1:], rare) >= rare

                names = [[tokens[i][1:] for i in range(len(tokens)) if name_of(tokens, i)] for tokens in words]
                names = [
                    ' '.join(name_words) if len(name_words) <= FEATURES['mostNames'] * len(tokens) else ''
                    for name_words, tokens in zip(names, words)
                ]
                features, starts = self.vocabulary.encode(names, 500)
                weight = np.ones(len(features), np.float32) if gain is None else gain[features]
                out -= (1 - name) * bags(features, starts, vectors, weight)
                if amounts.any():
                    amounts -= (1 - name) * (confidence.amount(0, features, starts, weight) - confidence.base[0])
            more = np.zeros((len(texts), 2))
            more[:, side] = amounts
            return unit(np.c_[out, more])

        return self.development.measure(encode)


def main():
    options = arguments()
    rng = np.random.default_rng(options.seed)
    began = time.time()
    vocabulary = Vocabulary(options.words)
    mix = {
        name: float(amount)
        for name, amount in (entry.split(':') for entry in f'{options.mix},{options.more}'.strip(',').split(','))
    }
    sources = {name: Source(vocabulary, name) for name in mix}
    names = list(mix)
    share = np.array([mix[name] for name in names])
    share /= share.sum()
    table = Table(start(vocabulary, options.sif, options.remove), options.beta)
    evaluate = Evaluator(vocabulary)
    print(
        'load',
        round(time.time() - began, 1),
        {name: len(source.usable) for name, source in sources.items()},
        flush=True,
    )
    print(HEAD)
    trained_from, losses = time.time(), []
    teach = None
    if options.teach:
        parts = sorted(glob.glob(f'{WORK}/teach.*.npy'))
        features, starts = vocabulary.encode(
            [text for part in parts for text in open(part.replace('.npy', '.txt')).read().split('\n')]
        )
        teach = (features, starts, np.concatenate([np.load(part) for part in parts]))
        alike = np.load(f'{WORK}/likeness.npy') if options.group else None
        print('taught', len(teach[2]))
    for step in range(options.steps):
        rate = options.lr * min(1, (step + 1) / 100) * max(0.02, 1 - step / options.steps)
        parts, labels, hard, polar, asks = [[], [], []], [], [], [], []
        for _ in range(2):
            chosen = int(rng.choice(len(names), p=share))
            source = sources[names[chosen]]
            pick = rng.choice(
                source.usable,
                min(options.batch // 2, len(source.usable)),
                replace=len(source.usable) > 50 * options.batch,
            )
            for column in range(3):
                parts[column].append(source.take(pick, column, rng, options.drop))
            labels.append(np.where(source.label[pick] >= 0, source.label[pick] + 1_000_000 * (chosen + 1), -1))
            hard.append(source.has_hard[pick])
            asks.append(np.full(len(pick), names[chosen] in QUERY_LIKE))
            polar.append(
                source.has_hard[pick] & (names[chosen] in ('opinion', 'phrase', 'aspect', 'nli', 'opposite', 'hollow'))
            )
        first, second, negative = (joined(part) for part in parts)
        # of each pair of the batch: its label (-1 none), whether it has a hard negative, and one of the opposite tone [batch]
        label, hard, polar = np.concatenate(labels), np.concatenate(hard), np.concatenate(polar)
        batch_size = len(label)
        first_units, first_state = table.forward(first, np.concatenate(asks) if options.gain else None)
        second_units, second_state = table.forward(second)
        hard_units, hard_state = table.forward(negative)
        # [batch, batch]: first texts by second texts; `same` are no negatives of each other
        cosines = first_units @ second_units.T
        same = (
            (first[3][:, None] == first[3])
            | (second[3][:, None] == second[3])
            | ((label[:, None] == label) & (label[:, None] >= 0))
        )
        np.fill_diagonal(same, False)
        logits = np.where(same, -1e4, cosines / options.tau).astype(np.float32)
        hard_cosines = (first_units * hard_units).sum(1)
        # [batch, batch + 1]: the hard negative is one more column
        logits_with_hard = np.concatenate(
            [logits, np.where(hard, hard_cosines / options.tau, -1e4)[:, None].astype(np.float32)], 1
        )
        by_first, by_second = softmax(logits_with_hard), softmax(logits.T).T
        losses.append(-np.log(by_first[np.arange(batch_size), np.arange(batch_size)] + 1e-9).mean())
        cosine_gradient = (by_first[:, :batch_size] + by_second) / (2 * batch_size * options.tau)
        cosine_gradient[np.arange(batch_size), np.arange(batch_size)] -= 1 / (batch_size * options.tau)
        hard_gradient = by_first[:, batch_size] / (2 * batch_size * options.tau)
        if options.margin and polar.any():
            push = (
                sigmoid((hard_cosines - cosines[np.arange(batch_size), np.arange(batch_size)] + 0.1) / 0.1)
                / 0.1
                * polar
                * (options.margin / batch_size)
            )
            hard_gradient = hard_gradient + push
            cosine_gradient[np.arange(batch_size), np.arange(batch_size)] -= push
        hard_gradient = (hard_gradient * hard).astype(np.float32)[:, None]
        cosine_gradient = cosine_gradient.astype(np.float32)
        table.backward(first, first_units, first_state, cosine_gradient @ second_units + hard_gradient * hard_units)
        table.backward(second, second_units, second_state, cosine_gradient.T @ first_units)
        if hard.any():
            table.backward(negative, hard_units, hard_state, hard_gradient * first_units)
        if teach is not None:
            features, starts, taught = teach
            taken = 512
            if options.group:
                pick = alike[
                    (
                        rng.integers(0, len(taught) - options.group, taken // options.group)[:, None]
                        + np.arange(options.group)
                    ).ravel()
                ]
            else:
                pick = rng.integers(0, len(taught) - taken) + np.arange(taken)
            size = starts[pick + 1] - starts[pick]
            part = np.concatenate([[0], np.cumsum(size)])
            bag = (
                features[np.repeat(starts[pick] - part[:-1], size) + np.arange(part[-1])],
                part,
                np.ones(part[-1], np.float32),
            )
            units, state = table.forward(bag)
            # [taken, taken]: the teacher's cosines
            target = taught[pick].astype(np.float32)
            target = target @ target.T
            difference = units @ units.T - target
            np.fill_diagonal(difference, 0)
            if options.near:
                difference *= 1 + options.near * np.maximum(target, 0)
            table.backward(bag, units, state, (4 * options.teach / taken) * difference @ units)
        table.update(rate, options.gain * rate / options.lr)
        if (options.eval and step % options.eval == options.eval - 1) or step == options.steps - 1:
            print(
                line(f'{options.name}@{step + 1} {np.mean(losses[-200:]):.3f}', evaluate(table.vectors, table.gain)),
                round(time.time() - trained_from),
                flush=True,
            )
    np.save(f'{WORK}/model.{options.name}.npy', table.vectors)
    np.save(f'{WORK}/gain.{options.name}.npy', table.gain)
    json.dump(vars(options), open(f'{WORK}/model.{options.name}.json', 'w'))


if __name__ == '__main__':
    main()
