/* Skip-gram with negative sampling (Mikolov et al. 2013), lock-free over threads (Niu et al. 2011).
 *
 *   skipgram ids.bin counts.bin VOCAB DIM WINDOW EPOCHS NEGATIVES SAMPLE THREADS out.bin
 *
 * ids.bin: int32 token ids, -1 between texts, -2 unknown; counts.bin: int64 per token id.
 * out.bin: float32 input vectors, VOCAB x DIM. The negatives are shared by all context words of a position, which
 * costs nothing in quality and makes it about three times faster. With one thread the result repeats to the bit.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#define TABLE 20000000
#define MAXLEN 6000

/* ids: [n_ids], the stream; table: [TABLE], token ids as often as they are drawn for negatives */
static int32_t *ids, *table;
static int64_t n_ids, total;
static int vocab, dim, window, epochs, negatives, threads;
/* in, out: [vocab x dim], the vectors of words and of their context; keep: [vocab], the chance that a word is read */
static float *in, *out, *keep, sample;
static volatile int64_t seen;

static inline uint64_t next(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

static void *work(void *arg) {
  long t = (long)arg;
  uint64_t seed = 0x9E3779B97F4A7C15ULL * (t + 1);
  int64_t from = n_ids / threads * t, to = t == threads - 1 ? n_ids : n_ids / threads * (t + 1);
  int32_t *text = malloc(MAXLEN * sizeof(int32_t)), targets[64];
  float *grad = aligned_alloc(64, (size_t)dim * sizeof(float)), rate = 0.025f;
  int64_t mine = 0, reported = 0;
  for (int epoch = 0; epoch < epochs; epoch++) {
    for (int64_t i = from; i < to;) {
      int n = 0;
      while (i < to && ids[i] != -1 && n < MAXLEN) {
        int w = ids[i++];
        mine++;
        if (w >= 0 && (keep[w] >= 1.f || (next(&seed) & 0xffffff) / 16777216.f < keep[w])) text[n++] = w;
      }
      if (i < to && ids[i] == -1) i++;
      if (mine - reported > 50000) {
        int64_t s = __sync_add_and_fetch(&seen, mine - reported);
        reported = mine;
        rate = 0.025f * (1 - (float)s / ((float)n_ids * epochs));
        if (rate < 2.5e-5f) rate = 2.5e-5f;
      }
      for (int c = 0; c < n; c++) {
        int k = 1, reach = window - (int)(next(&seed) % window);
        targets[0] = text[c];
        for (int q = 0; q < negatives; q++) {
          int x = table[next(&seed) % TABLE];
          if (x != text[c]) targets[k++] = x;
        }
        int lo = c - reach < 0 ? 0 : c - reach, hi = c + reach >= n ? n - 1 : c + reach;
        for (int j = lo; j <= hi; j++) {
          if (j == c || text[j] == text[c]) continue;
          float *a = in + (int64_t)text[j] * dim;
          memset(grad, 0, dim * sizeof(float));
          for (int q = 0; q < k; q++) {
            float *b = out + (int64_t)targets[q] * dim, dot = 0;
            for (int d = 0; d < dim; d++) dot += a[d] * b[d];
            float p = dot > 8 ? 1.f : dot < -8 ? 0.f : 1.f / (1.f + expf(-dot));
            float g = ((q == 0) - p) * rate;
            for (int d = 0; d < dim; d++) {
              grad[d] += g * b[d];
              b[d] += g * a[d];
            }
          }
          for (int d = 0; d < dim; d++) a[d] += grad[d];
        }
      }
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 11) {
    fprintf(stderr, "see the head of skipgram.c\n");
    return 2;
  }
  FILE *f = fopen(argv[1], "rb");
  fseek(f, 0, SEEK_END);
  n_ids = ftell(f) / 4;
  rewind(f);
  ids = malloc(n_ids * 4);
  if (fread(ids, 4, n_ids, f) != (size_t)n_ids) return 1;
  fclose(f);
  vocab = atoi(argv[3]);
  dim = atoi(argv[4]);
  window = atoi(argv[5]);
  epochs = atoi(argv[6]);
  negatives = atoi(argv[7]);
  sample = atof(argv[8]);
  threads = atoi(argv[9]);
  int64_t *counts = malloc(8L * vocab);
  f = fopen(argv[2], "rb");
  if (fread(counts, 8, vocab, f) != (size_t)vocab) return 1;
  fclose(f);
  double z = 0;
  for (int i = 0; i < vocab; i++) {
    total += counts[i];
    z += pow(counts[i], 0.75);
  }
  keep = malloc(4L * vocab);
  for (int i = 0; i < vocab; i++) {
    double r = (double)counts[i] / total;
    keep[i] = (sqrt(r / sample) + 1) * sample / r;
  }
  size_t bytes = (size_t)vocab * dim * 4;
  in = aligned_alloc(64, bytes);
  out = aligned_alloc(64, bytes);
  uint64_t seed = 42;
  for (int64_t i = 0; i < (int64_t)vocab * dim; i++) in[i] = ((next(&seed) & 0xffff) / 65536.f - 0.5f) / dim;
  memset(out, 0, bytes);
  table = malloc(4L * TABLE);
  double cum = pow(counts[0], 0.75) / z;
  for (int64_t i = 0, w = 0; i < TABLE; i++) {
    table[i] = w;
    if ((double)i / TABLE > cum && w < vocab - 1) cum += pow(counts[++w], 0.75) / z;
  }
  pthread_t th[64];
  for (long t = 0; t < threads; t++) pthread_create(th + t, 0, work, (void *)t);
  for (int t = 0; t < threads; t++) pthread_join(th[t], 0);
  f = fopen(argv[10], "wb");
  fwrite(in, 1, bytes, f);
  fclose(f);
  return 0;
}
