import { readFileSync } from 'node:fs'

/** Made-up reviews of a trade, and queries about it. Numbers are indexes into `sentences`. */
export interface AskedTrade {
  sentences: string[]
  queries: { text: string; right: number[]; opposite: number[] }[]
}

/** Trades that none of the models was trained on here; `other-trades.txt` describes its format. */
export function readOtherTrades(): AskedTrade[] {
  return readFileSync(new URL('./other-trades.txt', import.meta.url), 'utf8')
    .split('\n\n')
    .slice(1)
    .map((paragraph) => {
      const lines = paragraph.trim().split('\n').slice(1)
      const numbers = (list = '') => [...list.matchAll(/\d+/g)].map(([number]) => Number(number) - 1)
      return {
        sentences: lines.flatMap((line) => /^\d+ (.*)/.exec(line)?.[1] ?? []),
        queries: lines.flatMap((line) => {
          const [, asked = '', answers = ''] = /^\? (.*?) =(.*)$/.exec(line) ?? []
          const [right, opposite] = answers.split('/')
          return asked === '' ? [] : { text: asked, right: numbers(right), opposite: numbers(opposite) }
        }),
      }
    })
}
