import { posix } from 'node:path'
import { type Entry, entriesOf } from '../archive.ts'
import type { InputFile } from '../table.ts'
import { parseXml } from '../xml/xml.ts'

/** The targets of a workbook's relationships, as paths like those of {@link partEntries}. */
export interface Relations {
  /** By id, as in the workbook's list of sheets. */
  byId: ReadonlyMap<string, string>
  strings: string
  styles: string
}

/**
 * The part that lists the sheets, usually `xl/workbook.xml`; undefined for a zip that is not an Excel workbook (XLSX).
 *
 * @throws ImporterError `bad_archive`, `archive_too_large`
 */
export function workbookPart(archive: InputFile): string | undefined {
  const paths = entriesOf(archive).map(({ name }) => partPath(name))
  const isPackage = paths.includes('[content_types].xml')
  return paths.find(
    (path) => path === 'xl/workbook.xml' || (isPackage && /^workbook\d*\.xml$/.test(posix.basename(path))),
  )
}

/** The entries of a workbook's zip by part path. */
export function partEntries(archive: InputFile): Map<string, Entry> {
  return new Map(entriesOf(archive).map((entry) => [partPath(entry.name), entry]))
}

/** Normalizes a part path: ECMA-376 compares names case-insensitively, and some programs write backslashes. */
function partPath(name: string): string {
  const path = posix.join('/', name.replaceAll('\\', '/')).slice(1).toLowerCase()
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The path of a part's relationships. */
export function relationsPart(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)
}

/** Reads the relationships of the workbook part. Strings and styles are expected beside it unless named. */
export function relationsOf(file: string, part: string, xml: Uint8Array): Relations {
  const pathTo = (target: string) => partPath(/^[/\\]/.test(target) ? target : `${posix.dirname(part)}/${target}`)
  const byId = new Map<string, string>()
  const byType = new Map<string, string>()
  parseXml(file, xml, {
    open: (_, { Id, Type = '', Target = '' }) => {
      if (!Id) return
      byId.set(Id, pathTo(Target))
      byType.set(posix.basename(Type), pathTo(Target))
    },
  })
  return {
    byId,
    strings: byType.get('sharedStrings') ?? pathTo('sharedStrings.xml'),
    styles: byType.get('styles') ?? pathTo('styles.xml'),
  }
}
