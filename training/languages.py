"""Words of German, French, Spanish, Italian, Dutch and Portuguese as short lists of English features with weights.

A static model needs only its words aligned. Which English words a word stands for comes from parallel sentences, wordnets
and dictionaries together (expectation maximisation over word pairs, IBM model 1: Brown et al. 1993), for its form and its
lemma; what each of them weighs is then learned so that sentences come to lie where their translations lie (InfoNCE against
other sentences of a batch, most of them near). Nothing of English moves: the file stands beside embedding.bin and is made
for it.

Reads PULLQUOTE_LANGUAGES (see training/README.md); writes server/embed/builtin/languages.bin.
"""

import argparse
import collections
import csv
import os
import re
import struct
import subprocess

import numpy as np
import scipy.sparse as sp
import simplemma
from wordfreq import top_n_list, zipf_frequency

from dictionaries import lexicon, wiktionary, with_pronouns, wordnet
from everyday import everyday
from features import FEATURES, HERE, NEGATORS, SCOPE, SCOPE_ENDS, shipped, unit

DATA = os.environ.get('PULLQUOTE_LANGUAGES', '')
OUT = shipped('server/embed/builtin/languages.bin')
VERSION = 1
APPROXIMATE = 32  # bit of an entry's head: it is near to its features and none of them (rare_translations.py)
LANGUAGES = {'de': 'deu', 'fr': 'fra', 'es': 'spa', 'it': 'ita', 'nl': 'nld', 'pt': 'por'}
FORMS = 55_000  # a language
TAUGHT = 1.0  # a form of the parallel sentences counts as ten times as frequent
MOST_FEATURES = 5  # an entry before the training
# what an entry has at most after it, by how often the form is said (Zipf's scale)
MOST_KEPT = ((4.5, 12), (4, 8), (3.3, 6), (0, 4))
LEAST_KEPT = 0.06  # weight
SPOKEN = 4.0  # Zipf: forms from here on get more candidates
REPEATED = 10  # how often a sentence of another source counts against one of Tatoeba's many short ones
HELD = 500  # Tatoeba sentences a language that are never trained on
# Words that turn what follows, and words that end it, by the English word whose part they play.
TURNS = {
    'de': 'nicht=not kein=no keine=no keinen=no keiner=no keinem=no keines=no nie=never niemals=never ohne=without '
    'nichts=nothing niemand=nobody weder=neither kaum=hardly | aber=but jedoch=however obwohl=although weil=because nur=only',
    'fr': 'pas=not jamais=never aucun=no aucune=no rien=nothing sans=without ni=nor guere=hardly | mais=but cependant=however '
    'parce=because seulement=only quoique=although',
    'es': 'no=not nunca=never jamas=never ningun=no ninguna=no ninguno=none nada=nothing nadie=nobody sin=without ni=nor '
    'apenas=hardly tampoco=neither | pero=but aunque=although porque=because solo=only',
    'it': 'non=not mai=never nessun=no nessuno=nobody nessuna=no niente=nothing nulla=nothing senza=without | ma=but pero=but '
    'perche=because solo=only soltanto=only sebbene=although',
    'nl': 'niet=not geen=no nooit=never niets=nothing niks=nothing niemand=nobody zonder=without nauwelijks=hardly amper=hardly '
    'noch=nor | maar=but echter=however hoewel=although omdat=because alleen=only',
    'pt': 'nao=not nunca=never jamais=never nenhum=no nenhuma=no nada=nothing ninguem=nobody sem=without nem=nor | mas=but '
    'porem=however embora=although porque=because apenas=only',
}
# The sentiment model reads the foremost word of an entry, in the order of the text: "loud room" is a complaint to it, "noisy
# room" hardly one, "room loud" and "room noisy" neither.
LEADS = {'de': [('loud', 'noisy')], 'nl': [('loud', 'noisy')]}
MOST_WORDS = FEATURES['longestPhrase']
# endings that an adjective or a noun of our own list takes, by what it ends in
ENDINGS = {
    'de': {'': ['e', 'en', 'er', 'es', 'em', 's', 'n']},
    'nl': {'': ['e', 'en', 's']},
    'fr': {'': ['e', 's', 'es']},
    'es': {'o': ['a', 'os', 'as'], '': ['s', 'es']},
    'pt': {'o': ['a', 'os', 'as'], '': ['s', 'es']},
    'it': {'o': ['a', 'i', 'e'], 'a': ['e'], 'e': ['i']},
}
OURS = 0.8  # share of our own list in an entry that it has
# what stands beside a negation in French says nothing by itself
SILENT = {'fr': ['ne'], 'de': [], 'es': [], 'it': [], 'nl': [], 'pt': []}


