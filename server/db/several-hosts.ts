import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CodedError } from '../../src/contract/code-of.ts'
import type { Pool } from '../deps.ts'
import type { SessionAttribute } from './address.ts'
import { DatabaseSocket, FailingSocket, type PoolSockets, type SocketPlace } from './database-socket.ts'
import { isDatabaseUnavailable, isSessionRefused } from './unavailable.ts'

export interface Host {
  host: string
  port: number
}

/** None of the hosts that answer is what `target_session_attrs` asks for, as between the loss of a primary and its successor. */
export class NoSuitableHost extends CodedError<'no_suitable_host'> {
  constructor(wanted: SessionAttribute) {
    super('no_suitable_host', `none of the hosts that answer is what target_session_attrs=${wanted} asks for`)
  }
}

interface Role {
  standby: boolean
  readOnly: boolean
}

const FITS: Record<SessionAttribute, (role: Role) => boolean> = {
  'read-write': ({ readOnly }) => !readOnly,
  'read-only': ({ readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
}

/**
 * Chooses among the hosts of an address, one for all connections until one of them is lost.
 *
 * postgres.js (3.4.9) can do this itself, but while none of several hosts can be used, or the only one has the wrong role, it
 * tries again hundreds of times a second, and no statement ever fails.
 *
 * @param ask opens a pool of one connection to a host
 * @param limitMs of asking one host
 */
export function hostChooser(
  hosts: Host[],
  wanted: SessionAttribute | undefined,
  ask: (host: Host, socket: (place: SocketPlace) => Socket) => Pool,
  limitMs: number,
) {
  let chosen: Host | undefined
  let choosing: Promise<Host> | undefined
  /** The last that could be used is the first to be asked. */
  let order = hosts

  async function choose(): Promise<Host> {
    const errors: unknown[] = []
    let other: Host | undefined
    for (const host of order) {
      try {
        const role = await roleOf(
          ask(host, (place) => new DatabaseSocket(place, () => {})),
          limitMs,
        )
        if (wanted === undefined || FITS[wanted](role)) return host
        other ??= host
      } catch (error) {
        errors.push(error)
      }
    }
    if (other && wanted === 'prefer-standby') return other
    const lasting = errors.find((error) => isSessionRefused(error) || !isDatabaseUnavailable(error))
    throw lasting ?? (other && wanted ? new NoSuitableHost(wanted) : errors[0])
  }

  async function chooseOnce(): Promise<Host> {
    try {
      const host = await choose()
      order = [host, ...hosts.filter((one) => one !== host)]
      chosen = host
      return host
    } finally {
      choosing = undefined
    }
  }

  function current(): Host | Promise<Host> {
    if (chosen) return chosen
    choosing ??= chooseOnce()
    return choosing
  }

  return {
    /** A connection of a pool to the host for all. */
    async open(sockets: PoolSockets): Promise<Socket> {
      try {
        const { host, port } = await current()
        return sockets.open({ host: [host], port: [port], path: false })
      } catch (error) {
        return new FailingSocket(error)
      }
    },
    /** A connection is lost: the next one asks again. */
    lost(): void {
      chosen = undefined
    },
  }
}

async function roleOf(sql: Pool, limitMs: number): Promise<Role> {
  const timer = new AbortController()
  const late = sleep(limitMs, undefined, { ref: false, signal: timer.signal }).then(() => {
    throw new CodedError('CONNECT_TIMEOUT', 'the database did not say in time whether it is a primary')
  })
  try {
    const asked = sql.unsafe<(Role | undefined)[]>(
      `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`,
    )
    const [role] = await Promise.race([asked.simple(), late])
    return role ?? { standby: false, readOnly: false }
  } finally {
    timer.abort()
    void sql.end({ timeout: 0 })
  }
}
