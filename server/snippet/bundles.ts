import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ServerRequest } from 'srvx'
import { type Encoding, negotiateEncoding } from '../http/content-negotiation.ts'

/** One version of the snippet's file, in the encodings it is served in. */
export interface Bundle {
  /** 16 hexadecimal digits of the content's SHA-256. */
  hash: string
  /** `/snippet.<hash>.js`. */
  path: string
  /** Value of an `integrity` attribute. */
  integrity: string
  /** Compressed once, on first use. */
  encoded(encoding: Encoding): Uint8Array
}

const ENCODERS: Record<Encoding, (content: Uint8Array) => Uint8Array> = {
  identity: (content) => content,
  gzip: (content) => gzipSync(content, { level: 9 }),
  br: (content) => brotliCompressSync(content),
}

export type Bundles = NonNullable<ReturnType<typeof readBundles>>

/** `dist/snippet`, relative to the compiled server and to a development checkout. */
const FOLDERS = ['../../snippet', '../../dist/snippet'].map((folder) => join(import.meta.dirname, folder))

/** Reads the built snippet. Undefined in a checkout without a build. */
export function readBundles(folders: readonly string[] = FOLDERS) {
  const folder = folders.find((candidate) => existsSync(join(candidate, 'snippet.js')))
  if (folder === undefined) return undefined
  const current = bundleOf(readFileSync(join(folder, 'snippet.js')))
  const released = join(folder, 'released')
  const names = existsSync(released) ? readdirSync(released).filter((name) => name.endsWith('.js')) : []
  const earlier = names.map((name) => bundleOf(readFileSync(join(released, name))))
  // Pages with `integrity` still refer to earlier releases.
  return { current, all: [current, ...earlier.filter(({ hash }) => hash !== current.hash)] }
}

export function bundleOf(content: Uint8Array): Bundle {
  const known = new Map<Encoding, Uint8Array>()
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return {
    hash,
    path: `/snippet.${hash}.js`,
    integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
    encoded(encoding) {
      const made = known.get(encoding) ?? ENCODERS[encoding](content)
      known.set(encoding, made)
      return made
    },
  }
}

/** The 200 response with a file, in the most compact encoding that the client accepts. */
export function sendBundle({ headers }: ServerRequest, bundle: Bundle, own: Record<string, string>) {
  const encoding = negotiateEncoding(headers.get('accept-encoding'))
  const encoded = encoding === 'identity' ? undefined : { 'content-encoding': encoding }
  return {
    status: 200 as const,
    body: bundle.encoded(encoding),
    headers: { vary: 'accept-encoding', ...own, ...encoded },
  }
}