def tokens(texts, mode):
    rows = '\n'.join(re.sub(r'\s+', ' ', t) for t in texts) + '\n'
    run = subprocess.run(
        ['node', '--import', 'tsx', 'training/tokenize.ts', mode],
        input=rows.encode(),
        stdout=subprocess.PIPE,
        cwd=os.path.join(HERE, '..'),
        check=True,
    )
    return run.stdout.decode().split('\n')[: len(texts)]


class English:
    """The shipped table: its words, phrases and rows."""

    def __init__(self, path):
        raw = open(path, 'rb').read()
        _, dims, words, phrases, size = struct.unpack_from('<5I', raw, 4)
        at = 4 + 5 * 4 + 7 * 8
        self.words = raw[at : at + size].decode().split('\n')
        at += size
        at += -at % 4
        self.pairs = np.frombuffer(raw, np.uint16, phrases * 2, at).reshape(-1, 2)
        at += phrases * 4
        n = words + phrases
        at += 3 * n
        at += -at % 4
        scale = np.frombuffer(raw, np.float32, n, at)
        self.vectors = np.frombuffer(raw, np.int8, n * dims, at + 4 * n).reshape(n, dims) * scale[:, None]
        self.index = {w: i for i, w in enumerate(self.words)}
        self.negated = {int(b): words + i for i, (a, b) in enumerate(self.pairs) if self.words[a] == 'not'}
        self.phrase = {(int(a), int(b)): words + i for i, (a, b) in enumerate(self.pairs)}

    def features(self, text):
        """Feature ids of a tokenised text, as server/embed/builtin/model.ts finds them."""
        features, previous, scope_left = [], -1, 0
        for word in text.split():
            number = self.index.get(word, -1)
            if number < 0:
                scope_left, previous = max(0, scope_left - 1), -1
                continue
            features.append(number)
            pair = self.phrase.get((previous, number), -1)
            if pair >= 0:
                features.append(pair)
            if word in NEGATORS:
                scope_left = SCOPE
            else:
                if word in SCOPE_ENDS:
                    scope_left = 0
                if scope_left:
                    scope_left -= 1
                    if pair < 0 and number in self.negated:
                        features.append(self.negated[number])
            previous = number
        return features

    def sentences(self, texts):
        rows = [self.features(text) for text in texts]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        features = np.concatenate([np.array(row, int) for row in rows]) if len(rows) else np.zeros(0, int)
        return sp.csr_matrix((np.ones(len(features), np.float32), features, starts), (len(rows), len(self.vectors)))


def ours(code):
    """Our own list (review-words.txt): tokens of a word or phrase, joined by _, -> English words."""
    out = collections.defaultdict(list)
    at = 1 + list(LANGUAGES).index(code)
    for line in open(os.path.join(HERE, 'review-words.txt'), encoding='utf8'):
        if not line.startswith('#'):
            cells = [c.strip() for c in line.strip().split(' = ')]
            for word in cells[at].split(', '):
                out[word].append(cells[0])
    folded = tokens(list(out), 'foreign')
    return {
        f.replace(' ', '_'): (word, [e for row in rows for e in row.split()])
        for f, (word, rows) in zip(folded, out.items())
        if f and f.count(' ') < MOST_WORDS
    }


def merged(words, phrases):
    """Words in a row that are one entry as one token, the longest first; as server/embed/builtin/languages.ts does."""
    out, i = [], 0
    while i < len(words):
        for n in range(MOST_WORDS, 0, -1):
            key = '_'.join(words[i : i + n])
            if n == 1 or (i + n <= len(words) and key in phrases):
                out.append(key)
                i += n
                break
    return out


def parallel(code, gloss):
    """(how often it counts, foreign, English) tokens for training, and sentences never trained on: of the STS test split and
    of Tatoeba. The STS development split is left out as well: choices are made on it.

    @param gloss Dutch sentences -> each in English word by word
    """

    def sts(lang, split):
        return [
            row[i]
            for row in csv.reader(open(f'{DATA}/stsb-multi-mt/data/stsb-{lang}-{split}.csv', encoding='utf8'))
            for i in (0, 1)
        ]

    def lines(path):
        return open(f'{DATA}/{path}', encoding='utf8').read().split('\n')

    name = LANGUAGES[code]
    test = list(zip(sts(code, 'test'), sts('en', 'test')))
    laser = list(
        dict.fromkeys(p for p in zip(*(lines(f'laser/tatoeba.{name}-eng.{x}')[:1000] for x in (name, 'eng'))) if all(p))
    )
    train = [(REPEATED, *p) for p in [*zip(sts(code, 'train'), sts('en', 'train')), *laser[HELD:]]]
    for other in (name, *{'es': ['spa-MX'], 'pt': ['por-BR']}.get(code, [])):
        train += [(REPEATED, *p) for p in zip(lines(f'ntrex/{other}.txt'), lines('ntrex/eng.txt')) if all(p)]
    train += everyday(code, gloss)
    never = [*test, *zip(sts(code, 'dev'), sts('en', 'dev')), *laser[:HELD]]
    left = tokens([a for a, _ in never] + [a for _, a, _ in train], 'foreign')
    right = tokens([b for _, b in never] + [b for *_, b in train], 'columns')
    held_left, held_right = set(left[: len(never)]), set(right[: len(never)])
    rows = {}
    for (often, *_), a, b in zip(train, left[len(never) :], right[len(never) :]):
        if a and b and a not in held_left and b not in held_right:
            rows.setdefault((a, b), often)
    first_held = [(b, a) for a, b in list({b: a for a, b in test}.items())[:HELD]]
    return [(often, a.split(), b.split()) for (a, b), often in rows.items()], first_held, laser[:HELD]


