// @ts-check
// The embedded database's thread: PGlite blocks while a query runs, and here it blocks nobody else. It stays plain
// JavaScript because a worker thread starts without the TypeScript loader.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { FLUSHING, FlushedFiles } from './flush.js'
import { shortenTimers } from './long-timers.js'
import { reportProgress } from './progress.js'

/**
 * @typedef {{
 *   dataDir: string, socketPath: string | null, sharedBuffersMb: number, flushed: boolean, progress: Int32Array
 * }} EmbeddedWorkerData
 * `socketPath: null` only makes the database and closes it; without `flushed` a power cut may leave a broken one.
 * @typedef {{ type: 'ready' } | { type: 'closed' } | { type: 'failed', code: string | undefined, message: string }}
 * EmbeddedWorkerMessage
 */

if (!parentPort) throw new Error('embedded-worker.js runs as a worker thread')
const parent = parentPort
const { dataDir, socketPath, sharedBuffersMb, flushed, progress } = /** @type {EmbeddedWorkerData} */ (workerData)
const { statement } = reportProgress(progress)
shortenTimers(globalThis)

/**
 * WebAssembly memory never shrinks, so its peak stays. An analyze holds 300 rows for each step of the statistics target,
 * vectors and all: at PostgreSQL's 100 it took 87 MB, at 20 it fits into existing memory. Everyone waits for it meanwhile: at
 * 20 it held the connection for 40 to 110 ms, at 10 for half of that.
 */
const STATISTICS_TARGET = 10
const settings = {
  shared_buffers: `${sharedBuffersMb}MB`,
  default_statistics_target: STATISTICS_TARGET,
  ...(flushed ? FLUSHING : {}),
}

/** @type {Record<number, string>} https://github.com/WebAssembly/WASI, `errno` */
const WASI_ERRNO = { 2: 'EACCES', 19: 'EDQUOT', 51: 'ENOSPC', 54: 'ENOTDIR', 63: 'EPERM', 69: 'EROFS' }

/** @param {EmbeddedWorkerMessage} message */
const send = (message) => parent.postMessage(message)

/**
 * PGlite throws errors, but also plain objects of its file system, whose `errno` is WASI's.
 * @param {unknown} error
 */
function fail(error) {
  const fields = /** @type {{ code?: unknown, errno?: unknown, message?: unknown }} */ (Object(error))
  const code = typeof fields.code === 'string' ? fields.code : WASI_ERRNO[Number(fields.errno)]
  send({ type: 'failed', code, message: String(fields.message ?? code ?? JSON.stringify(error)) })
  process.exit(1)
}

/**
 * The error in an answer after which PostgreSQL exits: a panic, such as a write-ahead log that cannot be written. In PGlite
 * nothing exits, and the client would wait forever for the end of the answer.
 * @param {Uint8Array} data messages of the protocol: a type, the length of the rest, the rest
 */
function endOfSession(data) {
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 0; at + 5 <= view.length; at += 1 + view.readUInt32BE(at + 1)) {
    if (view[at] !== 0x45) continue
    const fields = view.toString('utf8', at + 5, at + 1 + view.readUInt32BE(at + 1)).split('\0')
    if (!fields.includes('VPANIC') && !fields.includes('VFATAL')) continue
    const field = (/** @type {string} */ type) => fields.find((one) => one.startsWith(type))?.slice(1)
    return { code: field('C'), message: `PostgreSQL panicked: ${field('M')}` }
  }
  return undefined
}

/** How much of an answer may wait for the rest of it. */
const GATHERED_BYTES = 65_536

/**
 * Sends an answer in one piece. The socket server writes each message separately, five for the smallest answer, and each
 * would wake the thread that waits for the last one.
 * @param {import('node:net').Socket} socket
 */
function gatherWrites(socket) {
  const { write } = socket
  socket.write = (/** @type {unknown[]} */ ...message) => {
    if (socket.writableCorked === 0) {
      socket.cork()
      // After the statements handled in the same turn of the event loop, as those of one request are.
      process.nextTick(() => socket.uncork())
    }
    const flows = Reflect.apply(write, socket, message)
    if (socket.writableLength > GATHERED_BYTES) {
      socket.uncork()
      socket.cork()
    }
    return flows
  }
}

async function open() {
  const startParams = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const db = await PGlite.create({
    fs: flushed ? new FlushedFiles(dataDir) : new NodeFS(dataDir),
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, ...startParams],
  })
  // One backend serves every connection, and it ignores the settings in a connection's start-up message.
  await db.exec("set timezone = 'UTC'; set datestyle = 'ISO, MDY'")
  // An error of a statement is an answer to the client. Anything thrown here is the end of the database itself (a panic,
  // memory), after which the socket server would wait forever: the thread ends and is restarted.
  const run = db.execProtocolRawStream.bind(db)
  db.execProtocolRawStream = (message, options) => {
    /** @param {Uint8Array} data */
    const onRawData = (data) => {
      options?.onRawData?.(data)
      const end = endOfSession(data)
      if (end) fail(end)
    }
    return statement(() => run(message, { ...options, onRawData })).catch((error) => {
      fail(error)
      throw error
    })
  }
  if (socketPath === null) {
    await db.close()
    send({ type: 'closed' })
  } else {
    const server = new PGLiteSocketServer({ db, path: socketPath, maxConnections: 4 })
    await server.start()
    // @ts-expect-error the library keeps its net.Server private
    server.server.prependListener('connection', gatherWrites)
    parent.on('message', async (message) => {
      if (message !== 'close') return
      try {
        await server.stop()
        await db.close()
        send({ type: 'closed' })
      } catch (error) {
        fail(error)
      }
      process.exit(0)
    })
    send({ type: 'ready' })
  }
}

// Not awaited, see ../../thread-start.js.
open().catch(fail)
