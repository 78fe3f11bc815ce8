import {
  type Bound,
  DAY_PATTERN,
  isDay,
  listDaysOfYears,
  passes,
  type SegmentDefinition,
  type Test,
} from '@tendon/contracts'
import { type RawBuilder, sql } from 'kysely'
import { type Condition, filterKey, formKey } from './rules.ts'

// The conditions of a segment as one query over all patients of the clinic: its columns are id and, for the sample of a
// preview, nothing else. Values travel as parameters. A condition is a semi-join with those whose value passes the test, or
// for a negated one an anti-join, which also matches patients without a value.

/** Queries of patient_id, count and last_date, of those who have such appointments (platform/scheduling.ts). */
export type CountAppointments = (statuses: string[] | null) => RawBuilder<unknown>

type Sql = RawBuilder<unknown>

const PLAIN = /^[ -~]*$/
const MAX_LISTED_YEARS = 5

/** The patients who can be in a segment: those of the clinic who are not deleted and whose data may be processed. */
export const ACTIVE_PATIENTS = sql<boolean>`p.organization_id = (select current_app_org_id()) and p.deleted_at is null and p.restricted_at is null`

export function matchingPatients(
  mode: SegmentDefinition['match_mode'],
  conditions: readonly Condition[],
  countAppointments: CountAppointments,
): Sql {
  const sources = new Sources(countAppointments)
  const terms = conditions.map((condition) => termOf(condition, sources))
  return sql`${sources.clause()} select p.id from patients p
    where ${ACTIVE_PATIENTS} and (${sql.join(terms, mode === 'all' ? sql` and ` : sql` or `)})`
}

/** The forms and appointments that several conditions share, each read once. */
class Sources {
  readonly #countAppointments: CountAppointments
  readonly #forms = new Map<string, { name: Sql; fields: Map<string, Sql> }>()
  readonly #appointments = new Map<string, { name: Sql; rows: Sql }>()

  constructor(countAppointments: CountAppointments) {
    this.#countAppointments = countAppointments
  }

  form(templateId: string, fieldId: string): { name: Sql; column: Sql } {
    const form = this.#forms.get(templateId) ?? {
      name: sql.ref(`form_${this.#forms.size}`),
      fields: new Map<string, Sql>(),
    }
    const column = form.fields.get(fieldId) ?? sql.ref(`value_${form.fields.size}`)
    form.fields.set(fieldId, column)
    this.#forms.set(templateId, form)
    return { name: form.name, column }
  }

  appointments(statuses: string[] | null): Sql {
    const key = filterKey(statuses)
    const known = this.#appointments.get(key) ?? {
      name: sql.ref(`appointments_${this.#appointments.size}`),
      rows: this.#countAppointments(statuses),
    }
    this.#appointments.set(key, known)
    return known.name
  }

  /** Of each patient the newest form of the template that is completed or signed. Answers alone are sorted: forms are large. */
  clause(): Sql {
    const parts = [
      ...[...this.#forms].map(([templateId, { name, fields }]) => {
        const columns = [...fields].map(([fieldId, column]) => sql`values -> ${formKey(fieldId)}::text as ${column}`)
        return sql`${name} as (
          select distinct on (patient_profile_id) patient_profile_id, ${sql.join(columns)} from forms
          where organization_id = (select current_app_org_id()) and form_template_id = ${templateId}::uuid
            and status in ('completed', 'signed')
          order by patient_profile_id, completed_at desc nulls last, id desc)`
      }),
      ...[...this.#appointments.values()].map(({ name, rows }) => sql`${name} as (${rows})`),
    ]
    return parts.length === 0 ? sql`` : sql`with ${sql.join(parts)}`
  }
}