def model1(pairs, weight, foreign_size, english_size, rounds=7):
    """EM over (foreign ids, English ids) sentences; foreign id 0 is nobody. Expected counts as a sparse matrix."""
    foreign_ids, english_ids, slots, pair_weights = [], [], [], []
    slot = 0
    for (foreign, english), sentence_weight in zip(pairs, weight):
        foreign = [0, *foreign]
        for word in english:
            foreign_ids += foreign
            english_ids += [word] * len(foreign)
            slots += [slot] * len(foreign)
            pair_weights.append(sentence_weight)
            slot += 1
    foreign_ids, english_ids, slots, pair_weights = (
        np.array(foreign_ids),
        np.array(english_ids),
        np.array(slots),
        np.array(pair_weights),
    )
    # key: each pair of words that meet, [pairs]; pair: which of them each link is, [links]
    key, pair = np.unique(foreign_ids.astype(np.int64) * english_size + english_ids, return_inverse=True)
    foreign_of = key // english_size
    probability = np.ones(len(key))
    probability[foreign_of == 0] = 0.3
    for _ in range(rounds):
        of_link = probability[pair]
        of_slot = np.bincount(slots, of_link)
        expected = np.bincount(pair, of_link / of_slot[slots] * pair_weights[slots], len(key))
        total = np.bincount(foreign_of, expected, foreign_size)
        probability = expected / (total[foreign_of] + 0.05)
    return sp.csr_matrix((expected, (foreign_of, key % english_size)), (foreign_size, english_size))


def domain(english):
    """How much more a word is said in reviews than elsewhere: "camera" is a room before it is a house of parliament."""
    # the table stands by falling frequency in reviews; Zipf's law gives the rest
    ours = FEATURES['mostFrequent'] - np.log10(np.arange(len(english.words)) + 1)
    theirs = np.array([max(zipf_frequency(word, 'en'), 2) for word in english.words])
    return np.clip(10 ** (0.5 * (ours - theirs)), 0.2, 2)


def coherent(best, score, english, least=0.3):
    """Without what has nothing to do with the rest: chance meetings in the parallel sentences."""
    if len(best) < 2:
        return best
    vectors = unit(english.vectors[best])
    mean = unit((vectors * np.array([score[feature] for feature in best])[:, None]).sum(0))
    near = vectors @ mean
    return [feature for feature, cosine in zip(best, near) if cosine >= least or feature == best[0]][:MOST_FEATURES]


