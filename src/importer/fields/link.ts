import * as v from 'valibot'
import { URI_LENGTH } from '../../contract/limits.ts'
import { uri } from '../../contract/text.ts'

// A common form that needs no further check here: the row's schema parses it anyway.
const ORDINARY = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[\w/.~%?=&+:@,;!*()-]*)?$/

/** Yandex's addresses of pictures end in `{size}`. */
const PLACEHOLDER = /\{\w+\}/

/**
 * A URL as the contract accepts it: only http or https, because it becomes a link on a public page. Without a scheme it
 * gets https; blanks inside are percent-encoded. Undefined for anything else.
 */
export function parseLink(cell: string): string | undefined {
  const value = cell.trim()
  if (value === '' || value.length > URI_LENGTH) return undefined
  if (ORDINARY.test(value)) return value
  if (PLACEHOLDER.test(value)) return undefined
  const whole = /^https?:\/\//i.test(value)
    ? value
    : value.startsWith('//')
      ? `https:${value}`
      : /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:[/?#]|$)/u.test(value)
        ? `https://${value}`
        : ''
  if (whole === '') return undefined
  const encoded = whole.replace(/[\s<>"`\\^{|}]/g, encodeURIComponent)
  return v.is(uri, encoded) ? encoded : undefined
}
