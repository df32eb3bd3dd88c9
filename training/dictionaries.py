"""What a word of another language means, as wordnets and Wiktionary's dictionaries say it, and which forms hold pronouns."""

import collections
import glob
import gzip
import os
import re

DATA = os.environ.get('PULLQUOTE_LANGUAGES', '')
POINTS_ELSEWHERE = re.compile(
    'plural|gerund|person|participle|form|feminine|masculine|singular|imperative|subjunctive|compound|superlative|spelling'
)
# pronouns that are written together with an infinitive or a gerund: "dirglielo", "ayudarme"
PRONOUNS = {
    'it': 'gli me te ce ve se'.split(),
    'es': 'me te se nos'.split(),
}
SECOND = {'it': 'lo la li le ne'.split(), 'es': 'lo la los las'.split()}
LONE = {
    'it': 'mi ti si ci vi lo la li le gli ne'.split(),
    'es': 'me te se nos os lo la los las le les'.split(),
}


def wordnet():
    """Synset -> its English lemmas, each with the place of this sense among the lemma's senses."""
    rank = {}
    for pos, name in (('n', 'noun'), ('v', 'verb'), ('a', 'adj'), ('r', 'adv')):
        for line in open(f'{DATA}/wordnet-3.0/index.{name}', encoding='latin1'):
            if line.startswith(' '):
                continue
            p = line.split()
            senses = int(p[2])
            for i, offset in enumerate(p[-senses:]):
                rank.setdefault(f'{offset}-{pos}', []).append((p[0], i))
    return rank


def lexicon(name, synsets):
    """Lemma -> English words and what speaks for them."""
    out = collections.defaultdict(collections.Counter)
    for path in glob.glob(f'{DATA}/omw-data/*{name}.tab'):
        for line in open(path, encoding='utf8'):
            p = line.rstrip('\n').split('\t')
            if len(p) < 3 or not p[1].endswith('lemma'):
                continue
            key = p[0].replace('-s', '-a')
            for lemma, place in synsets.get(key, ()):
                out[p[2].replace('_', ' ')][lemma.replace('_', ' ')] += 1 / (1 + place) ** 1.5
    return out


def _clean(text):
    text = re.sub(r'\{[^}]*\}|\[[^\]]*\]|\([^)]*\)', ' ', text)
    return re.sub(r'\s+', ' ', text).strip(' ;,.:')


def _parts(text):
    return [part for part in map(_clean, re.split(r'[,;](?![^()]*\))', text)) if part]


def _lines(path):
    """(left, right) of a dictionary's lines, `word {n} (sense) :: translation, translation`."""
    for line in open(path, encoding='utf8') if os.path.exists(path) else ():
        if not line.startswith('#') and '::' in line and 'SEE:' not in line:
            yield line.rstrip('\n').split('::', 1)


def _articles(path):
    """(headword, translations) of a dictionary in DSL."""
    if not os.path.exists(path):
        return
    head = None
    for line in gzip.open(path).read().decode('utf-16', errors='ignore').split('\n'):
        line = line.rstrip('\r')
        if not line.startswith('\t'):
            head = line.strip() or head
        elif '[m1]' in line and head and not head.startswith('#'):
            text = re.sub(r'\[/?[^\]]*\]', '', re.sub(r'\[p\].*?\[/p\]|\[i\].*?\[/i\]', ' ', line)).strip()
            if ' of ' not in text or not POINTS_ELSEWHERE.search(text):
                yield head, text


def wiktionary(code):
    """(word, English, what speaks for it) of the dictionaries in both directions."""
    found = []
    folder = f'{DATA}/wiktionary'
    for english, words in [*_lines(f'{folder}/en-{code}.txt'), *_articles(f'{folder}/en-{code}.dz')]:
        found += [(word, english, 1.0) for word in _parts(words)]
    for word, english in [*_lines(f'{folder}/{code}-en.txt'), *_articles(f'{folder}/{code}-en.dz')]:
        if 'form' not in english or ' of ' not in english:
            found += [(word, meaning, 1 / (1 + 0.5 * i)) for i, meaning in enumerate(_parts(english))]
    out = []
    for word, english, weight in found:
        word, english = _clean(word), re.sub('^(to|a|an|the) ', '', _clean(english))
        if word and english and len(word.split()) <= 3 and len(english.split()) <= 3:
            out.append((word, english, weight))
    return out


def with_pronouns(code, lemma, forms, known):
    """Form -> the verb and the pronouns that it holds: "dirglielo" is "dire", "gli" and "lo".

    @param forms lemma -> its forms
    @param known whether a word is said often enough
    """
    if code not in LONE:
        return {}
    double = {a + ('e' if a == 'gli' else '') + b: [a, b] for a in PRONOUNS[code] for b in SECOND[code]}
    ends = sorted([*double.items(), *((x, [x]) for x in LONE[code])], key=lambda x: -len(x[0]))

    def split(word):
        for end, pronouns in ends:
            stem = word[: -len(end)]
            if not word.endswith(end) or len(stem) < 2:
                continue
            gerund = stem.endswith('ndo')
            if code == 'es':
                verbs = [stem] if gerund or stem[-2:] in ('ar', 'er', 'ir') else []
            else:
                verbs = [stem] if gerund else [f'{stem}e', f'{stem}re'] if stem.endswith('r') else []
            for verb in verbs:
                if known(verb) and (gerund and verb in lemma or lemma.get(verb) == verb and len(forms[verb]) >= 5):
                    return verb, pronouns
        return None

    out = {}
    for word in lemma:
        found = split(word)
        # where the list of lemmas knows the form it has to agree
        if found and lemma[word] in (word, lemma.get(found[0])):
            out[word] = found
    return out
