"""Counts tokens, chooses words, phrases and negated words, and writes the token stream for skip-gram training.

Reads reviews.*.tsv and pairs.*.tsv (tokenised) from the work folder; writes names.txt (one feature a line: words by
falling frequency, then `a_b` phrases), counts.npy, ids.bin, cnt.bin.
"""

import collections
import glob
import sys

import numba as nb
import numpy as np

from features import NEGATORS, SCOPE, SCOPE_ENDS, WORK
from kept_out import FILES, teaching_title

STREAM_WORDS = 110_000  # words that get a skip-gram vector; the rarer ones teach the subword buckets
PHRASES = 7_000
NEGATED = 3_000
STOP = set(
    "the a an and or of to in on at for with is was are were be been it its this that these those i we you he she "
    "they my our your his her their me us him them as by from but if so do did does have has had not no very will would "
    "can could there here what which who when how all just also than then too am s t".split()
)


def texts():
    for path in sorted(glob.glob(f'{WORK}/reviews.*.tsv')):
        for line in open(path):
            p = line.rstrip('\n').split('\t')
            if p[0] not in FILES:
                yield teaching_title(p[0], p[3]) + ' ' + ' '.join(s.split('\x01', 1)[0] for s in p[4:])
    for path in sorted(glob.glob(f'{WORK}/pairs.*.tsv')):
        if path.endswith('syn.tsv'):
            continue
        for line in open(path):
            yield ' '.join(line.rstrip('\n').split('\t')[:2])


@nb.njit
def pair_keys(stream, may_pair, size):
    """`first * size + second` of words that follow each other, int64; may_pair bool [words]."""
    keys = np.empty(len(stream), np.int64)
    used = 0
    for at in range(len(stream) - 1):
        first, second = stream[at], stream[at + 1]
        if first >= 0 and second >= 0 and first < 40000 and second < 40000 and may_pair[first] and may_pair[second]:
            keys[used] = np.int64(first) * size + second
            used += 1
    return keys[:used]


@nb.njit
def negated_counts(stream, negator, ends_scope, size):
    """How often each word stands in a negation's scope, int64 [words]."""
    counts = np.zeros(size, np.int64)
    scope_left = 0
    for word in stream:
        if word < 0:
            scope_left = 0 if word == -1 else scope_left - 1
            continue
        if negator[word]:
            scope_left = SCOPE
            continue
        if ends_scope[word]:
            scope_left = 0
        if scope_left > 0:
            counts[word] += 1
            scope_left -= 1
    return counts


@nb.njit
def merge(stream, keys, values, size, negator, ends_scope, negated, share, seed):
    """Replaces phrases, and words in a negation's scope, by their own token in `share` of the places."""
    np.random.seed(seed)
    out = np.empty(len(stream), np.int32)
    used = 0
    at = 0
    scope_left = 0
    while at < len(stream):
        word = stream[at]
        if word < 0:
            scope_left = 0 if word == -1 else scope_left - 1
        elif at + 1 < len(stream) and stream[at + 1] >= 0:
            key = np.int64(word) * size + stream[at + 1]
            place = np.searchsorted(keys, key)
            if place < len(keys) and keys[place] == key and np.random.random() < share:
                out[used] = values[place]
                used += 1
                at += 2
                scope_left = SCOPE if negator[word] else max(0, scope_left - 2)
                continue
        if word >= 0:
            if negator[word]:
                scope_left = SCOPE
            else:
                if ends_scope[word]:
                    scope_left = 0
                if scope_left > 0:
                    scope_left -= 1
                    if negated[word] >= 0 and np.random.random() < share:
                        word = negated[word]
        out[used] = word
        used += 1
        at += 1
    return out[:used]


def main():
    count = collections.Counter()
    for text in texts():
        count.update(text.split())
    words = [w for w, times in count.most_common(STREAM_WORDS) if times >= 4 and '_' not in w]
    index = {w: i for i, w in enumerate(words)}
    size = len(words)
    print('tokens', sum(count.values()) / 1e6, 'M, types', len(count), 'words', size, flush=True)
    parts = []
    number_of = index.get
    for text in texts():
        parts.append(np.array([number_of(w, -2) for w in text.split()] + [-1], np.int32))
    # word ids of all texts after each other, int32: -1 ends a text, -2 is a word without a number
    stream = np.concatenate(parts)
    del parts
    # [words]
    word_counts = np.array([count[w] for w in words], np.float64)
    total = word_counts.sum()

    def flags(names):
        f = np.zeros(size, np.bool_)
        f[[index[w] for w in names if w in index]] = True
        return f

    negator, ends_scope = flags(NEGATORS), flags(SCOPE_ENDS)
    may_pair = np.array([(w not in STOP and w.isalpha()) or w in ('not', 'no', 'never', 'without') for w in words])
    # of each pair of words that follow each other: `first * size + second`, and how often [pairs]
    keys, pair_counts = np.unique(pair_keys(stream, may_pair, size), return_counts=True)
    keys, pair_counts = keys[pair_counts >= 120], pair_counts[pair_counts >= 120]
    first, second = keys // size, keys % size
    pmi = np.log(pair_counts * total / (word_counts[first] * word_counts[second]))
    npmi = pmi / -np.log(pair_counts / total)
    is_negation = first == index['not']
    score = np.where((npmi > 0.33) & ~is_negation, pair_counts * np.clip(pmi, 0.1, None), 0)
    order = np.argsort(-score)[:PHRASES]
    order = order[score[order] > 0]
    negated_count = negated_counts(stream, negator, ends_scope, size)
    may_negate = np.array([w.isalpha() and len(w) > 2 and w not in STOP for w in words])
    negated_words = np.argsort(-np.where(may_negate, negated_count, 0))[:NEGATED]
    phrases = [(words[first[i]], words[second[i]]) for i in order]
    print('phrases', len(phrases), phrases[:20], phrases[-20:])
    print('negated', [words[i] for i in negated_words[:40]], negated_count[negated_words[-1]])
    names = (
        words
        + [f'{first_word}_{second_word}' for first_word, second_word in phrases]
        + [f'not_{words[i]}' for i in negated_words]
    )
    # phrases, then negated words: key -> feature [phrases + negated]
    merged_keys = np.concatenate([keys[order], index['not'] * size + negated_words.astype(np.int64)])
    merged_ids = np.arange(size, len(names), dtype=np.int32)
    by_key = np.argsort(merged_keys)
    negated = np.full(size, -1, np.int32)
    negated[negated_words] = np.arange(size + len(phrases), len(names))
    # feature ids of all texts, int32, as the stream
    out = merge(stream, merged_keys[by_key], merged_ids[by_key], size, negator, ends_scope, negated, 0.5, 1)
    feature_counts = np.maximum(np.bincount(out[out >= 0], minlength=len(names)), 1).astype(np.int64)
    out.tofile(f'{WORK}/ids.bin')
    feature_counts.tofile(f'{WORK}/cnt.bin')
    np.save(f'{WORK}/counts.npy', np.concatenate([word_counts, pair_counts[order], negated_count[negated_words]]))
    open(f'{WORK}/names.txt', 'w').write('\n'.join(names))
    print(
        'features', len(names), 'stream', len(out), 'covered by 36k', word_counts[:36000].sum() / total, file=sys.stderr
    )


main()
