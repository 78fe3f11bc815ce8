import { join } from 'node:path'
import { compare, type Differences } from './compare.ts'
import { EXCEPTIONS, SHAPES } from './exceptions.ts'
import { functionRules } from './function-rules.ts'
import { grantRules } from './grant-rules.ts'
import { loginRules } from './login-rules.ts'
import { policyRules } from './policy-rules.ts'
import { keepsToOrganization, type Policy } from './policy-shape.ts'
import { readReference } from './reference.ts'
import { type AppliedFile, compareRelease } from './release.ts'
import { POLICIES, type Rule, SUBJECTS } from './rule.ts'
import { dangerousSettings, SETTINGS, type Setting } from './settings.ts'
import { type CatalogueObject, SNAPSHOT } from './snapshot/index.ts'
import { systemRules } from './system-rules.ts'
import { tableRules } from './table-rules.ts'

// Two checks of the database's own catalogue, in tests and whenever a server starts; any login may read what they need.
// The rules of tenancy hold for every object, also for one that is new. The reference (database/catalogue-*.txt) says
// what each object must be.

/** About what the reference does not contain, because it is no part of a release. */
const BESIDE: readonly Rule[] = [...loginRules, ...systemRules, { name: 'setting', sentence: 'must not be set' }]
const ALL: readonly Rule[] = [...tableRules, ...policyRules, ...grantRules, ...functionRules, ...BESIDE]

export const RULES: readonly Pick<Rule, 'name' | 'sentence'>[] = ALL

export interface Finding {
  rule: string
  object: string
  /** Why, and what to do, where that depends on the object. */
  detail?: string
}

/**
 * Opens the transaction in which a server checks. Names mean what they mean in PostgreSQL and in the schema public,
 * whatever the path of the login is, and constants in definitions are printed as in the reference.
 */
export const SESSION = `begin isolation level repeatable read read only; set local search_path = public, pg_temp;
  set local datestyle = iso; set local intervalstyle = postgres; set local timezone = utc; set local bytea_output = hex;
  set local extra_float_digits = 1; set local quote_all_identifiers = off`

export type Query = <Row extends object>(text: string) => Promise<Row[]>

const findings = (rules: readonly Rule[]) => `with ${SUBJECTS}
  ${rules
    .flatMap(({ name, sql }) =>
      sql === undefined ? [] : [`select '${name}' as rule, object::text from (${sql}) found`],
    )
    .join('\n  union all\n  ')}`

const FINDINGS = findings(ALL)
const FINDINGS_BESIDE = findings(BESIDE)

/** Everything that breaks a rule, exceptions included. */
export async function findInCatalogue(query: Query): Promise<Finding[]> {
  const found = await query<Finding>(FINDINGS)
  const policies = await query<Policy>(POLICIES)
  const unbound = policies.filter((policy) => !keepsToOrganization(policy, SHAPES[policy.table_name]))
  return [
    ...found,
    ...unbound.map(({ name }) => ({ rule: 'policy-tenant', object: name })),
    ...(await findSettings(query)),
  ]
}

async function findSettings(query: Query): Promise<Finding[]> {
  return dangerousSettings(await query<Setting>(SETTINGS)).map((found) => ({ rule: 'setting', ...found }))
}

/** One sentence for each object that breaks a rule; none when the database is safe to serve from. */
export async function checkCatalogue(query: Query): Promise<string[]> {
  return sentencesOf(await findInCatalogue(query))
}

function sentencesOf(found: readonly Finding[]): string[] {
  const sentences = new Map(RULES.map(({ name, sentence }) => [name, sentence]))
  return found
    .filter(({ rule, object }) => EXCEPTIONS[rule]?.[object] === undefined)
    .map(({ rule, object, detail }) => `${object} ${sentences.get(rule)}${detail ? `: ${detail}` : ''} (rule ${rule})`)
    .sort()
}

/**
 * Why this database must not be served from, and warnings for the log. Tests hold the reference to the
 * rules, so a database that equals it needs only those about what the reference does not contain.
 */
export async function checkDatabase(query: Query): Promise<{ problems: string[]; warnings: string[] }> {
  const { problems, unknown, warnings } = await checkReference(query)
  const isEqual = problems.length + unknown.length + warnings.length === 0
  const broken = isEqual
    ? sentencesOf([...(await query<Finding>(FINDINGS_BESIDE)), ...(await findSettings(query))])
    : await checkCatalogue(query)
  return { problems: [...broken, ...problems], warnings }
}

const ROOT = join(import.meta.dirname, '../../../..')

interface ReferenceCheck extends Differences {
  /** For the log: what could not be compared, and why. */
  warnings: string[]
}

/** Compares the database with what this release expects. */
export async function checkReference(query: Query, root = ROOT): Promise<ReferenceCheck> {
  const [version] = await query<{ major: number; version: string }>(
    `select current_setting('server_version_num')::integer / 10000 as major, current_setting('server_version') as version`,
  )
  const { missing, newer } = await compareRelease(root, await query<AppliedFile>('select * from applied_files()'))
  if (missing.length > 0) {
    const problems = [`The database lacks ${missing.join(', ')}: run npm run migrate`]
    return { problems, unknown: [], warnings: [] }
  }
  const { objects, alternatives, isExact } = await readReference(root, version?.major ?? 0)
  const isNewer = newer.length > 0
  const { problems, unknown } = compare(objects, await query<CatalogueObject>(SNAPSHOT), {
    isExact,
    isNewer,
    alternatives,
  })
  const warnings = [
    ...(isExact
      ? []
      : [
          `Policies, triggers and constraints were compared without their definitions: there is no reference for PostgreSQL ${version?.version}.`,
        ]),
    ...(isNewer ? [`A newer release has migrated the database (${newer.join(', ')}).`] : []),
    ...(unknown.length > 0 ? [`Not compared: ${unknown.join('; ')}.`] : []),
  ]
  return { problems, unknown, warnings }
}
