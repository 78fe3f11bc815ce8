import { randomUUID } from 'node:crypto'
import { portOf } from '@tendon/testing'
import fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

// The six requests of bench/peers.ts as a small program would answer them: Fastify, pg and plain SQL on the same tables, one
// audit row for each read of one patient and each write. It checks that the caller belongs to the clinic, and nothing else.

const POOL_SIZE = 10

const CALLER = `select m.organization_id as clinic, m.principal_id as caller from identities i
  join organization_memberships m on m.principal_id = i.human_id where i.subject = $1`
const COLUMNS = `p.id, p.patient_profile_id, p.first_name, p.last_name, p.email, p.phone, p.birth_date, p.sex, p.language_code,
  p.address, p.notes, p.restricted_at, p.merged_into_id, p.created_at, p.updated_at, p.version, p.deleted_at,
  f.human_id is not null as claimed, f.national_id_encrypted is not null as has_national_id`
const PATIENTS = `from patients p join patient_profiles f on f.organization_id = p.organization_id and f.id = p.patient_profile_id
  where p.organization_id = $1 and p.deleted_at is null`
const FREE = `select s.id as specialist_id, slot as starts_at
  from service_specialists o
  join specialists s on s.organization_id = o.organization_id and s.id = o.specialist_id
  join calendars c on c.organization_id = s.organization_id and c.specialist_id = s.id and c.is_active
  cross join jsonb_to_recordset(c.weekly_hours) as h (weekday int, start time, "end" time)
  cross join generate_series($3::timestamptz, $4::timestamptz - interval '1 day', interval '1 day') day
  cross join lateral generate_series((day::date + h.start) at time zone s.scheduling_timezone,
    (day::date + h."end") at time zone s.scheduling_timezone - interval '50 minutes', interval '1 hour') slot
  where o.organization_id = $1 and o.service_id = $2 and extract(isodow from day) = h.weekday
    and not exists (select 1 from time_claims t where t.organization_id = $1 and t.specialist_id = s.id
      and t.during && tstzrange(slot, slot + interval '50 minutes'))
  order by slot, s.id limit 1000`

export const AUDIT_TABLE = `create table plain_audit (id uuid primary key default uuidv7(), organization_id uuid not null, at timestamptz
  not null default now(), caller uuid not null, action text not null, target uuid, changes jsonb);
  create index on plain_audit (organization_id, at desc); create index on plain_audit (organization_id, target, at desc)`

interface Asked {
  Params: { id: string }
  Querystring: { q?: string; service_id?: string; from?: string; to?: string }
  Body: { first_name: string; last_name: string; email: string }
}

interface Caller {
  clinic: string
  caller: string
}

export async function startPlain(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE })
  const app = fastify()

  async function callerOf({ headers }: FastifyRequest): Promise<Caller> {
    const { rows } = await pool.query<Caller>({ name: 'caller', text: CALLER, values: [headers.authorization] })
    const [caller] = rows
    if (!caller) throw new Error('unknown caller')
    return caller
  }

  async function inTransaction<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  const audit = (client: pg.ClientBase, { clinic, caller }: Caller, action: string, target: string, changes?: object) =>
    client.query({
      name: 'audit',
      text: 'insert into plain_audit (organization_id, caller, action, target, changes) values ($1, $2, $3, $4, $5)',
      values: [clinic, caller, action, target, changes === undefined ? null : JSON.stringify(changes)],
    })

  app.get<Asked>('/v1/patients/:id', async (request) => {
    const caller = await callerOf(request)
    return inTransaction(async (client) => {
      const { rows } = await client.query({
        name: 'patient',
        text: `select ${COLUMNS} ${PATIENTS} and p.id = $2`,
        values: [caller.clinic, request.params.id],
      })
      await audit(client, caller, 'read', request.params.id)
      return { data: rows[0] }
    })
  })

  app.get<Asked>('/v1/patients', async (request) => {
    const { clinic } = await callerOf(request)
    const words = (request.query.q ?? '')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(' ')
      .filter(Boolean)
    const found = words.map((_, index) => `and p.search_text like $${index + 2}`).join(' ')
    const values = [clinic, ...words.map((word) => `%${word}%`)]
    const [page, total] = await Promise.all([
      pool.query({
        name: `page ${words.length}`,
        text: `select ${COLUMNS} ${PATIENTS} ${found} order by p.created_at desc, p.id desc limit 50`,
        values,
      }),
      pool.query({ name: `total ${words.length}`, text: `select count(*)::int as total ${PATIENTS} ${found}`, values }),
    ])
    return { data: page.rows, pagination: total.rows[0] }
  })

  app.post<Asked>('/v1/patients', async (request, reply) => {
    const caller = await callerOf(request)
    const { first_name, last_name, email } = request.body
    const id = randomUUID()
    await inTransaction(async (client) => {
      const same = await client.query({
        name: 'same',
        text: 'select id from patients where organization_id = $1 and email = $2 and deleted_at is null',
        values: [caller.clinic, email],
      })
      if (same.rows.length > 0) throw new Error('there is one')
      await client.query({
        name: 'create',
        text: `with profile as (insert into patient_profiles (organization_id) values ($1) returning id)
          insert into patients (id, organization_id, patient_profile_id, first_name, last_name, email)
          select $2, $1, id, $3, $4, $5 from profile`,
        values: [caller.clinic, id, first_name, last_name, email],
      })
      await audit(client, caller, 'create', id, request.body)
    })
    return reply.code(201).send({ data: { id, ...request.body } })
  })

  app.put<Asked>('/v1/patients/:id', async (request) => {
    const caller = await callerOf(request)
    const { id } = request.params
    const { first_name, last_name, email } = request.body
    return inTransaction(async (client) => {
      const { rows } = await client.query({
        name: 'before',
        text: 'select first_name, last_name, email from patients where organization_id = $1 and id = $2 for update',
        values: [caller.clinic, id],
      })
      await client.query({
        name: 'update',
        text: 'update patients set first_name = $3, last_name = $4, email = $5 where organization_id = $1 and id = $2',
        values: [caller.clinic, id, first_name, last_name, email],
      })
      await audit(client, caller, 'update', id, { before: rows[0], after: request.body })
      return { data: { id, ...request.body } }
    })
  })

  app.get<Asked>('/v1/availability', async (request) => {
    const { clinic } = await callerOf(request)
    const { service_id, from, to } = request.query
    const { rows } = await pool.query({ name: 'free', text: FREE, values: [clinic, service_id, from, to] })
    return { data: rows }
  })

  await app.listen({ port: 0, host: '127.0.0.1' })
  return portOf(app.server)
}
