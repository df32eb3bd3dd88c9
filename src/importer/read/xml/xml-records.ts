import { isObject } from '../json/json-values.ts'
import { parseXmlText, XmlFault } from './xml.ts'

/** Elements of one name in elements of one name, in the whole document. */
interface Shape {
  children: Map<string, Shape>
  /** Records, or several in some element: they are a list everywhere. */
  isList: boolean
}

/** An element with attributes or other elements in it; others are only their texts. */
interface Parts {
  attributes: [name: string, value: string][]
  children: Map<string, (string | Parts)[]>
  /** Its own text, without that of the elements in it. */
  own: string
  /** All text in it, in order. */
  all: string
}

/** With elements in them these are records, even where a document has one. */
const RECORDS = new Set('review comment item entry testimonial feedback record row'.split(' '))
/** What databases write beside the rows. */
const SCHEMAS = new Set(['table_structure', 'structure_schemas'])
/** Elements of web pages among the words of a text; a line ends where the first do. */
const BREAKS = new Set('br p div li ul ol blockquote h1 h2 h3 h4 h5 h6'.split(' '))
const MARKUP = new Set([...BREAKS, ...'span em strong font img mark small sub sup code a b i s u'.split(' ')])
/** Kinds of elements, and attributes of one: no list of reviews has as many. Each kind more takes kilobytes. */
const MOST_KINDS = 5_000
/** Of XML itself: namespaces and schemas. */
const DECLARATION = /^(?:xmlns|xsi|xml)(?::|$)/

/**
 * An XML document as a value of the kind that JSON gives: elements by name, those that are repeated anywhere as lists, an
 * element that only holds such a list as the list, the text of an element with attributes as `value`, or as `text` in a list.
 * A text with markup among its words is a text. Prefixes of names are left out.
 *
 * @returns the value, or what is wrong with the document, to follow its name
 */
export function xmlValue(text: string): { value: Record<string, unknown> } | { fault: string } {
  const root: Shape = { children: new Map(), isList: false }
  const document = emptyParts([])
  let kinds = 0
  const open: { name: string; shape: Shape; parts: Parts }[] = [{ name: '', shape: root, parts: document }]
  const fault = parseXmlText(text, {
    open: (name, attributes) => {
      const siblings = open.at(-1)?.shape.children ?? new Map<string, Shape>()
      const known = siblings.get(name)
      const shape = known ?? { children: new Map(), isList: false }
      siblings.set(name, shape)
      if ((!known && ++kinds > MOST_KINDS) || Object.keys(attributes).length > MOST_KINDS)
        throw new XmlFault(`has more than ${MOST_KINDS.toLocaleString('en')} kinds of elements`)
      const kept = Object.entries(attributes).filter(([attribute]) => !DECLARATION.test(attribute))
      open.push({ name, shape, parts: emptyParts(kept) })
    },
    text: (piece) => {
      const inner = open.at(-1)
      if (!inner) return
      inner.parts.own += piece
      inner.parts.all += piece
    },
    close: () => {
      const [closed, parent] = [open.pop(), open.at(-1)]
      if (!closed || !parent || SCHEMAS.has(closed.name)) return
      const { name, shape } = closed
      const parts = isMarkedUp(closed.parts)
        ? { ...emptyParts(closed.parts.attributes), own: closed.parts.all, all: closed.parts.all }
        : closed.parts
      parent.parts.all += BREAKS.has(name) ? `${parts.all}\n` : parts.all
      const value = parts.attributes.length === 0 && parts.children.size === 0 ? parts.own.trim() : parts
      const same = parent.parts.children.get(name)
      if (same) same.push(value)
      else parent.parts.children.set(name, [value])
      if (same || (parts.children.size > 0 && RECORDS.has(name.toLowerCase()))) shape.isList = true
    },
  })
  if (fault !== undefined) return { fault }
  const value = valueOfParts(document, root)
  return isObject(value) ? { value } : { value: { records: value } }
}

/** Whether all elements in it are markup of its text, such as `<b>`: around words, or with lines of their own. */
function isMarkedUp({ children, own }: Parts): boolean {
  const names = [...children.keys()]
  return names.every((name) => MARKUP.has(name)) && (own.trim() !== '' || names.some((name) => BREAKS.has(name)))
}

function emptyParts(attributes: Parts['attributes']): Parts {
  return { attributes, children: new Map(), own: '', all: '' }
}

function valueOfParts({ attributes, children, own }: Parts, shape: Shape): unknown {
  // Without a prototype, since elements may be called "__proto__".
  const record: Record<string, unknown> = Object.create(null)
  for (const [name, value] of attributes) record[name] = value
  for (const [name, values] of children) {
    const cells = values.map(namedCell)
    if (cells.every((cell) => cell !== undefined)) {
      for (const [column, cell] of cells) record[column] = cell
      continue
    }
    const inner = shape.children.get(name)
    const forms = byForm(values)
    const items = (forms ?? values).map((one) => (typeof one === 'string' || !inner ? one : valueOfParts(one, inner)))
    record[name] = inner?.isList && !forms ? items : items[0]
  }
  const text = own.trim()
  if (text !== '') record[shape.isList && !('text' in record) ? 'text' : 'value'] = text
  const [only, ...others] = Object.values(record)
  return others.length === 0 && Array.isArray(only) ? only : record
}

/** `<field name="id">7</field>`, as databases write their cells (mysqldump, phpMyAdmin). */
function namedCell(value: string | Parts): [name: string, cell: string] | undefined {
  if (typeof value === 'string' || value.children.size > 0) return undefined
  const [attribute, ...others] = value.attributes
  return attribute?.[0] === 'name' && others.length === 0 ? [attribute[1], value.own] : undefined
}

/** Of one text in several forms, as feeds have it (`<content type="text">`, `<content type="html">`), the plain one. */
function byForm(values: readonly (string | Parts)[]): [string] | undefined {
  if (values.length < 2) return undefined
  const forms = new Map<string, string | Parts>()
  for (const value of values) {
    const form = typeof value === 'string' ? undefined : value.attributes.find(([name]) => name === 'type')?.[1]
    if (form !== undefined) forms.set(form, value)
  }
  const plain = forms.get('text')
  return forms.size === values.length && typeof plain === 'object' ? [plain.own.trim()] : undefined
}
