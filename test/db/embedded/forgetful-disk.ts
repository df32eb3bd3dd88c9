/** Simulates a disk that keeps only what was explicitly synced, to test what a power cut leaves. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'

interface Name {
  name: string
  /** The file that had the name then; undefined for a folder. */
  file: string | undefined
}

export interface ForgetfulDisk {
  /**
   * Writes the disk's content to `to`. With `random`, any file or folder may be as this process sees it instead, since a
   * disk may have written more than was synced.
   */
  writeTo(to: string, random?: () => number): void
  /** Restores the file system's functions. */
  close(): void
}

/**
 * Tracks what this process syncs below `folder` from now on; everything there already counts as synced. Contents count
 * from the file's fsync or fdatasync, names from the folder's or, as on every journaling file system, from the file's.
 */
export function forgetfulDisk(folder: string): ForgetfulDisk {
  const contents = new Map<string, Buffer>()
  const names = new Map<string, Name[]>()
  const paths = new Map<number, string>()
  const { openSync, fsyncSync, fdatasyncSync } = fs

  const fileAt = (path: string) => {
    const { ino, birthtimeMs } = fs.statSync(path)
    return `${ino} ${birthtimeMs}`
  }
  const namesIn = (path: string): Name[] =>
    fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      file: entry.isDirectory() ? undefined : fileAt(join(path, entry.name)),
    }))
  const keep = (path: string | undefined) => {
    if (!path?.startsWith(folder) || !fs.existsSync(path)) return
    if (fs.statSync(path).isDirectory()) {
      names.set(path, namesIn(path))
      return
    }
    const kept = { name: basename(path), file: fileAt(path) }
    contents.set(kept.file, fs.readFileSync(path))
    const others = names.get(dirname(path))?.filter(({ name }) => name !== kept.name)
    if (others) names.set(dirname(path), [...others, kept])
  }
  keep(folder)
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) keep(join(folder, name))

  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest)
    paths.set(descriptor, String(path))
    return descriptor
  }
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor)
    keep(paths.get(descriptor))
  }
  fs.fdatasyncSync = (descriptor) => {
    fdatasyncSync(descriptor)
    keep(paths.get(descriptor))
  }
  syncBuiltinESMExports()

  const write = (from: string, to: string, random: () => number) => {
    fs.mkdirSync(to)
    const kept = names.get(from)
    for (const { name, file } of kept && random() < 0.5 ? kept : namesIn(from)) {
      const [source, target] = [join(from, name), join(to, name)]
      if (file === undefined) {
        write(source, target, random)
        continue
      }
      const seen = random() >= 0.5 && fs.existsSync(source) ? fs.readFileSync(source) : undefined
      fs.writeFileSync(target, seen ?? contents.get(file) ?? '')
    }
  }
  return {
    writeTo: (to, random = () => 0) => write(folder, to, random),
    close() {
      Object.assign(fs, { openSync, fsyncSync, fdatasyncSync })
      syncBuiltinESMExports()
    },
  }
}
