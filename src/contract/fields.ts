import * as v from 'valibot'
import { pluralize } from './counts.ts'

/**
 * An object with exactly these fields. Unlike valibot's `strictObject`, as the contract requires, it reports every
 * unknown field instead of only the first, and rejects arrays.
 */
export function fields<const TEntries extends v.ObjectEntries>(
  entries: TEntries,
): v.StrictObjectSchema<TEntries, undefined> {
  const strict = v.strictObject(entries)
  return {
    ...strict,
    '~run'(dataset, config) {
      const input = dataset.value
      // Any non-object makes the wrapped schema report the type.
      if (Array.isArray(input)) return strict['~run']({ value: false }, config)
      const result = strict['~run'](dataset, config)
      if (typeof input !== 'object' || input === null || !result.issues) return result
      const first = result.issues.find((issue) => isUnknownField(issue) && issue.path?.length === 1)
      if (!first) return result
      for (const key of Object.keys(input)) {
        if (Object.hasOwn(entries, key) || key === first.path?.[0]?.key) continue
        result.issues.push({
          ...(first as v.StrictObjectIssue),
          input: key,
          path: [{ type: 'object', origin: 'key', input: input as Record<string, unknown>, key, value: null }],
        })
      }
      return result
    },
  }
}

/** Whether the issue names a field that the schema does not have. */
function isUnknownField(issue: v.BaseIssue<unknown>): boolean {
  return issue.kind === 'schema' && issue.type === 'strict_object' && issue.expected === 'never'
}

/**
 * One value or an array. A plain union would report a wrong element as "matches none"; here the type of the input
 * selects the schema, so that a finding names the element.
 */
export function oneOrMany<const TOne extends v.GenericSchema, const TMany extends v.GenericSchema>(
  one: TOne,
  many: TMany,
): v.UnionSchema<[TOne, TMany], undefined> {
  return {
    ...v.union([one, many]),
    '~run'(dataset, config) {
      const chosen = Array.isArray(dataset.value) ? many : one
      return chosen['~run'](dataset, config) as v.OutputDataset<
        v.InferOutput<TOne | TMany>,
        v.UnionIssue<v.InferIssue<TOne | TMany>>
      >
    },
  }
}

/**
 * An array of `min` to `max` items. When it is too long, only the length is reported: the items are not checked, so
 * that half a million zeros do not cost half a million findings.
 */
export function boundedArray<const TItem extends v.GenericSchema>(
  item: TItem,
  bounds: { min?: number; max: number; noun: string },
) {
  const { min = 0, max, noun } = bounds
  // Lazy: formatting the first number takes a command eight milliseconds.
  const tooLong = () => `must have at most ${pluralize(max, noun)}`
  const whole = v.pipe(
    v.array(item),
    v.minLength(min, () => `must have at least ${pluralize(min, noun)}`),
    v.maxLength(max, tooLong),
  )
  const lengthOnly = v.pipe(v.array(v.unknown()), v.maxLength(max, tooLong))
  const run: (typeof whole)['~run'] = (dataset, config) =>
    Array.isArray(dataset.value) && dataset.value.length > max
      ? (lengthOnly['~run'](dataset, config) as ReturnType<(typeof whole)['~run']>)
      : whole['~run'](dataset, config)
  return { ...whole, '~run': run }
}