def candidates(code, english, synsets, gloss):
    """Form -> [(English word id, share)] and further words that the training may weigh, and the parallel sentences."""
    pairs, *held = parallel(code, gloss)
    own = ours(code)
    phrases = {k for k in own if '_' in k}
    often = [n for n, _, _ in pairs]
    foreign = [merged(a, phrases) for _, a, _ in pairs]
    native = [b for *_, b in pairs]
    forms = [w for w in top_n_list(code, 150_000, 'large') if re.fullmatch(r"[^\W\d_]+(['’-]?[^\W\d_]+)*", w)]
    typed = dict(zip(forms, tokens(forms, 'foreign')))
    # an accent-free form stands for what is written most
    lemma_of, zipf = {}, collections.Counter()
    for w in forms:
        t = typed[w]
        if not t or ' ' in t:
            continue
        zipf[t] = max(zipf[t], zipf_frequency(w, code, 'large'))
        if t not in lemma_of:
            lemma_of[t] = simplemma.lemmatize(w, lang=code)
    fold = dict(zip(lemma_of.values(), tokens(list(lemma_of.values()), 'foreign')))
    lemma = {t: (fold[x] or t).split()[0] for t, x in lemma_of.items()}
    by_lemma = collections.defaultdict(list)
    for t, x in lemma.items():
        by_lemma[x].append(t)
    told = told_forms(code, own, zipf, lemma, by_lemma)
    joined = with_pronouns(code, lemma, by_lemma, lambda w: zipf.get(w, 0) >= 2.5)

    def roots(w):
        verb, pronouns = joined.get(w, (w, ()))
        return ['=' + lemma.get(x, x) for x in (verb, *pronouns)]

    vocabulary, ne = english.index, len(english.words)
    ids = {}
    number = lambda w: ids.setdefault(w, len(ids) + 1)
    sentences, lemmas, weight = [], [], []

    def add(f, e, w):
        sentences.append(([number(x) for x in f], e))
        lemmas.append(([number(r) for x in f for r in roots(x)], e))
        weight.append(w)

    for f, e in zip(foreign, native):
        e = [vocabulary[w] for w in e if w in vocabulary][:40]
        if f and e and len(f) <= 40:
            add(f, e, 1.0)
    words = len(weight)
    for parts, e, w in translations(code, synsets, vocabulary):
        add(parts, e, w)
    words = len(weight) - words
    nf = len(ids) + 1
    C = model1(sentences, weight, nf, ne)
    D = model1(lemmas, weight, nf, ne)
    column = np.asarray(C.sum(0)).ravel() + np.asarray(D.sum(0)).ravel()
    prior = domain(english)
    seen = collections.Counter(x for f in foreign for x in f)
    out = {}
    for w in {*seen, *lemma, *told}:
        if len(w) > 40 or not w.replace('_', '').isalpha():
            continue
        row = collections.Counter()

        def speak(matrix, key, much):
            if key in ids and matrix[ids[key]].nnz:
                found = matrix[ids[key]]
                scale = much * 3 / max(found.data.sum(), 3) if much else 1
                for j, c in zip(found.indices, found.data):
                    row[j] += c * scale

        speak(C, w, 0)
        for i, root in enumerate(roots(w)):
            speak(D, root, 0.35 if i else 1)
        # a lemma that is read as a form of another one ("biscotto" of "biscuocere") speaks for itself
        base = lemma.get(w, w)
        if base != w and w not in joined and lemma.get(base, base) != base:
            speak(C, base, 1)
        means = collections.Counter(english.index[e] for e in told.get(w, ()) if e in english.index)
        total = sum(row.values())
        if total < 0.5 and not means:
            continue
        spoken = zipf.get(w, 0) >= SPOKEN
        # what a rarer English word gives to this one counts more than what "the" does
        score = {
            j: (c / total) * (c / (column[j] + 1)) ** 0.35 * prior[j]
            for j, c in row.items()
            if c / total > (0.01 if spoken else 0.03)
        }
        ranked = sorted(score, key=lambda j: -score[j])[: 12 if spoken else 8]
        best = coherent(ranked, score, english)
        if means:
            top = sum(score[j] for j in best) or 1
            mix = collections.Counter({j: (1 - OURS) * score[j] / top for j in best})
            for j, c in means.items():
                mix[j] += OURS * c / sum(means.values())
            score, best, ranked = mix, [j for j, _ in mix.most_common(MOST_FEATURES)], []
        if best:
            top = sum(score[j] for j in best)
            first_words = [(int(j), score[j] / top) for j in best if score[j] / top > 0.06]
            have = {j for j, _ in first_words}
            out[w] = (first_words, [int(j) for j in ranked if j not in have])
    # a form of which nothing is known is its lemma
    for w, base in lemma.items():
        if w not in out and base in out:
            out[w] = out[base]
    print(code, len(pairs), 'sentences', words, 'translations', len(out), 'forms', flush=True)
    place = lambda w: -zipf.get(w, 0.0) - (TAUGHT if seen[w] > 1 else 0)
    ranked = sorted(out, key=lambda w: (place(w), w))[:FORMS]
    ranked += [w for w in told if w in out and w not in set(ranked)]
    texts = (foreign, [' '.join(x) for x in native], often)
    return {w: out[w] for w in ranked}, zipf, texts, held, phrases, set(told)


def told_forms(code, own, zipf, lemma, by_lemma):
    """Form -> English words of our own list, for its words, their inflected forms and those of the same lemma."""
    told = {}
    for key, (_, means) in own.items():
        zipf[key] = max(zipf[key], 3.0)
        told[key] = means
        for tail, ends in ENDINGS[code].items():
            if '_' not in key and key.endswith(tail):
                for end in ends:
                    other = key[: len(key) - len(tail)] + end
                    if other not in own and zipf.get(other, 0) > 0:
                        told.setdefault(other, means)
        for t in by_lemma[lemma.get(key, key)] if '_' not in key else ():
            if t not in own:
                told.setdefault(t, means)
    return told


