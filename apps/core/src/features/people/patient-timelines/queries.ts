import type { Patient, TimelineEntry, TimelineKind } from '@tendon/contracts'
import { asService, CLINIC, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { atTimeOf, type Position } from './rules.ts'

type Sql = RawBuilder<unknown>

/** What one kind of entry is made of. Rows of linked records are included, as in the lists. */
interface Source {
  from: Sql
  id: Sql
  at: Sql
  title: Sql
  status: Sql
  /** The specialist and the service of a visit, whose names are read for the page alone. */
  specialist?: Sql
  service?: Sql
  /** The member who acted. */
  principal?: Sql
  /** Whether the patient acted. */
  byPatient?: Sql
}

const NONE = sql`null::uuid`
const PROFILES = sql.ref('people.profiles')
const of = (table: string, alias: string) =>
  sql`${sql.table(table)} ${sql.ref(alias)} where ${sql.ref(`${alias}.organization_id`)} = ${CLINIC}
    and ${sql.ref(`${alias}.patient_profile_id`)} = any(${PROFILES})`
/** Who acted with a profile's account is the patient. */
const isPatient = (principal: Sql) =>
  sql`exists (select 1 from patient_profiles f where f.organization_id = ${CLINIC} and f.id = any(${PROFILES})
    and f.human_id = ${principal})`

const SOURCES: Record<TimelineKind, Source> = {
  visit: {
    from: sql`appointments a where a.organization_id = ${CLINIC} and a.patient_id = any(people.patients)
      and a.starts_at is not null and a.rescheduled_to_id is null and a.status not in ('waitlist', 'entered_in_error')`,
    id: sql`a.id`,
    at: sql`a.starts_at`,
    title: sql`nullif(a.title, '')`,
    status: sql`a.status`,
    specialist: sql`a.specialist_id`,
    service: sql`a.service_id`,
  },
  run: {
    from: of('session_runs', 'r'),
    id: sql`r.id`,
    at: sql`r.started_at`,
    title: sql`null::text`,
    status: sql`r.status`,
    byPatient: sql`true`,
  },
  plan: {
    from: of('treatment_plans', 't'),
    id: sql`t.id`,
    at: sql`coalesce(t.activated_at, t.created_at)`,
    title: sql`t.title`,
    status: sql`t.status`,
    principal: sql`t.created_by_principal_id`,
  },
  form: {
    from: of('forms', 'o'),
    id: sql`o.id`,
    at: sql`coalesce(o.signed_at, o.completed_at, o.created_at)`,
    title: sql`translated_title(o.title, o.translations)`,
    status: sql`o.status`,
    principal: sql`coalesce(o.signed_by_principal_id, o.created_by_principal_id)`,
    byPatient: isPatient(sql`coalesce(o.signed_by_principal_id, o.created_by_principal_id)`),
  },
  document: {
    from: sql`${of('appointment_documents', 'd')}
      and (d.form_id is null or (select current_app_has_permission('forms', 'view_org')))
      and (d.treatment_plan_id is null or (select current_app_has_permission('treatment_plans', 'view_org')))`,
    id: sql`d.id`,
    at: sql`d.created_at`,
    title: sql`coalesce(
      (select translated_title(f.title, f.translations) from forms f where f.organization_id = ${CLINIC} and f.id = d.form_id),
      (select p.title from treatment_plans p where p.organization_id = ${CLINIC} and p.id = d.treatment_plan_id))`,
    status: sql`d.kind`,
    principal: sql`d.created_by_principal_id`,
  },
  pain: {
    from: of('pain_reports', 'n'),
    id: sql`n.id`,
    at: sql`coalesce(n.occurred_at, n.created_at)`,
    title: sql`n.severity || '/10'`,
    status: sql`n.action`,
    byPatient: sql`true`,
  },
  consent: {
    from: of('consents', 'c'),
    id: sql`c.id`,
    at: sql`case when c.ended_as = 'superseded' then c.granted_at else coalesce(c.withdrawn_at, c.granted_at) end`,
    title: sql`(select translated_name(p.name, p.translations) from consent_purposes p where p.code = c.purpose_code)`,
    status: sql`coalesce(c.ended_as, 'active')`,
    principal: sql`case when c.ended_as = 'superseded' then c.granted_by_principal_id
      else coalesce(c.withdrawn_by_principal_id, c.granted_by_principal_id) end`,
    byPatient: isPatient(sql`case when c.ended_as = 'superseded' then c.granted_by_principal_id
      else coalesce(c.withdrawn_by_principal_id, c.granted_by_principal_id) end`),
  },
  condition: {
    from: of('patient_conditions', 'k'),
    id: sql`k.id`,
    at: sql`k.created_at`,
    title: sql`(select translated_name(t.name, t.translations) from taxonomy_tags t where t.id = k.condition_id)`,
    status: sql`k.status`,
    principal: sql`k.created_by_principal_id`,
  },
}

export interface TimelineRow extends Omit<TimelineEntry, 'actor'> {
  /** The time to the microsecond. */
  exact_at: string
  specialist: { id: string; name: string } | null
  principal_id: string | null
  by_patient: boolean
}

function isEarlier(kind: TimelineKind, { at, id }: Source, before: Position | undefined): Sql {
  if (!before) return sql`true`
  const time = sql`${before.at}::timestamptz`
  const place = atTimeOf(kind, before)
  if (place === 'after') return sql`${at} <= ${time}`
  if (place === 'before') return sql`${at} < ${time}`
  return sql`${at} <= ${time} and (${at}, ${id}) < (${time}, ${before.id}::uuid)`
}

function rowsOf(kind: TimelineKind, limit: number, before: Position | undefined): Sql {
  const source = SOURCES[kind]
  const {
    from,
    id,
    at,
    title,
    status,
    specialist = NONE,
    service = NONE,
    principal = NONE,
    byPatient = sql`false`,
  } = source
  return sql`(select ${sql.lit(kind)} as kind, ${id} as id, ${at} as at, ${title} as title, ${status} as status,
      ${specialist} as specialist_id, ${service} as service_id, ${principal} as principal_id, ${byPatient} as by_patient
    from people, ${from} and ${isEarlier(kind, source, before)}
    order by ${at} desc, ${id} desc limit ${limit})`
}

/** One statement. Of each kind, no more rows are read than the page has, and only of this patient. */
export async function listTimeline(
  tx: TenantTx,
  { id, patient_profile_id }: Pick<Patient, 'id' | 'patient_profile_id'>,
  { kinds, limit, before }: { kinds: readonly TimelineKind[]; limit: number; before: Position | undefined },
): Promise<TimelineRow[]> {
  if (kinds.length === 0) return []
  const { rows } = await sql<TimelineRow>`
    with people as materialized (
      select with_linked_patients(array[${id}::uuid]) as patients, linked_profile_ids(${patient_profile_id}) as profiles),
    page as (
      select * from (${sql.join(
        kinds.map((kind) => rowsOf(kind, limit, before)),
        sql` union all `,
      )}) entries
      order by at desc, kind collate "C" desc, id desc limit ${limit})
    select kind, id, at, status, principal_id, by_patient,
      coalesce(title, runs.plan_session_title, (select translated_name(s ->> 'name', s -> 'translations')
        from appointment_service(service_id) s)) as title,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact_at,
      (select jsonb_build_object('id', s -> 'id', 'name', s -> 'name') from appointment_specialist(specialist_id) s
        where s is not null) as specialist
    from page left join session_run_plans(array(select id from page where kind = 'run')) runs
      on page.kind = 'run' and runs.session_run_id = page.id
    order by at desc, kind collate "C" desc, id desc`.execute(tx)
  return rows
}

/** What the route declares. */
export const NAMING_MEMBERS = {
  codes: ['organizations.view_directory'],
  why: 'Who sees an entry also sees the name of the member who acted.',
} as const

export async function findMemberNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await asService(tx, NAMING_MEMBERS.codes, (own) =>
    own
      .selectFrom('members')
      .select(['principal_id', 'name'])
      .where(sql<boolean>`principal_id = any(${ids}::uuid[])`)
      .execute(),
  )
  return new Map(rows.flatMap(({ principal_id, name }) => (principal_id === null ? [] : [[principal_id, name]])))
}
