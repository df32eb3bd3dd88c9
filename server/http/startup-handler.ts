import type { Log } from '../deps.ts'
import { serviceUnavailable } from './api-error.ts'
import { createRequestContext } from './request-context.ts'
import { respond } from './respond.ts'

/** The responses of a server before its database is ready: `/healthz` as usual, everything else 503. */
export function createStartupHandler(log: Log, docsUrl: () => string): (request: Request) => Promise<Response> {
  return (request) => {
    const context = createRequestContext(request)
    return respond(context, { log, docsUrl: docsUrl() }, () => {
      const { method } = request
      if (context.path === '/healthz' && (method === 'GET' || method === 'HEAD')) {
        context.logFields.route = context.path
        return { status: 200, body: { status: 'ok' } }
      }
      throw serviceUnavailable('The server is starting. Nothing was written. Try again in a minute.')
    })
  }
}
