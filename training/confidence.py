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
    """The mean of runs: vectors float32 [features, dimensions], gains float32 [features]."""
    runs = [(np.load(f'{WORK}/model.{model}.npy'), np.load(f'{WORK}/gain.{model}.npy')) for model in models]
    vectors = sum(table / np.sqrt((table * table).sum(1).mean()) for table, _ in runs) / len(runs)
    return (vectors / np.sqrt((vectors * vectors).sum(1).mean())).astype(np.float32), (
        sum(weights for _, weights in runs) / len(runs)
    ).astype(np.float32)


def stretched(table, vocabulary, amount, pairs=40_000, directions=2, least=0.1):
    """Lengthens the two directions in which praise and blame of the same thing differ and two praises do not.

    Each row gets `amount` times its part along them once more, less what every word has: `least` of the row's length.
    So words that tell the tone move and "room" and "menu" stay, and questions that ask for neither lose less.
    """
    source, rng = Source(vocabulary, 'opinion'), np.random.default_rng(0)
    pick = rng.choice(source.usable, pairs)
    pick = pick[source.has_hard[pick]]
    vectors = []
    for column in range(3):
        features, starts, weights, _ = source.take(pick, column, rng, 0)
        vectors.append(unit(bags(features, starts, table, weights)))
    told, alike, opposite = vectors
    tone, rest = alike - opposite, told - alike
    _, axes = np.linalg.eigh((tone.T @ tone - rest.T @ rest) / len(pick))
    tone_axes = axes[:, -directions:].astype(np.float32)
    along = table @ tone_axes
    size = np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    along *= np.maximum(1 - least * np.linalg.norm(table, axis=1) / size, 0)[:, None]
    return (table + amount * along @ tone_axes.T).astype(np.float32)


class Confidence:
    def __init__(self, size):
        # what each feature adds in a query and in a document [2, features], and the constant [2]
        self.amounts = np.full((2, size), 0.05, np.float32)
        self.base = np.array([0.5, 0.5], np.float32)

    def amount(self, side, features, starts, weights):
        """Of each text, float32 [texts]. side: 0 for queries, 1 for documents."""
        total = np.add.reduceat(
            np.append(self.amounts[side][features] * weights, 0), np.minimum(starts[:-1], len(features))
        ) * (np.diff(starts) > 0)
        return total + self.base[side]


