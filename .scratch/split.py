import re
src=open('server/search/candidates.ts').read()
L=src.split('\n')
def block(start, end):
    i=next(k for k,l in enumerate(L) if l.startswith(start))
    # include preceding docstring
    j=i
    while j>0 and (L[j-1].startswith(' *') or L[j-1].startswith('/**')): j-=1
    k=i
    while L[k]!=end and not (end=='' and L[k]==''): k+=1
    return '\n'.join(L[j:k+1])
def fn(start): return block(start,'}')
import os
os.makedirs('server/search/sql',exist_ok=True)
scope=fn('export interface Scope')
open('server/search/scope.ts','w').write("import type { Environment } from '../../src/contract/review.ts'\n\n"+scope+'\n')
head='''/**
 * What the statements of a search share. Policy and filters stand in every one of them, so that what may not appear
 * never leaves the database.
 *
 * Statements whose best plan depends on the project are not prepared: a prepared one gets a generic plan after five
 * runs, and then a small project may pay for a scan of its large neighbour, or a large one for a walk of its index.
 * postgres.js prepares every tagged query, so these are composed as text; a value stands in it only as a placeholder.
 */
import { MOST_SENTENCES } from '../../store/save-excerpts.ts'
import { vectorText } from '../../store/vector-text.ts'
import type { Policy } from '../policy.ts'
import type { Scope } from '../scope.ts'

type Value = string | number | readonly string[] | readonly number[]
export type Bind = (value: Value) => string
export const UNPREPARED = { prepare: false }

'''
st=head+'\n\n'.join('%s'%fn(s).replace('function ','export function ',1) for s in ['function parameters','function publishable','function distanceTo','function sentenceDistances'])+'\n'
open('server/search/sql/statement.ts','w').write(st)
wm='''import { distinctStems, halfOf, type WordForms } from '../words.ts'
import type { Bind } from './statement.ts'

'''+fn('interface WordMatches').replace('interface','export interface',1)+'\n\n'+fn('function wordMatches').replace('function ','export function ',1)+'\n\n'+fn('function quoted')+'\n'
open('server/search/sql/word-matches.ts','w').write(wm)
wf='''import type { Sql } from '../../deps.ts'
import type { Scope } from '../scope.ts'
import type { QueryWord, WordForms } from '../words.ts'

'''+fn('export async function findWordForms')+'\n'
open('server/search/sql/word-forms.ts','w').write(wf)
ca='''import type { Sql } from '../../deps.ts'
import type { NearExcerpt } from '../memory/nearest-excerpts.ts'
import type { Bars, Policy } from '../policy.ts'
import { type Candidate, NEAREST, RARITY, TEXT_WEIGHT } from '../rank.ts'
import type { Scope } from '../scope.ts'
import { distinctStems, type WordForms } from '../words.ts'
import { distanceTo, parameters, publishable, UNPREPARED } from './statement.ts'
import { wordMatches } from './word-matches.ts'

'''+'\n\n'.join(fn(s) for s in ['export interface Reach','export interface Candidates','export async function findCandidates','export function farthestOf','function hasWords','function withoutWords'])+'\n'
open('server/search/sql/candidates.ts','w').write(ca)
er='''import type { Metadata } from '../../../src/contract/metadata.ts'
import type { Source } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { Policy } from '../policy.ts'
import type { Candidate } from '../rank.ts'
import type { Scope } from '../scope.ts'
import { parameters, publishable, UNPREPARED } from './statement.ts'

'''+'\n\n'.join(fn(s) for s in ['export interface ExcerptRow','export async function fetchExcerpts','export async function fetchNewest','function columns'])+'\n'
open('server/search/sql/excerpt-rows.ts','w').write(er)
me='''import type { Sql } from '../../deps.ts'
import type { Candidate } from '../rank.ts'
import type { Scope } from '../scope.ts'
import type { WordForms } from '../words.ts'
import { distanceTo, parameters, sentenceDistances, UNPREPARED } from './statement.ts'
import { wordMatches } from './word-matches.ts'

'''+fn('export interface Measured')+'\n\n'+fn('export async function measureExcerpts')+'\n'
open('server/search/sql/measure-excerpts.ts','w').write(me)
os.remove('server/search/candidates.ts')
def sub(p,pairs):
    t=open(p).read()
    for a,b in pairs:
        assert a in t,(p,a); t=t.replace(a,b)
    open(p,'w').write(t)
