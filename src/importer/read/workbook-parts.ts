import { posix } from 'node:path'
import { type Entry, entriesOf } from './archive.ts'
import type { InputFile } from './table.ts'
import { parseXml } from './xml.ts'

/** What a workbook's relationships name, each by its path as {@link partEntries} has it. */
export interface Relations {
  /** By its id, as the workbook's list of sheets has it. */
  byId: ReadonlyMap<string, string>
  strings: string
  styles: string
}

/**
 * The part that lists the sheets, of a zip that is an Excel workbook (XLSX). Most programs call it `xl/workbook.xml`.
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

/** The entries of a workbook's zip by the paths of its parts. */
export function partEntries(archive: InputFile): Map<string, Entry> {
  return new Map(entriesOf(archive).map((entry) => [partPath(entry.name), entry]))
}

/** A part's path as it is looked for: ECMA-376 takes names for the same whatever their case, and some programs write the slashes of Windows. */
function partPath(name: string): string {
  const path = posix.join('/', name.replaceAll('\\', '/')).slice(1).toLowerCase()
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Where the relationships of a part stand. */
export function relationsPart(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)
}

/** Reads the relationships of the workbook's part. Its texts and styles stand beside it, where they are not named. */
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
