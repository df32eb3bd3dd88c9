/**
 * Cuts the power of a machine with the embedded database, again and again: a Linux kernel in a process of its own
 * (user-mode-linux) with an ext4 disk in a file, on which a server takes reviews one after another. That process is killed,
 * and with it everything that the kernel had not yet put on its disk. The next start must heal by itself, and every review that
 * was acknowledged must be there, byte by byte. Needs the built package, and the Debian packages user-mode-linux and e2fsprogs.
 *
 *   npx tsx bench/kills/power-cut.ts --cuts 30
 *   npx tsx bench/kills/power-cut.ts --bin FOLDER/bin/run.js     another build
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { seeded } from '../corpus.ts'
import { flags, report } from '../measure.ts'

const options = flags({
  cuts: '10',
  seed: '1',
  bin: join(import.meta.dirname, '..', '..', 'bin', 'run.js'),
  /** Of load before a cut, at the most. */
  seconds: '12',
})
const BOOT_MS = 180_000
const random = seeded(Number(options.seed))
const folder = mkdtempSync(join(tmpdir(), 'pullquote-power-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const disk = join(folder, 'disk')
execFileSync('truncate', ['--size', '1G', disk])
execFileSync('mkfs.ext4', ['-q', '-F', disk])
const init = join(folder, 'init.sh')
const guest = join(import.meta.dirname, 'power-cut-guest.ts')
writeFileSync(
  init,
  `#!/bin/sh
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t ext4 /dev/ubda /mnt || echo GUEST FAULT the disk cannot be mounted
mkdir -p /mnt/tmp
export HOME=/mnt TMPDIR=/mnt/tmp
ip link set lo up
cd ${process.cwd()}
exec node --import tsx ${guest} ${options.bin} </dev/null
`,
  { mode: 0o755 },
)

/** What was acknowledged: the text of each review by its number. */
const acknowledged = new Map<number, string>()
const faults: string[] = []
let healing = 0

/** Boots, lets it check what is there, and cuts the power some time after the first acknowledgement. */
async function cycle(cut: number): Promise<void> {
  // Random bytes for the guest come from the host; all its output over one console.
  const kernel = spawn(
    'linux.uml',
    ['root=none', 'rootfstype=hostfs', 'rootflags=/', 'ro', `ubd0=${disk}`, 'mem=3G', `init=${init}`].concat([
      'con=null',
      'con0=fd:0,fd:1',
      'quiet',
      `uml_dir=${folder}`,
      `umid=cut${cut}`,
    ]),
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true, env: { PATH: process.env.PATH } },
  )
  const off = () => {
    try {
      process.kill(-Number(kernel.pid), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  process.once('exit', off)
  const ended = new Promise((resolve) => kernel.once('close', resolve))
  const began = Date.now()
  const found = new Map<number, string>()
  let taken = false
  const timer = setTimeout(() => {
    faults.push(`cut ${cut}: nothing was taken in ${BOOT_MS / 1_000} s`)
    off()
  }, BOOT_MS)
  for await (const line of createInterface({ input: kernel.stdout })) {
    const [, word, number, text] = /^GUEST (\w+) ?(\d*) ?(.*)$/.exec(line.trim()) ?? []
    if (word === undefined) continue
    if (word === 'FAULT') {
      faults.push(`cut ${cut}: ${line}`)
      off()
    }
    if (word === 'FOUND') found.set(Number(number), String(text))
    if (word === 'CHECKED') {
      healing = Math.max(healing, Date.now() - began)
      compare(cut, found)
    }
    if (word === 'TAKEN') acknowledged.set(Number(number), String(text))
    if (word === 'TAKEN' && !taken) {
      taken = true
      clearTimeout(timer)
      void pause(random() * Number(options.seconds) * 1_000).then(off)
    }
  }
  await ended
  clearTimeout(timer)
  process.off('exit', off)
}

function compare(cut: number, found: Map<number, string>): void {
  const lost = [...acknowledged].filter(([number, text]) => found.get(number) !== text)
  if (lost.length > 0)
    faults.push(`cut ${cut}: ${lost.length} of ${acknowledged.size} are gone, from number ${lost[0]?.[0]}`)
}

// The last one only looks.
for (let cut = 0; cut <= Number(options.cuts); cut++) {
  await cycle(cut)
  console.log(`cut ${cut}: ${acknowledged.size} acknowledged so far, ${faults.length} faults`)
}
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault.slice(0, 600)}`)
report('Power cuts', {
  cuts: options.cuts,
  'reviews acknowledged': acknowledged.size,
  'longest from power to checked': `${(healing / 1_000).toFixed(1)} s`,
  faults: faults.length,
})
process.exit(faults.length > 0 ? 1 : 0)
