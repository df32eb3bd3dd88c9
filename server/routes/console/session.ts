import { signInBody } from '../../../src/contract/console.ts'
import { BODY_BYTES } from '../../../src/contract/limits.ts'
import type { SignIn } from '../../console/sign-in.ts'
import type { Pool } from '../../deps.ts'
import { jsonBody } from '../../http/body-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { type ConsoleSession, signOut } from '../../sql/access/console-sessions.ts'
import { getProjectById, listProjects } from '../../sql/projects/projects.ts'

/** Signing in and out of the console, and what the page needs at the start. */
export function consoleSessionRoutes({ sql }: { sql: Pool }, signIn: SignIn): Route[] {
  const projectsOf = async ({ projectId }: ConsoleSession) => {
    const own = projectId === null ? await listProjects(sql) : [await getProjectById(sql, projectId)]
    return own.flatMap((project) => (project ? [{ id: project.id, name: project.name }] : []))
  }
  const describe = async (session: ConsoleSession) => ({
    operator: session.projectId === null,
    projects: await projectsOf(session),
    expires_at: session.expiresAt.toISOString(),
  })
  return [
    defineRoute({
      method: 'POST',
      path: '/console/api/sign-in',
      access: 'open',
      guard: ({ request }) => signIn.requireAccess(request),
      body: jsonBody(signInBody, { maxBytes: BODY_BYTES.console }),
      async handle({ request, body: { link } }) {
        const { session, cookie, token } = await signIn.signIn(request, link)
        return { status: 200, body: { token, ...(await describe(session)) }, headers: { 'set-cookie': cookie } }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/console/api/session',
      access: 'console',
      async handle(context) {
        return { status: 200, body: await describe(context.session) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/console/api/session',
      access: 'console',
      async handle(context) {
        await signOut(sql, context.session.id)
        return { status: 204, headers: { 'set-cookie': signIn.clearCookie(context.request) } }
      },
    }),
  ]
}
