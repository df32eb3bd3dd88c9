import { CodedError } from '../contract/code-of.ts'

/** Why a whole file or run was rejected. Codes are stable; messages are for people and say what to do. */
export type ImporterErrorCode =
  | 'file_too_large'
  | 'empty_file'
  | 'not_text'
  | 'unknown_encoding'
  | 'spreadsheet_file'
  | 'compressed_file'
  | 'web_page'
  | 'bad_json'
  | 'bad_xml'
  | 'no_rows'
  | 'too_many_columns'
  | 'too_many_rows'
  | 'header_too_long'
  | 'needs_memory'
  | 'nested_archive'
  | 'bad_archive'
  | 'unsafe_archive'
  | 'archive_too_large'
  | 'unknown_profile'
  | 'unknown_column'
  | 'mapping_needed'
  | 'no_headings'
  | 'bad_mapping'
  | 'own_reviews'
  | 'dates_both_orders'
  | 'review_limit_reached'
  | 'ids_of_others'
  | 'interrupted'

/** The importer's only exception: the input as a whole can't be imported. Bad rows never throw. */
export class ImporterError extends CodedError<ImporterErrorCode> {
  /** Every problem of a mapping. */
  readonly findings: readonly string[]

  constructor(code: ImporterErrorCode, message: string, findings: readonly string[] = []) {
    // JSON.parse quotes half of an emoji, which strict readers of JSON refuse.
    super(code, message.toWellFormed())
    this.findings = findings
  }
}