function termOf(condition: Condition, sources: Sources): Sql {
  const { place, kind, test, negated } = condition
  const holds = negated ? sql`not exists` : sql`exists`
  if (place.in === 'profile')
    return sql`${holds} (select 1 from custom_field_values v where v.organization_id = (select current_app_org_id())
      and v.custom_field_id = ${place.fieldId}::uuid and v.entity_id = p.id and ${passesJson(condition, sql`v.value`)})`
  if (place.in === 'form') {
    const { name, column } = sources.form(place.templateId, place.fieldId)
    return sql`${holds} (select 1 from ${name} f where f.patient_profile_id = p.patient_profile_id
      and ${passesJson(condition, sql`f.${column}`)})`
  }
  const rows = sources.appointments(place.statuses)
  const value = sql`a.${sql.ref(place.metric)}`
  const some = (passing: Sql) => sql`exists (select 1 from ${rows} a where a.patient_id = p.id and ${passing})`
  if (place.metric === 'last_date')
    return sql`${negated ? sql`not ` : sql``}${some(test.is === 'set' ? sql`${value} is not null` : within(test, sql`${value} collate "C"`, kind))}`
  // Patients without appointments have a count of 0 and no row.
  const holdsForNone = passes(test, 0) !== negated
  const passing = test.is === 'set' ? sql`true` : within(test, value, kind)
  const right = negated ? sql`not (${passing})` : passing
  return holdsForNone ? sql`not ${some(sql`not (${right})`)}` : some(right)
}

/** Whether a stored value is set, of the condition's kind, and passes its test; null counts as no. */
function passesJson({ kind, test }: Condition, value: Sql): Sql {
  const text = sql`(${value} #>> '{}')`
  if (kind === 'number') {
    const number = sql`(case when jsonb_typeof(${value}) = 'number' then ${value}::numeric end)`
    return test.is === 'set' ? sql`${number} is not null` : within(test, number, kind)
  }
  if (kind === 'choices') {
    const set = sql`jsonb_typeof(${value}) = 'array' and ${value} <> '[]'`
    if (test.is !== 'chosen') return set
    return sql`${set} and ${value} ${test.how === 'any' ? sql`?|` : sql`?&`} ${test.options}::text[]`
  }
  const set = sql`jsonb_typeof(${value}) = 'string' and ${text} <> ''`
  if (kind === 'date') {
    const days = listDays(test)
    if (days) return sql`${set} and ${text} = any (${days}::text[])`
    const day = sql`${set} and ${text} ~ ${DAY_PATTERN}`
    return test.is === 'set' ? day : sql`${day} and ${within(test, sql`${text} collate "C"`, kind)}`
  }
  if (test.is === 'one_of') return sql`${set} and ${text} = any (${test.texts}::text[])`
  if (test.is === 'like') return sql`${set} and ${likeFolded(test, text)}`
  return set
}

/** To fold accents takes long: a text that has the plain letters, in whatever case, is not folded. */
function likeFolded(test: Extract<Test, { is: 'like' }>, text: Sql): Sql {
  const folded = like(test, sql`fold_segment_text(${text})`)
  return PLAIN.test(test.folded) ? sql`(${like(test, sql`lower(${text} collate "C")`)} or ${folded})` : folded
}

/** The days of a test over a few years: to look them up in a list is quicker than to hold texts against a pattern. */
function listDays(test: Test): string[] | undefined {
  if (test.is !== 'within' || !isDay(test.from?.at) || !isDay(test.to?.at)) return undefined
  const [first, last] = [yearOf(test.from.at), yearOf(test.to.at)]
  return last - first < MAX_LISTED_YEARS ? listDaysOfYears(first, last).filter((day) => passes(test, day)) : undefined
}

const yearOf = (day: string) => Number(day.slice(0, 4))

function like({ how, folded }: Extract<Test, { is: 'like' }>, text: Sql): Sql {
  if (how === 'contains') return sql`position(${folded}::text in ${text}) > 0`
  return how === 'starts_with'
    ? sql`starts_with(${text}, ${folded}::text)`
    : sql`right(${text}, char_length(${folded}::text)) = ${folded}::text`
}

function within(test: Test, value: Sql, kind: Condition['kind']): Sql {
  if (test.is !== 'within') throw new Error(`${test.is} is no test of a ${kind}`)
  const type = kind === 'number' ? sql`numeric` : sql`text`
  const bound = (one: Bound | undefined, closed: Sql, open: Sql) =>
    one === undefined ? [] : [sql`${value} ${one.open ? open : closed} ${String(one.at)}::${type}`]
  const bounds = [...bound(test.from, sql`>=`, sql`>`), ...bound(test.to, sql`<=`, sql`<`)]
  return bounds.length === 0 ? sql`true` : sql`(${sql.join(bounds, sql` and `)})`
}