sub('server/search/explain.ts',[("import { findCandidates, findWordForms, type Measured, measureExcerpts, type Scope } from './candidates.ts'\n",""),("import type { SearchContext } from './search.ts'\n","import type { Scope } from './scope.ts'\nimport type { SearchContext } from './search.ts'\nimport { findCandidates } from './sql/candidates.ts'\nimport { type Measured, measureExcerpts } from './sql/measure-excerpts.ts'\nimport { findWordForms } from './sql/word-forms.ts'\n")])
sub('server/search/nearest.ts',[("import { findCandidates, type Scope } from './candidates.ts'\n",""),("import type { SearchContext } from './search.ts'\n","import type { Scope } from './scope.ts'\nimport type { SearchContext } from './search.ts'\nimport { findCandidates } from './sql/candidates.ts'\n")])
sub('server/search/search.ts',[("""import {
  type ExcerptRow,
  farthestOf,
  fetchExcerpts,
  fetchNewest,
  findCandidates,
  findWordForms,
  type Reach,
  type Scope,
} from './candidates.ts'
""",""),("import { queryWords } from './words.ts'\n","import type { Scope } from './scope.ts'\nimport { farthestOf, findCandidates, type Reach } from './sql/candidates.ts'\nimport { type ExcerptRow, fetchExcerpts, fetchNewest } from './sql/excerpt-rows.ts'\nimport { findWordForms } from './sql/word-forms.ts'\nimport { queryWords } from './words.ts'\n")])
sub('server/search/memory/search-memory.ts',[("import type { Scope } from '../candidates.ts'\nimport type { Policy } from '../policy.ts'\n","import type { Policy } from '../policy.ts'\nimport type { Scope } from '../scope.ts'\n")])
sub('server/search/memory/nearest-excerpts.ts',[("in candidates.ts","in sql/statement.ts")])
sub('test/search/plans.pg.test.ts',[("import { fetchNewest, findCandidates, findWordForms, type Scope } from '../../server/search/candidates.ts'\n",""),("import { queryWords }","import type { Scope } from '../../server/search/scope.ts'\nimport { findCandidates } from '../../server/search/sql/candidates.ts'\nimport { fetchNewest } from '../../server/search/sql/excerpt-rows.ts'\nimport { findWordForms } from '../../server/search/sql/word-forms.ts'\nimport { queryWords }")])
sub('test/search/candidates.db.test.ts',[("import { findCandidates, findWordForms, type Reach } from '../../server/search/candidates.ts'","import { findCandidates, type Reach } from '../../server/search/sql/candidates.ts'\nimport { findWordForms } from '../../server/search/sql/word-forms.ts'")])
sub('bench/relevance/search-table.ts',[("import { findCandidates, findWordForms } from '../../server/search/candidates.ts'\n",""),("import { queryWords }","import { findCandidates } from '../../server/search/sql/candidates.ts'\nimport { findWordForms } from '../../server/search/sql/word-forms.ts'\nimport { queryWords }")])
sub('test/architecture/imports.test.ts',[("SQL stands only in the database, the store and the candidates of a search","SQL stands only in the database, the store and server/search/sql"),("server\\/search\\/candidates\\.ts$","server\\/search\\/sql\\/")])
sub('docs/architecture.md',[("server/search/            search (the use-case, top to bottom), candidates (SQL), rank (pure), words, policy, cache;","server/search/            search (the use-case, top to bottom), sql/ (its statements), rank (pure), words, policy, cache;")])
