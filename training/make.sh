#!/bin/sh
# From data to the shipped files: server/embed/builtin/embedding.bin and server/ingest/sentiment-model/sentiment.bin.
#
#   PULLQUOTE_CORPUS=../../shared/corpus TEACHER=path/to/all-MiniLM-L6-v2 training/make.sh
#
# Needs Node >= 20.19 with the project's packages, Python 3.11 with requirements.txt, gcc, xz. About 25 minutes on two idle
# cores, 5 GB of memory, 3 GB of disk in training/.work. THREADS=1 makes skip-gram, and with it all, repeat to the bit.
set -eu
cd "$(dirname "$0")"
: "${PULLQUOTE_CORPUS:=../../shared/corpus}" "${THREADS:=2}" "${PYTHON:=python3}"
: "${TEACHER:?the folder of all-MiniLM-L6-v2 (model.safetensors, tokenizer.json); see docs/models.md}"
export PULLQUOTE_CORPUS PULLQUOTE_WORK="${PULLQUOTE_WORK:-$PWD/.work}"
W="$PULLQUOTE_WORK"
mkdir -p "$W"
tokenize() { (cd .. && node --import tsx training/tokenize.ts "$@"); }

# 1. tokens, by the product's own tokenizer
for part in 0 1; do
  xz -dc "$PULLQUOTE_CORPUS/reviews.jsonl.xz" | tokenize reviews "$part" 2 > "$W/reviews.$part.tsv"
done
for file in "$PULLQUOTE_CORPUS"/pairs/*.tsv.xz; do
  xz -dc "$file" | tokenize columns > "$W/pairs.$(basename "$file" .tsv.xz).tsv"
done

# 2. sentiment: measured on four files kept out, then trained on everything
$PYTHON sentiment.py try
$PYTHON sentiment.py ship

# 3. word vectors to start from
$PYTHON vocabulary.py
gcc -O3 -march=native -ffast-math -pthread skipgram.c -o "$W/skipgram" -lm
"$W/skipgram" "$W/ids.bin" "$W/cnt.bin" "$($PYTHON -c "print(len(open('$W/names.txt').read().split('\n')))")" 256 5 2 5 1e-4 "$THREADS" "$W/sgns.bin"

# 4. pairs from the reviews, and the teacher's vectors
$PYTHON mine.py
$PYTHON teach.py --teacher "$TEACHER"

# 5. four runs that differ in seed, tone margin and optimiser; their mean is the model
run() { name=$1; shift; $PYTHON train.py --name "$name" --steps 900 --gain 0.02 "$@"; }
run 1 --seed 5 --teach 0.4 --margin 1.1
run 2 --seed 6 --teach 0.4 --margin 1.7 --beta 0
run 3 --seed 7 --teach 0.4 --margin 1.7
run 4 --seed 8 --teach 0.6 --margin 1.3 --beta 0
$PYTHON confidence.py --models 1,2,3,4 --steps 260
$PYTHON export.py --threshold 0.415
