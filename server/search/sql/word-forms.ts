import type { LRUCache } from 'lru-cache'
import type { Sql } from '../../deps.ts'
import { recentlyUsed } from '../../recently-used.ts'
import {
  DEFAULT_TEXT_CONFIG,
  languagesOfConfig,
  TEXT_CONFIGS,
  textSearchConfig,
} from '../../sql/excerpts/text-config.ts'
import type { Scope } from '../../sql/scope.ts'
import type { QueryWord, WordForms } from '../words.ts'

/**
 * Stems the words of a query with every text-search configuration that the scope's excerpts use. Each existing
 * configuration is looked up in an index, 0.003 ms apiece: as fast as a recursive skip scan, which a distributed
 * database rejects in the quota's statement.
 */
export async function findWordForms(sql: Sql, scope: Scope, words: readonly QueryWord[]): Promise<WordForms[]> {
  const { value, read } = wordFormsColumn(sql, scope, words)
  const [row] = await sql<{ forms: unknown }[]>`select ${value} as forms`
  return read(row?.forms)
}

/** Cached stems, of each word and of its other form, by configuration and word. */
export type StemCache = LRUCache<string, { stem: string; other: string[] }>

/**
 * Of these languages the built-in model knows the words, and a word with accents finds only what has them, so that "año" does
 * not find "ano"; in English, German and Dutch texts the stems mostly have none. In others a review is only found by the query's
 * words, and many people type none.
 */
const AS_TYPED = ['dutch', 'english', 'french', 'german', 'italian', 'portuguese', 'spanish']
const MODEL_LANGUAGES = AS_TYPED.flatMap((config) =>
  languagesOfConfig(config).map((language) => ({ config, language })),
)
const MOST_KNOWN = 20_000
/** An administrator may change a dictionary of the database. */
const KNOWN_MS = 600_000

export const createStemCache = (): StemCache => recentlyUsed(MOST_KNOWN, { ttl: KNOWN_MS })

const stemKey = (config: string, { text, abroad }: QueryWord) =>
  [config, text, abroad?.english, ...(abroad?.languages ?? [])].join(' ')

/** The forms of words in these configurations; undefined when any stem is not cached. */
export function cachedWordForms(
  known: StemCache,
  configs: readonly string[],
  words: readonly QueryWord[],
): WordForms[] | undefined {
  const forms: WordForms[] = []
  for (const config of configs) {
    const found = words.flatMap((word) => known.get(stemKey(config, word)) ?? [])
    if (found.length < words.length) return undefined
    const [stems, other] = [found.map(({ stem }) => stem), found.map((one) => one.other)]
    forms.push(formOf({ config, stems, other }, words))
  }
  return forms
}

export function rememberStems(known: StemCache, forms: readonly WordForms[], words: readonly QueryWord[]): void {
  for (const { config, stems, other } of forms)
    for (const [i, word] of words.entries())
      known.set(stemKey(config, word), { stem: stems[i] ?? '', other: other[i] ?? [] })
}

/** The configurations of the languages that the query may be in, as far as the model knows it. */
function ownConfigs(words: readonly QueryWord[]): Set<string> {
  return new Set(words.flatMap(({ abroad }) => abroad?.languages.map((language) => textSearchConfig(language)) ?? []))
}

function formOf(form: Pick<WordForms, 'config' | 'stems' | 'other'>, words: readonly QueryWord[]): WordForms {
  const own = ownConfigs(words)
  const isTranslated = own.size > 0 && !own.has(form.config) && AS_TYPED.includes(form.config)
  return { ...form, counts: words.map(({ counts }) => counts), ...(isTranslated && { isTranslated }) }
}

/** The same as a column of another statement, to share its round trip. */
export function wordFormsColumn(sql: Sql, scope: Scope, words: readonly QueryWord[]) {
  const read = (forms: unknown) => {
    const rows = (forms ?? []) as Pick<WordForms, 'config' | 'stems' | 'other'>[]
    return rows.map((row) => formOf(row, words))
  }
  if (words.length === 0) return { value: sql`null::json`, read }
  const own = ownConfigs(words)
  const elsewhere = MODEL_LANGUAGES.filter(({ config }) => !own.has(config))
  const abroad = words.flatMap(({ abroad }, i) =>
    elsewhere.flatMap(({ config, language }) =>
      (abroad?.wordsIn(language) ?? []).map((word) => ({ position: i + 1, config, word })),
    ),
  )
  const value = sql`(
    select json_agg((
      select json_build_object(
        'config', config,
        'stems', array_agg(stem order by position),
        'other', json_agg(array(
          select distinct lexeme from unnest(other) as lexeme
          where stem <> '' and lexeme not in ('', stem) and lexeme = any (unaccented_stop_words(config::regconfig)) is not true
        ) order by position)
      )
      from (
        select position,
          -- A stop word in English is one in every language: "das" is "that".
          case when config <> all (${[...own]}::text[]) and english <> '' and query_lexeme(${DEFAULT_TEXT_CONFIG}::regconfig, english) = ''
            then '' else query_lexeme(config::regconfig, word) end as stem,
          array(
            select case when abroad.word not like '% %' then query_lexeme(config::regconfig, abroad.word) else phrase end
            from unnest(${abroad.map(({ position }) => position)}::int[], ${abroad.map(({ config }) => config)}::text[],
              ${abroad.map(({ word }) => word)}::text[]) as abroad (position, config, word),
              -- Of "salle de bain" two words, of "en famille" one, which does not mean the same.
              lateral (
                select case when count(lexeme) > 1 then string_agg(lexeme, ' ' order by place) end
                from unnest(string_to_array(abroad.word, ' ')) with ordinality as part (part, place),
                  lateral nullif(query_lexeme(config::regconfig, part), '') as lexeme
              ) as phrases (phrase)
            where abroad.position = query.position and abroad.config = used.config
          ) || case when config = any (${AS_TYPED}::text[]) then '{}'
            else array[query_lexeme(config::regconfig, normalize(without_accents(word)))] end as other
        from unnest(${words.map(({ text }) => text)}::text[], ${words.map(({ abroad }) => abroad?.english ?? '')}::text[])
          with ordinality as query (word, english, position)
      ) as stemmed
    ))
    from ${usedConfigs(sql, scope)} as used (config)
  )`
  return { value, read }
}

/** The text-search configurations that the scope's excerpts use. */
export function findTextConfigs(sql: Sql, scope: Scope): Promise<Pick<WordForms, 'config'>[]> {
  return sql<Pick<WordForms, 'config'>[]>`select config from ${usedConfigs(sql, scope)} as used (config)`
}

function usedConfigs(sql: Sql, scope: Scope) {
  // A range condition and `limit 1`, since for an equality the planner would rather read the table.
  return sql`(
    select config from unnest(${TEXT_CONFIGS}::text[]) as every (config)
    where config = (
      select search_config from excerpts
      where project_id = ${scope.projectId} and env = ${scope.env} and embedding_model_id = ${scope.modelId}
        and search_config >= config
      order by search_config limit 1
    )
  )`
}