def translations(code, synsets, vocabulary):
    """(foreign words, ids of English words, weight) of wordnets and dictionaries."""
    lex = lexicon(LANGUAGES[code], synsets)
    keys = list(lex)
    targets = list(dict.fromkeys(w for c in lex.values() for w in c))
    target_tokens = dict(zip(targets, tokens(targets, 'columns')))
    ids = lambda words: [vocabulary[w] for w in words if w in vocabulary]
    for key, folded in zip(keys, tokens(keys, 'foreign')):
        parts = folded.split()
        total = sum(lex[key].values())
        for target, c in lex[key].most_common(8) if 0 < len(parts) <= 2 else ():
            e = ids(target_tokens[target].split())
            if e and len(e) <= 2 and not (len(parts) == 2 and len(e) == 1 and len(lex[key]) > 3):
                yield parts, e, 1.6 * c / total
    glosses = wiktionary(code)
    means = collections.defaultdict(collections.Counter)
    left, right = tokens([a for a, _, _ in glosses], 'foreign'), tokens([b for _, b, _ in glosses], 'columns')
    for a, b, (_, _, w) in zip(left, right, glosses):
        if a and b and a.count(' ') < 2:
            means[tuple(a.split())][tuple(b.split())] += w
    for parts, of in means.items():
        total = sum(of.values())
        for target, c in of.most_common(10):
            e = ids(target)
            if 0 < len(e) <= 3:
                yield list(parts), e, 2.4 * c / total


class Entries:
    """One language: forms, and their features and weights as flat arrays."""

    def __init__(self, code, found, english, phrases, told, texts):
        self.code, self.phrases = code, phrases
        turns, ends = [dict(x.split('=') for x in part.split()) for part in TURNS[code].split('|')]
        # a small vocabulary (SMALL=1) has not all of them
        turns, ends = ({w: e for w, e in part.items() if e in english.index} for part in (turns, ends))
        fixed = {**turns, **ends}
        for w, e in fixed.items():
            found[w] = ([(english.index[e], 1.0)], [])
        for w in SILENT[code]:
            found[w] = ([], [])
        # a word that the language does not have is read as English: names, numbers. Not written
        self.approximate = frozenset()
        self.loans = {w for text in texts for w in text if w not in found and w in english.index}
        for w in self.loans:
            found[w] = ([(english.index[w], 1.0)], [])
        # [forms]: index, role (1 negates, 2 ends a negation's scope); of form i the slots starts[i] to starts[i + 1] are its
        # entry, one (English feature, weight) each; word is the form of each slot
        self.forms = sorted(found)
        self.index = {w: i for i, w in enumerate(self.forms)}
        self.role = np.array([1 if w in turns else 2 if w in ends else 0 for w in self.forms])
        # what the training may weigh beside the first ones starts from nothing
        rows = [[*found[w][0], *((j, 0.0) for j in found[w][1])] for w in self.forms]
        self._negated = english.negated
        self._fixed = [self.index[w] for w in (*fixed, *self.loans)]
        # what our own list says of reviews is not learned away by news and film captions
        self._told = [self.index[w] for w in told if w in self.index]
        self._lay(rows)
        # a mean of several words is shorter than each of them
        size = np.linalg.norm(english.vectors, axis=1)
        mean = np.bincount(self.word, self.weight * size[self.feature], len(rows))
        length = np.linalg.norm(self.vectors(english.vectors), axis=1)
        self.weight *= np.where(self.fixed, 1, (mean / np.maximum(length, 1e-6))[self.word])

    def _lay(self, rows):
        self.starts = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
        self.feature = np.array([j for r in rows for j, _ in r], int)
        self.weight = np.array([x for r in rows for _, x in r], np.float32)
        self.word = np.repeat(np.arange(len(rows)), np.diff(self.starts))
        # [slots]: those that stay as they are, and of each the feature with its word negated, -1 for none
        self.fixed = np.isin(self.word, self._fixed)
        self.kept = self.fixed | np.isin(self.word, self._told)
        self.turned = np.array([self._negated.get(int(j), -1) for j in self.feature])

    def prune(self, zipf, english):
        """Leaves what each form says most: more of those that are said often."""
        size = np.linalg.norm(english.vectors, axis=1)
        rows = []
        for i, form in enumerate(self.forms):
            slots = range(self.starts[i], self.starts[i + 1])
            row = [(int(self.feature[s]), float(self.weight[s])) for s in slots]
            if not all(self.kept[s] for s in slots):
                most = next(n for least, n in MOST_KEPT if zipf.get(form, 0) >= least)
                row = sorted((x for x in row if abs(x[1]) >= LEAST_KEPT), key=lambda x: -abs(x[1]) * size[x[0]])[:most]
            rows.append(row)
        empty = {f for f, row in zip(self.forms, rows) if not row and f not in SILENT[self.code]}
        self.loans |= empty
        self._lay(rows)

    def matrix(self, weight, size):
        return sp.csr_matrix((weight, (self.word, self.feature)), (len(self.forms), size))

    def vectors(self, table):
        return self.matrix(self.weight, len(table)) @ table

    def slots(self, texts):
        """Sentences as counts of (word, feature) slots, plain and turned."""
        plain, turned = [], []
        plain_starts, turned_starts = [0], [0]
        for text in texts:
            scope_left = 0
            for word in text:
                form = self.index.get(word, -1)
                if form < 0:
                    scope_left = max(0, scope_left - 1)
                    continue
                places = range(self.starts[form], self.starts[form + 1])
                plain.extend(places)
                if self.role[form] == 1:
                    scope_left = SCOPE
                else:
                    if self.role[form] == 2:
                        scope_left = 0
                    if scope_left:
                        scope_left -= 1
                        turned.extend(slot for slot in places if self.turned[slot] >= 0)
            plain_starts.append(len(plain))
            turned_starts.append(len(turned))
        make = lambda taken, starts: sp.csr_matrix(
            (np.ones(len(taken), np.float32), taken, starts), (len(texts), len(self.feature))
        )
        return make(plain, plain_starts), make(turned, turned_starts)

    def embed(self, slots, table):
        plain, turned = slots
        size = len(table)
        to_feature = sp.csr_matrix(
            (self.weight, (np.arange(len(self.feature)), self.feature)), (len(self.feature), size)
        )
        has_negation = self.turned >= 0
        to_negated = sp.csr_matrix(
            (self.weight[has_negation], (np.flatnonzero(has_negation), self.turned[has_negation])),
            (len(self.feature), size),
        )
        return (plain @ to_feature + turned @ to_negated) @ table


