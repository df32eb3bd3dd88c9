"""Writes server/embed/builtin/fold-table.txt: which BMP code units are letters, and what each folds to.

Shipping our own table keeps tokens the same whatever Unicode version the Node, ICU or Python at hand carries.
Run it only to change the table on purpose: every trained model depends on it. It needs ICU's `uconv`, whose transform from
traditional to simplified Chinese (Unicode licence) gives the ideographs of both one form.
"""

import pathlib
import subprocess
import sys
import textwrap
import unicodedata

OUT = pathlib.Path(__file__).parent.parent / 'server/embed/builtin/fold-table.txt'
SEPARATOR, DROP, NUMBER = 0, 1, 2
CJK = [
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
]


def simplified():
    """The simplified ideograph of each traditional one, by ICU 72's Traditional-Simplified; one that goes both ways stays."""
    chars = [chr(c) for low, high in ((0x3400, 0x4DBF), (0x4E00, 0x9FFF)) for c in range(low, high + 1)]
    command = ['uconv', '-f', 'utf-8', '-t', 'utf-8', '-x', 'Traditional-Simplified']
    out = subprocess.run(command, input='\n'.join(chars).encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    pairs = {a: b for a, b in zip(chars, out.split('\n'), strict=True) if a != b}
    return {a: b for a, b in pairs.items() if len(b) == 1 and b not in pairs}


SIMPLIFIED = simplified()


def fold(char):
    """What a character becomes: lower case, without diacritics; compatibility forms become their plain letters, ideographs
    simplified ones."""
    folded = plain(char)
    return SIMPLIFIED.get(folded, folded)


def plain(char):
    """The same, but for ideographs."""
    code = ord(char)
    category = unicodedata.category(char)
    if 0xAC00 <= code <= 0xD7A3:
        return char
    if category == 'Nd':
        return str(unicodedata.decimal(char))
    if 0x300 <= code <= 0x36F or category == 'Cf' or 0xFE00 <= code <= 0xFE0F:
        return None
    if category[0] not in 'LM':
        return ''
    special = {
        'ß': 'ss',
        'ẞ': 'ss',
        'æ': 'ae',
        'Æ': 'ae',
        'œ': 'oe',
        'Œ': 'oe',
        'ø': 'o',
        'Ø': 'o',
        'ł': 'l',
        'Ł': 'l',
        'đ': 'd',
        'Đ': 'd',
        'ð': 'd',
        'Ð': 'd',
        'þ': 'th',
        'Þ': 'th',
        'ı': 'i',
        'ς': 'σ',
    }
    if char in special:
        return special[char]
    parts = unicodedata.normalize('NFKD', char)
    # marks are stripped where they are accents; in Indic and other scripts they are part of the spelling
    kept = ''.join(c for c in parts if not 0x300 <= ord(c) <= 0x36F).lower()
    kept = ''.join(c for c in unicodedata.normalize('NFKD', kept) if not 0x300 <= ord(c) <= 0x36F)
    kept = kept.replace('ς', 'σ')
    if not kept or not all(unicodedata.category(c)[0] in 'LM' for c in kept) or any(ord(c) > 0xFFFF for c in kept):
        return char if category[0] == 'L' else ''
    return kept


def base36(n):
    digits = '0123456789abcdefghijklmnopqrstuvwxyz'
    sign, n, out = ('-' if n < 0 else ''), abs(n), ''
    while True:
        n, r = divmod(n, 36)
        out = digits[r] + out
        if n == 0:
            return sign + out


def wrapped(entries):
    return textwrap.fill(' '.join(entries), 118, break_long_words=False, break_on_hyphens=False)


def main():
    runs, multi = [], []
    for code in range(0x80, 0x10000):
        if 0xD800 <= code <= 0xDFFF:
            continue
        result = fold(chr(code))
        if result == '':
            continue
        if result is None:
            target = DROP
        elif len(result) > 1:
            if any(lo <= code <= hi for lo, hi in CJK) or len(result) > 4:
                target = code
            else:
                multi.append((code, result))
                continue
        else:
            target = ord(result)
        # a run is start, length, delta (constant target when delta is the marker '!')
        last = runs[-1] if runs else None
        drop = target == DROP
        if last and last[0] + last[1] == code and last[3] == drop and (drop or last[2] == target - code):
            last[1] += 1
        else:
            runs.append([code, 1, 0 if drop else target - code, drop])
    words, previous = [], 0
    for start, length, delta, drop in runs:
        words.append(f"{base36(start - previous)},{base36(length)},{'!' if drop else base36(delta)}")
        previous = start + length
    pairs = [f'{base36(code)},{letters}' for code, letters in multi]
    OUT.write_text(
        f'''Letters of the Basic Multilingual Plane and what each folds to (lower case, no accents), from Unicode {unicodedata.unidata_version}.
Made by training/make_fold_table.py; not to be edited by hand.

The first table is of runs, `gap,length,delta` in base 36: `gap` code units after the last run come `length` letters that
fold to themselves plus `delta`; the delta `!` marks code units that vanish (combining accents, joiners, variation
selectors). The second is of code units that fold to several: `code,letters`.

{wrapped(words)}

{wrapped(pairs)}
''',
        encoding='utf-8',
    )
    print(len(runs), 'runs', len(multi), 'expansions', OUT.stat().st_size, 'bytes', file=sys.stderr)


main()
