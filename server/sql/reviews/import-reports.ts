import { IMPORT_REPORT_DAYS } from '../../../src/contract/limits.ts'
import type { Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'
import { isUuid } from '../uuid.ts'

/** Stores the compressed `errors.csv` of an import, and deletes those older than a week. */
export async function saveImportReport(
  sql: Sql,
  report: EnvironmentScope & { id: string; errorsCsv: Uint8Array },
): Promise<void> {
  await forgetImportReports(sql)
  await sql`
    insert into import_reports (project_id, id, env, errors_csv)
    values (${report.projectId}, ${report.id}, ${report.env}, ${Buffer.from(report.errorsCsv)})`
}

/** Deletes those older than a week: their rows name people, and there may be no later import to do it. */
export async function forgetImportReports(sql: Sql): Promise<void> {
  await sql`delete from import_reports where created_at < now() - make_interval(days => ${IMPORT_REPORT_DAYS}::int)`
}

/** Deletes those of a wiped environment, whose reviews they name. */
export async function wipeImportReports(sql: Sql, { projectId, env }: EnvironmentScope): Promise<void> {
  await sql`delete from import_reports where project_id = ${projectId} and env = ${env}`
}

/** @returns the compressed `errors.csv`; undefined when this project and environment has none of that id */
export async function readImportReport(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  id: string,
): Promise<Uint8Array | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await sql<{ errors_csv: Uint8Array }[]>`
    select errors_csv from import_reports where project_id = ${projectId} and id = ${id} and env = ${env}`
  return row?.errors_csv
}