def leaves(vectors, rows, size, rng):
    """Groups of at most `size` rows whose vectors lie near to each other, in random order: halves of halves, each cut
    between two rows taken at random."""
    out, stack = [], [rows]
    while stack:
        group = stack.pop()
        if len(group) <= size:
            out.append(group)
            continue
        i, j = rng.choice(group, 2, replace=False)
        half = len(group) // 2
        order = np.argpartition(vectors[group] @ (vectors[i] - vectors[j]), half)
        stack += [group[order[:half]], group[order[half:]]]
    return [out[i] for i in rng.permutation(len(out))]


def softmax(logits, axis):
    out = np.exp(logits - logits.max(axis, keepdims=True))
    return out / out.sum(axis, keepdims=True)


def refine(entries, texts, english, steps, batch=512, near=48, tau=0.05, keep=0.01, rate=0.04):
    """Learns the weights: a sentence's own translation must be nearer than other sentences, and near. A batch is groups of
    sentences that say nearly the same."""
    rng = np.random.default_rng(3)
    foreign, native, often = texts
    target = english.sentences(native)
    table = english.vectors.astype(np.float32)
    translations = unit(target @ table).astype(np.float32)
    plain, turned = entries.slots(foreign)
    use = np.flatnonzero((np.diff(plain.indptr) > 1) & (np.diff(target.indptr) > 1))
    share = np.array(often, float)[use]
    share /= share.sum()
    number = lambda rows: np.unique(rows, return_inverse=True)[1]
    same_foreign, same_native = number([' '.join(f) for f in foreign]), number(native)
    first_weights = entries.weight.copy()
    momentum, squares = np.zeros_like(first_weights), np.zeros_like(first_weights)
    losses, queue = [], []
    for step in range(steps):
        pick = []
        while len(pick) < batch and len(pick) < len(use):
            if not queue:
                some = np.unique(rng.choice(use, min(len(use), 60_000), p=share))
                queue = leaves(translations, some, near, rng)
            pick.extend(queue.pop())
        pick = np.unique(pick)
        # of each slot that the batch says: its sentence, its feature
        parts = [(m[pick], f) for m, f in ((plain, entries.feature), (turned, entries.turned))]
        slot = np.concatenate([m.indices for m, _ in parts])
        feature = np.concatenate([f[m.indices] for m, f in parts])
        sentence = np.concatenate([np.repeat(np.arange(len(pick)), np.diff(m.indptr)) for m, _ in parts])
        vectors = table[feature]
        said = sp.csr_matrix((entries.weight[slot], (sentence, np.arange(len(slot)))), (len(pick), len(slot)))
        sums = said @ vectors
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        units = sums / lengths
        wanted = translations[pick]
        # [batch, batch]: sentences by translations; the same sentence once more is not wrong
        logits = units @ wanted.T / tau
        again = (same_foreign[pick][:, None] == same_foreign[pick]) | (same_native[pick][:, None] == same_native[pick])
        own = np.eye(len(pick), dtype=np.float32)
        logits[again & (own == 0)] = -1e4
        by_sentence, by_translation = softmax(logits, 1), softmax(logits, 0)
        losses.append(-np.log(by_sentence.diagonal() + 1e-9).mean())
        cosine_gradient = (by_sentence + by_translation - 2 * own) / (2 * tau * len(pick)) - own / len(pick)
        unit_gradient = cosine_gradient @ wanted
        sum_gradient = (unit_gradient - (unit_gradient * units).sum(1, keepdims=True) * units) / lengths
        of_slot = np.einsum('ij,ij->i', sum_gradient[sentence], vectors)
        gradient = np.bincount(slot, of_slot, len(first_weights)).astype(np.float32)
        touched = np.unique(slot)
        gradient[touched] += keep * (entries.weight - first_weights)[touched] / len(pick)
        gradient[entries.kept] = 0
        momentum = 0.9 * momentum + 0.1 * gradient
        squares = 0.99 * squares + 0.01 * gradient * gradient
        step_rate = rate * (1 - step / steps)
        entries.weight -= np.where(
            gradient != 0,
            step_rate * (momentum / (1 - 0.9 ** (step + 1))) / (np.sqrt(squares / (1 - 0.99 ** (step + 1))) + 1e-8),
            0,
        ).astype(np.float32)
        entries.weight = np.clip(entries.weight, -0.5, 2.4)
    print(
        '  ', entries.code, 'loss', round(float(np.mean(losses[:20])), 3), 'to', round(float(np.mean(losses[-20:])), 3)
    )


