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
  const encoded = whole.replace(/[\s<>"`\\^{|}]/g, encodeURIComponent)
  return v.is(uri, encoded) ? encoded : undefined
}

/** Parameters that let whoever follows an address in, or tell who it was sent to. */
const SECRET =
  /^(?:\w*token|\w*secret|api_?key|auth|authorization|signature|sig|hmac|session(?:_?id)?|sid|phpsessid|jwt|otp|password|passwd|pwd|e?mail|e-mail|\w*_email|phone)$/i
/** An e-mail address, or the key to an order of WooCommerce. */
const SECRET_VALUE = /^[^@%]+(?:@|%40)[\w-]+\.\w|^wc_order_/i

/** An address without what its visitor alone should have, as tools that record the visited page keep it. */
export function withoutSecrets(link: string): string {
  const [address = '', ...hash] = link.split('#')
  const [page = '', ...query] = address.split('?')
  const isPublic = (part: string) => {
    const [name = '', value = ''] = part.split('=')
    return !SECRET.test(name) && !SECRET_VALUE.test(value)
  }
  const kept = (written: string) => written.split('&').filter(isPublic).join('&')
  const [asked, place] = [kept(query.join('?')), kept(hash.join('#'))]
  return `${page}${asked === '' ? '' : `?${asked}`}${place === '' ? '' : `#${place}`}`
}
