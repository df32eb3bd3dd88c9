/** Part of a project in which a view is. */
export interface Place {
  project: string
  env: 'live' | 'test'
}

/**
 * Reads the fragment of the page's address, such as `#/reviews?q=sauna&project=<id>&env=test`.
 * @returns `place` is undefined when the address names no project; `params` are the view's own
 */
export function readAddress(fragment: string): { path: string; place: Place | undefined; params: URLSearchParams } {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?')
  const params = new URLSearchParams(query)
  const [project, env] = [params.get('project'), params.get('env')]
  params.delete('project')
  params.delete('env')
  return { path, params, place: project ? { project, env: env === 'test' ? 'test' : 'live' } : undefined }
}

/** The fragment that names a view, its parameters and where it is, so that a bookmark opens the same project. */
export function addressOf(path: string, { project, env }: Place, params?: URLSearchParams): string {
  const all = new URLSearchParams(params)
  all.set('project', project)
  if (env === 'test') all.set('env', env)
  return `#/${path}?${all}`
}
