import { lexemesOf, queryPositions, requiredMatches, type WordForms } from '../words.ts'
import type { Bind } from './statement.ts'

/** Conditions on the words of `excerpts e`, each row with the stems of its own configuration. */
export interface WordMatches {
  /** One condition for each word that is not a stop word in every configuration. */
  each: string[]
  /** How many counting words make up half of them, 0 for none. */
  needed: string
  /** Whether half of them match, given `needed` and the results of `each`. */
  half(has: readonly string[]): string
}

/**
 * The row's `search_config` selects the stems; with a single configuration, as in nearly all projects, no selection is
 * needed.
 */
export function wordMatches(bind: Bind, every: readonly WordForms[]): WordMatches {
  const { forms, positions, counted } = queryPositions(every)
  if (positions.length === 0) return { each: [], needed: '0', half: () => 'false' }
  // PostgreSQL rejects a parameter that the statement does not use, so a single configuration is not bound.
  const configs = forms.length === 1 ? [] : forms.map(({ config }) => `${bind(config)}::text`)
  const pick = (of: readonly string[]) =>
    of.length === 1
      ? of[0]
      : `case e.search_config ${of.map((one, i) => `when ${configs[i]} then ${one}`).join(' ')} end`
  const each = positions.map((i) => {
    const matches = forms.map((form) => `e.lexemes @@ ${bind(eitherOf(lexemesOf(form, i)))}::text::tsquery`)
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

/** A tsquery; the empty one matches nothing. */
function eitherOf(either: readonly string[][]): string {
  const quoted = (lexeme: string) => `'${lexeme.replace(/['\\]/g, '$&$&')}'`
  return either.map((all) => all.map(quoted).join(' & ')).join(' | ')
}
