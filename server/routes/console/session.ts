import * as v from 'valibot'
import { fields } from '../../../src/contract/fields.ts'
import { validate } from '../../../src/contract/validate.ts'
import type { SignIn } from '../../console/sign-in.ts'
import type { Pool } from '../../deps.ts'
import { assertValid } from '../../http/api-error.ts'
import { type ConsoleRoute, jsonBody, noParameters, type OpenRoute } from '../../http/request-pipeline.ts'
import { type ConsoleSession, signOut } from '../../sql/access/console-sessions.ts'
import { getProjectById, listProjects } from '../../sql/projects/projects.ts'

const signInBody = fields({ link: v.pipe(v.string(), v.maxLength(100)) })

/** Signing in to the console and out of it, and what the page needs to begin with. */
export function consoleSessionRoutes({ sql, signIn }: { sql: Pool; signIn: SignIn }): (ConsoleRoute | OpenRoute)[] {
  const projectsOf = async ({ projectId }: ConsoleSession) => {
    const own = projectId === null ? await listProjects(sql) : [await getProjectById(sql, projectId)]
    return own.flatMap((project) => (project ? [{ id: project.id, name: project.name }] : []))
  }
  const shown = async (session: ConsoleSession) => ({
    operator: session.projectId === null,
    projects: await projectsOf(session),
    expires_at: session.expiresAt.toISOString(),
  })
  return [
    {
      method: 'POST',
      path: '/console/api/sign-in',
      access: 'open',
      body: { maxBytes: 1_024 },
      async handle(call) {
        signIn.requireAccess(call.request)
        const [, { link }] = assertValid(noParameters(call), validate(signInBody, jsonBody(call)))
        const { session, cookie, token } = await signIn.signIn(call.request, link)
        return { status: 200, body: { token, ...(await shown(session)) }, headers: { 'set-cookie': cookie } }
      },
    },
    {
      method: 'GET',
      path: '/console/api/session',
      access: 'console',
      async handle(call) {
        assertValid(noParameters(call))
        return { status: 200, body: await shown(call.session) }
      },
    },
    {
      method: 'DELETE',
      path: '/console/api/session',
      access: 'console',
      async handle(call) {
        assertValid(noParameters(call))
        await signOut(sql, call.session.id)
        return { status: 204, headers: { 'set-cookie': signIn.clearCookie(call.request) } }
      },
    },
  ]
}