def shrink(size, amount):
    return size / np.sqrt(size**2 + amount**2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--models', required=True)
    parser.add_argument('--words', type=int, default=36000)
    parser.add_argument('--steps', type=int, default=500)
    parser.add_argument('--rate', type=float, default=0.02)
    parser.add_argument('--outside', type=float, default=0.5)
    parser.add_argument('--centre', type=float, default=0.45)
    parser.add_argument('--tone', type=float, default=0.55)
    options = parser.parse_args()
    rng = np.random.default_rng(7)
    vocabulary = Vocabulary(options.words)
    vectors, gain = blend(options.models.split(','))
    sources = {source_name: Source(vocabulary, source_name) for source_name in (*PAIRS, *OUTSIDE, 'next')}
    names, share = list(PAIRS), np.array(list(PAIRS.values()))
    share = share / share.sum()
    confidence = Confidence(len(vectors))
    # of Adam, for the amounts and for the base
    momentum = [np.zeros_like(confidence.amounts), np.zeros(2)]
    squares = [np.zeros_like(confidence.amounts), np.zeros(2)]
    evaluate = Evaluator(vocabulary)
    print(HEAD)
    print(line('mean', evaluate(vectors, gain)), flush=True)
    vectors = stretched(vectors, vocabulary, options.tone)
    print(line('tone', evaluate(vectors, gain)), flush=True)
    losses = []
    for step in range(options.steps):
        batch = 384
        source = sources[names[int(rng.choice(len(names), p=share))]]
        pick = rng.choice(source.usable, batch)
        first, second = source.take(pick, 0, rng, 0), source.take(pick, 1, rng, 0)
        other = sources[OUTSIDE[rng.integers(3)]]
        foreign = other.take(rng.choice(other.usable, batch // 2), 0, rng, 0)
        far = sources['next']
        far_text = far.take(rng.choice(far.usable, batch // 2), 0, rng, 0)
        labels = source.label[pick]
        amount_gradient = [np.zeros_like(confidence.amounts[0]), np.zeros_like(confidence.amounts[0])]
        base_gradient = np.zeros(2)
        total = 0
        for query, docs, outside in ((first, second, False), (foreign, far_text, True)):
            query_weights = gained(query[0], query[1], query[2], np.ones(len(query[1]) - 1, np.bool_), gain)
            # sums [texts, dimensions]; lengths, amounts and shrink [texts]
            query_sums = bags(query[0], query[1], vectors, query_weights)
            document_sums = bags(docs[0], docs[1], vectors, docs[2])
            query_lengths = np.linalg.norm(query_sums, axis=1)
            document_lengths = np.linalg.norm(document_sums, axis=1)
            query_amounts = confidence.amount(0, query[0], query[1], query_weights)
            document_amounts = confidence.amount(1, docs[0], docs[1], docs[2])
            query_shrink = shrink(query_lengths, query_amounts)
            document_shrink = shrink(document_lengths, document_amounts)
            # from here on [queries, documents]
            cosines = unit(query_sums) @ unit(document_sums).T
            logits = (cosines * query_shrink[:, None] * document_shrink - options.centre) / 0.07
            target = np.zeros_like(logits) if outside else np.eye(len(logits), dtype=np.float32)
            loss_weight = (
                np.full_like(logits, options.outside / logits.size * 20)
                if outside
                else np.full_like(logits, 6 / logits.size)
            )
            if not outside:
                same = (
                    (query[3][:, None] == query[3])
                    | (docs[3][:, None] == docs[3])
                    | ((labels[:, None] == labels) & (labels[:, None] >= 0))
                )
                loss_weight[same] = 0
                loss_weight[np.arange(len(logits)), np.arange(len(logits))] = 1 / len(logits)
            predicted = sigmoid(logits)
            total += -(
                loss_weight * (target * np.log(predicted + 1e-9) + (1 - target) * np.log(1 - predicted + 1e-9))
            ).sum()
            cosine_gradient = loss_weight * (predicted - target) * cosines / 0.07
            to_query = (cosine_gradient * document_shrink).sum(1)
            to_document = (cosine_gradient * query_shrink[:, None]).sum(0)
            for side, texts, lengths, amounts, shrink_gradient, weights in (
                (0, query, query_lengths, query_amounts, to_query, query_weights),
                (1, docs, document_lengths, document_amounts, to_document, docs[2]),
            ):
                slope = shrink_gradient * (-lengths * amounts / np.maximum(lengths**2 + amounts**2, 1e-9) ** 1.5)
                np.add.at(amount_gradient[side], texts[0], np.repeat(slope, np.diff(texts[1])) * weights)
                base_gradient[side] += slope.sum()
        losses.append(total)
        rate = options.rate * (1 - step / options.steps)
        for number, (parameter, gradient) in enumerate(
            ((confidence.amounts, np.stack(amount_gradient)), (confidence.base, base_gradient))
        ):
            momentum[number] = 0.9 * momentum[number] + 0.1 * gradient
            squares[number] = 0.99 * squares[number] + 0.01 * gradient**2
            parameter -= (
                rate
                * (momentum[number] / (1 - 0.9 ** (step + 1)))
                / (np.sqrt(squares[number] / (1 - 0.99 ** (step + 1))) + 1e-8)
            ).astype(np.float32)
            np.maximum(parameter, 0, out=parameter)
        if step % 100 == 99:
            print(
                step + 1,
                round(float(np.mean(losses[-100:])), 4),
                confidence.base,
                confidence.amounts.mean(1),
                flush=True,
            )
    figures = evaluate(vectors, gain, confidence=confidence)
    print(line('with', figures), flush=True)
    print(line('query only', evaluate(vectors, gain, confidence=confidence, sides=(0,))), flush=True)
    # precision weighs above recall: an empty list beats an irrelevant one
    np.savez(
        f'{WORK}/blend.npz',
        E=vectors,
        gain=gain,
        u=confidence.amounts,
        base=confidence.base,
        threshold=round(figures['f0.5']['t'], 3),
    )


if __name__ == '__main__':
    main()
