import type * as v from 'valibot'
import {
  consoleLinksResponse,
  createConsoleLinkBody,
  createdConsoleLink,
  listedConsoleLink,
} from '../../src/contract/console-link.ts'
import { doctorResponse, finding } from '../../src/contract/doctor.ts'
import { errorCode, errorDetail, errorEnvelope, errorInfo } from '../../src/contract/errors.ts'
import { explainBody, explainedExcerpt, explanation, removal } from '../../src/contract/explain.ts'
import {
  databaseState,
  healthResponse,
  modelState,
  notReadyResponse,
  queueState,
  readinessResponse,
  searchMemoryState,
  workerState,
} from '../../src/contract/health.ts'
import { importedFile, importLine, importProgress, importResponse } from '../../src/contract/import.ts'
import { insightsResponse } from '../../src/contract/insights.ts'
import { createdKey, createKeyBody, keyKind, keysResponse, listedKey } from '../../src/contract/key.ts'
import {
  createProjectBody,
  excerptPolicy,
  patchProjectBody,
  plan,
  project,
  projectsResponse,
  wipeBody,
  wipeResponse,
} from '../../src/contract/project.ts'
import {
  filters,
  foundReview,
  highlight,
  includeItem,
  queryBody,
  queryResponse,
  queryResult,
} from '../../src/contract/query.ts'
import {
  environment,
  hiddenWordsResponse,
  listResponse,
  patchBody,
  pushBody,
  pushedReview,
  pushResponse,
  reviewIdsResponse,
  reviewInput,
  reviewStatus,
  sentiment,
  sentimentSource,
  source,
  storedReview,
} from '../../src/contract/review.ts'
import {
  retrySetAsideBody,
  retrySetAsideResponse,
  setAsideResponse,
  setAsideReview,
} from '../../src/contract/set-aside.ts'
import { labelsResponse, noteResponse } from '../../src/contract/snippet-note.ts'
import { whoamiResponse } from '../../src/contract/whoami.ts'

/**
 * Names of the description's schemas, which become type names in generated clients. Unnamed ones are inlined, and each
 * generator names them in its own way. No name is an operation's id followed by `Response`, `Request`, `Params`, `Data` or
 * `Error`, as generators name the parts of an operation, and none is a language's or a generator's own (`Error`, `ApiError`,
 * `Environment`).
 */
type Names = Record<string, v.GenericSchema>

const SHARED: Names = {
  Source: source,
  EnvironmentName: environment,
  KeyKind: keyKind,
  Plan: plan,
  ExcerptPolicy: excerptPolicy,
}

/** Schemas of requests. */
export const REQUEST_SCHEMAS: Names = {
  ...SHARED,
  ReviewInput: reviewInput,
  ReviewBatch: pushBody,
  ReviewPatch: patchBody,
  QueryInput: queryBody,
  QueryFilters: filters,
  IncludedField: includeItem,
  ProjectInput: createProjectBody,
  ProjectPatch: patchProjectBody,
  KeyInput: createKeyBody,
  ConsoleLinkInput: createConsoleLinkBody,
  WipeInput: wipeBody,
  RetryInput: retrySetAsideBody,
  ExplainInput: explainBody,
}

/** Schemas of responses. */
export const ANSWER_SCHEMAS: Names = {
  ...SHARED,
  StoredReview: storedReview,
  ReviewStatus: reviewStatus,
  Sentiment: sentiment,
  SentimentSource: sentimentSource,
  PushedReview: pushedReview,
  PushResponse: pushResponse,
  ListResponse: listResponse,
  QueryResponse: queryResponse,
  QueryResult: queryResult,
  FoundReview: foundReview,
  Highlight: highlight,
  ErrorEnvelope: errorEnvelope,
  ErrorInfo: errorInfo,
  ErrorCode: errorCode,
  ErrorDetail: errorDetail,
  HiddenWords: hiddenWordsResponse,
  ReviewIds: reviewIdsResponse,
  Explanation: explanation,
  ExplainedExcerpt: explainedExcerpt,
  Removal: removal,
  ImportResult: importResponse,
  ImportedFile: importedFile,
  ImportLine: importLine,
  ImportProgress: importProgress,
  Project: project,
  ProjectList: projectsResponse,
  CreatedKey: createdKey,
  Key: listedKey,
  KeyList: keysResponse,
  CreatedConsoleLink: createdConsoleLink,
  ConsoleLink: listedConsoleLink,
  ConsoleLinkList: consoleLinksResponse,
  WipeResult: wipeResponse,
  SetAsideReview: setAsideReview,
  SetAsideList: setAsideResponse,
  RetryResult: retrySetAsideResponse,
  Insights: insightsResponse,
  Diagnosis: doctorResponse,
  Finding: finding,
  KeyOwner: whoamiResponse,
  Health: healthResponse,
  Readiness: readinessResponse,
  NotReady: notReadyResponse,
  DatabaseState: databaseState,
  ModelState: modelState,
  QueueState: queueState,
  WorkerState: workerState,
  SearchMemoryState: searchMemoryState,
  SnippetNote: noteResponse,
  SnippetLabels: labelsResponse,
}
