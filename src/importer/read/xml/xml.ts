import { Parser } from 'htmlparser2'
import { ImporterError } from '../../importer-error.ts'
import { decodeLegacy, isEncodingName } from '../encodings/legacy-encodings.ts'
import { detectBomlessUtf16 } from '../encodings/wide-encodings.ts'

/** Ten times a workbook's depth. The parser's time per element grows with it: a million nested ones took minutes. */
const MOST_DEPTH = 100

/** Thrown by an {@link XmlHandler} to stop reading. */
export class XmlFault extends Error {
  readonly fault: string

  /** @param fault to follow the document's name */
  constructor(fault: string) {
    super(fault)
    this.fault = fault
  }
}

/** Callbacks for elements, by names without prefixes, and their texts. */
interface XmlHandler {
  open?: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * Reads a part of a workbook. Only XML's five predefined entities are decoded.
 *
 * @throws ImporterError `bad_archive` when it ends before its elements do, or nests them deeper than any workbook does
 */
export function parseXml(file: string, xml: Uint8Array, on: XmlHandler): void {
  const fault = parseXmlText(decoded(xml), on)
  if (fault !== undefined) throw damagedWorkbook(file, fault)
}

/** Reads an XML document whose elements are closed. @returns what is wrong with it, to follow its name; undefined when it was read to its end */
export function parseXmlText(text: string, on: XmlHandler): string | undefined {
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  let [depth, isBegun, openedAt] = [0, false, -1]
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MOST_DEPTH) throw new XmlFault(`has elements nested more than ${MOST_DEPTH} deep`)
        isBegun = true
        openedAt = parser.endIndex
        on.open?.(local(name), attributes)
      },
      ontext: (piece) => on.text?.(piece),
      onclosetag: (name, isImplied) => {
        // A bare "<" in a text begins an element that nothing closes, and cuts the text.
        const isEmptyElement = openedAt === parser.endIndex
        if (isImplied && !isEmptyElement)
          throw new XmlFault(`is not well-formed: it does not close <${name.slice(0, 40)}>`)
        depth--
        on.close?.(local(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  try {
    parser.write(text)
    // `end` would close open elements, and truncation would go unnoticed.
    if (depth > 0 || !isBegun) return 'ends too early'
    parser.end()
  } catch (error) {
    if (error instanceof XmlFault) return error.fault
    throw error
  }
  return undefined
}

/** @param fault the problem, to follow the file name */
export function damagedWorkbook(file: string, fault: string): ImporterError {
  return new ImporterError(
    'bad_archive',
    `${file} ${fault}: the workbook is damaged. Open it in a spreadsheet, check that everything is there, save it and import that file.`,
  )
}

/** XML is in UTF-8, UTF-16 or the encoding that its declaration names. */
function decoded(xml: Uint8Array): string {
  const isMarked = (xml[0] === 0xff && xml[1] === 0xfe) || (xml[0] === 0xfe && xml[1] === 0xff)
  const wide = isMarked ? (xml[0] === 0xff ? 'utf-16le' : 'utf-16be') : detectBomlessUtf16(xml)
  const start = Buffer.from(xml.subarray(0, 200)).toString('latin1')
  const named = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1]
  const encoding = wide ?? named ?? 'utf-8'
  return isEncodingName(encoding) ? decodeLegacy(Buffer.from(xml), encoding) : new TextDecoder().decode(xml)
}
