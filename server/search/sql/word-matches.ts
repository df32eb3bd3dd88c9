import { queryPositions, requiredMatches, type WordForms } from '../words.ts'
import type { Bind } from './statement.ts'

/** Conditions on the words of `excerpts e`, each row with the stems of its own configuration. */
export interface WordMatches {
  /** One condition for each of the words that some row's configuration does not leave out. */
  each: string[]
  /** How many of those that count make half of them, 0 for none. */
  needed: string
  /** Whether half of them are there, given `needed` and the results of `each`. */
  half(has: readonly string[]): string
}

/** The row's `search_config` picks what stands for it; with one configuration, as nearly all projects have, nothing to pick. */
export function wordMatches(bind: Bind, every: readonly WordForms[]): WordMatches {
  const { forms, positions, counted } = queryPositions(every)
  if (positions.length === 0) return { each: [], needed: '0', half: () => 'false' }
  // A value that the statement does not mention is refused by PostgreSQL, so the only configuration stands nowhere.
  const configs = forms.length === 1 ? [] : forms.map(({ config }) => `${bind(config)}::text`)
  const pick = (of: readonly string[]) =>
    of.length === 1
      ? of[0]
      : `case e.search_config ${of.map((one, i) => `when ${configs[i]} then ${one}`).join(' ')} end`
  const each = positions.map((i) => {
    const matches = forms.map((form) => `e.lexemes @@ ${bind(quoted(form.stems[i] ?? ''))}::text::tsquery`)
    return `coalesce(${pick(matches)}, false)`
  })
  const needed = pick(forms.map((form) => `${bind(requiredMatches(form))}::int`)) ?? '0'
  return {
    each,
    needed,
    half(has) {
      if (counted.length === 0) return 'false'
      return `coalesce(needed > 0 and ${counted.map((i) => `(${has[i]})::int`).join(' + ')} >= needed, false)`
    },
  }
}

/** A tsquery that matches the stem; one for nothing matches nothing. */
function quoted(stem: string): string {
  return stem === '' ? '' : `'${stem.replace(/['\\]/g, '$&$&')}'`
}