def first(entries, held, english):
    """Share of held-out sentences whose translation is the nearest of all."""
    foreign = [
        merged(text.split(), entries.phrases)
        for text in tokens([foreign_units for foreign_units, _ in held], 'foreign')
    ]
    native = tokens([native_units for _, native_units in held], 'columns')
    foreign_units = unit(entries.embed(entries.slots(foreign), english.vectors))
    native_units = unit(english.sentences(native) @ english.vectors)
    cosines = foreign_units @ native_units.T
    return (cosines.argmax(1) == np.arange(len(held))).mean(), (cosines.argmax(0) == np.arange(len(held))).mean()


def write(languages, zipfs, path):
    """Little-endian: `PQLN`; uint32 version, languages, words, bytes of the word list; two letters a language; the words, one
    a line; a byte a word that says which languages have it; then per word and language a byte of frequency (Zipf x 30), a byte
    with the number of features (APPROXIMATE above it, role in the top two bits), and three bytes a feature: id, weight (int8 / 50)."""
    codes = list(languages)
    of = collections.defaultdict(dict)
    for code, e in languages.items():
        for i, w in enumerate(e.forms):
            if w not in e.loans:
                of[w][code] = i
    words = sorted(of)
    mask, body = bytearray(), bytearray()
    for w in words:
        mask.append(sum(1 << codes.index(c) for c in of[w]))
        for c in codes:
            i = of[w].get(c)
            if i is None:
                continue
            e = languages[c]
            slots = [s for s in range(e.starts[i], e.starts[i + 1]) if round(e.weight[s] * 50) != 0]
            head = len(slots) | APPROXIMATE * (w in e.approximate) | int(e.role[i]) << 6
            body += bytes([max(1, min(255, round(zipfs[c].get(w, 1.0) * 30))), head])
            for s in slots:
                body += struct.pack('<Hb', int(e.feature[s]), max(-127, min(127, round(float(e.weight[s]) * 50))))
    listed = '\n'.join(words).encode()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(b'PQLN' + struct.pack('<4I', VERSION, len(codes), len(words), len(listed)) + ''.join(codes).encode())
        f.write(listed + bytes(mask) + bytes(body))
    print(path, os.path.getsize(path), len(words), 'words')


def glosser(entries, english):
    """Sentences of a written language -> each word by word in English: the foremost word of every one, '' where one is
    not known."""
    place = {w: i for i, w in enumerate(entries.forms)}
    phrases = {w for w in place if '_' in w}
    plain = len(english.words)

    def word(token):
        if token not in place:
            return [token] if token in english.index else None
        slots = range(entries.starts[place[token]], entries.starts[place[token] + 1])
        said = [(entries.weight[s], entries.feature[s]) for s in slots if entries.feature[s] < plain]
        return [english.words[max(said)[1]]] if said else []

    def gloss(sentences):
        rows = ([word(t) for t in merged(row.split(), phrases)] for row in tokens(sentences, 'foreign'))
        return ['' if None in row else ' '.join(w for part in row for w in part) for row in rows]

    return gloss


def lead(entries, english, words):
    """Makes the first of two words the foremost, by a hair, of an entry whose foremost two they are."""
    for first, other in words:
        if first not in english.index or other not in english.index:
            continue
        ids = {english.index[first], english.index[other]}
        for i in range(len(entries.forms)):
            slots = sorted(range(entries.starts[i], entries.starts[i + 1]), key=lambda s: -entries.weight[s])[:2]
            if {int(entries.feature[s]) for s in slots} == ids and entries.feature[slots[0]] == english.index[other]:
                a, b = slots
                mean = (entries.weight[a] + entries.weight[b]) / 2
                entries.weight[a], entries.weight[b] = mean - 0.02, mean + 0.02


class Written:
    """One language of a written file, as `write` takes it."""

    def __init__(self, rows, approximate=frozenset()):
        self.forms = [w for w, _, _, _ in rows]
        self.loans = set()
        self.approximate = approximate
        self.frequency = {w: z for w, z, _, _ in rows}
        self.role = [role for _, _, role, _ in rows]
        self.starts = np.concatenate([[0], np.cumsum([len(slots) for *_, slots in rows])])
        self.feature = [j for *_, slots in rows for j, _ in slots]
        self.weight = [x for *_, slots in rows for _, x in slots]

    def slots(self, i):
        """(English feature, weight) of form i."""
        at = slice(self.starts[i], self.starts[i + 1])
        return list(zip(self.feature[at], self.weight[at]))


def read(path):
    """Code -> Written, of a file that `write` made."""
    raw = open(path, 'rb').read()
    _, n, words, listed = struct.unpack_from('<4I', raw, 4)
    at = 20 + 2 * n
    codes = [raw[20 + 2 * i : 22 + 2 * i].decode() for i in range(n)]
    names = raw[at : at + listed].decode().split('\n')
    mask = raw[at + listed : at + listed + words]
    at += listed + words
    rows, approximate = {c: [] for c in codes}, {c: set() for c in codes}
    for w, m in zip(names, mask):
        for i, c in enumerate(codes):
            if m >> i & 1:
                count, role = raw[at + 1] & (APPROXIMATE - 1), raw[at + 1] >> 6
                if raw[at + 1] & APPROXIMATE:
                    approximate[c].add(w)
                slots = [struct.unpack_from('<Hb', raw, at + 2 + 3 * k) for k in range(count)]
                rows[c].append((w, raw[at] / 30, role, [(j, x / 50) for j, x in slots]))
                at += 2 + 3 * count
    return {c: Written(r, approximate[c]) for c, r in rows.items()}


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    p.add_argument('--steps', type=int, default=400)
    p.add_argument('--out', default=OUT)
    p.add_argument('--only', default=','.join(LANGUAGES))
    p.add_argument('--keep', help='a written file that the languages not in --only are taken from')
    A = p.parse_args()
    english = English(A.model)
    synsets = wordnet()
    languages, zipfs = {}, {}
    # Dutch as it was written before: Italian comes by way of it
    before = A.keep or OUT
    gloss = glosser(read(before)['nl'], english) if os.path.exists(before) else lambda rows: [''] * len(rows)
    for code in A.only.split(','):
        found, zipf, texts, held, phrases, told = candidates(code, english, synsets, gloss)
        e = Entries(code, found, english, phrases, told, texts[0])
        show = lambda: ' | '.join('%.3f %.3f' % first(e, h, english) for h in held)
        print('  ', code, 'before', show(), flush=True)
        refine(e, texts, english, A.steps)
        e.prune(zipf, english)
        print('  ', code, 'after', show(), flush=True)
        for w in (
            'zimmer fruhstuck uberteuert gericht chambre petit_dejeuner proche limpia habitacion pulita camera '
            'bistecca kamer schoon ontbijt quarto cafe_da_manha'
        ).split():
            if w in e.index:
                i = e.index[w]
                print(
                    '     ',
                    w,
                    [
                        (english.words[e.feature[s]], round(float(e.weight[s]), 2))
                        for s in range(e.starts[i], e.starts[i + 1])
                    ],
                )
        languages[code], zipfs[code] = e, zipf
    for code, e in (read(A.keep) if A.keep else {}).items():
        if code not in languages:
            languages[code], zipfs[code] = e, e.frequency
    for code, e in languages.items():
        lead(e, english, LEADS.get(code, ()))
    write({c: languages[c] for c in LANGUAGES if c in languages}, zipfs, A.out)


if __name__ == '__main__':
    main()
