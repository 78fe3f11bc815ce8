import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestDatabase, TestIssuer } from '@tendon/testing'
import type { Answer, CallOptions } from './call.ts'

/** Somebody who can sign in. */
export interface Person {
  id: string
  email: string
  name: string
  token: string
}

export interface TestOrganization {
  id: string
  slug: string
  /** Role code → role id, of the clones. */
  roles: Record<string, string>
  admin: Person
}

interface Tools {
  database: TestDatabase
  issuer: TestIssuer
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

/** Makes people and organizations through the API, as everybody else would. */
export function peopleOf({ database, issuer, call }: Tools) {
  let count = 0
  let operator: Promise<Person> | undefined

  async function signIn(
    claims: { email?: string; email_verified?: boolean; name?: string; sub?: string } = {},
  ): Promise<Person> {
    count += 1
    const email = claims.email ?? `person-${count}-${randomUUID().slice(0, 8)}@mail.example`
    const name = claims.name ?? `Person ${count}`
    const token = await issuer.sign({
      sub: claims.sub ?? randomUUID(),
      email,
      email_verified: claims.email_verified ?? true,
      name,
    })
    const answer = await call('GET', '/v1/me', { as: { token } })
    assert.equal(answer.status, 200, answer.text)
    return { id: answer.body.data.principal_id, email, name, token }
  }

  async function superadmin(): Promise<Person> {
    const person = await signIn({ name: 'Olivia Stone' })
    await database.query('insert into platform_memberships (principal_id) values ($1)', [person.id])
    return person
  }

  /** A new organization with an admin, made by a superadmin. */
  async function organization(values: Record<string, unknown> = {}): Promise<TestOrganization> {
    operator ??= superadmin()
    const slug = `clinic-${randomUUID().slice(0, 13)}`
    const created = await call('POST', '/v1/organizations', {
      as: await operator,
      body: { name: 'Clinica Test', slug, ...values },
    })
    assert.equal(created.status, 201, created.text)
    const { id } = created.body.data
    const roles = await database.query<{ code: string; id: string }>(
      'select code, id from roles where organization_id = $1',
      [id],
    )
    const byCode = Object.fromEntries(roles.map((role) => [role.code, role.id]))
    const admin = await member({ id, roles: byCode }, 'admin')
    return { id, slug, roles: byCode, admin }
  }

  /** A signed-in member of the organization, in the role of that code or id. */
  async function member(of: { id: string; roles: Record<string, string> }, role: string): Promise<Person> {
    const person = await signIn()
    await database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
      [of.id, person.id, of.roles[role] ?? role],
    )
    return person
  }

  /** A member whose custom role grants exactly these codes. */
  async function memberWith(of: { id: string; roles: Record<string, string> }, codes: string[]): Promise<Person> {
    const [role] = await database.query<{ id: string }>(
      `insert into roles (organization_id, code, name) values ($1, $2, 'Custom') returning id`,
      [of.id, `custom-${randomUUID().slice(0, 8)}`],
    )
    assert.ok(role)
    await database.query(
      'insert into role_permissions (role_id, organization_id, permission_code) select $1, $2, unnest($3::text[])',
      [role.id, of.id, codes],
    )
    return member(of, role.id)
  }

  /** Publishes a privacy notice for the organization, as the privacy-notices feature would: patients can then be onboarded. */
  async function publishNotice(of: { id: string }): Promise<void> {
    await database.query(
      `insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations)
       values ('org_privacy_notice', $1, (select coalesce(max(version), 0) + 1 from consent_purpose_versions
         where purpose_code = 'org_privacy_notice' and organization_id = $1), '{"en": "Notice", "ro": "Notă"}')`,
      [of.id],
    )
  }

  /** A patient of the organization: `person` owns the record when given. Written by SQL, so that no test needs a feature. */
  async function patient(
    of: { id: string },
    person?: Person,
    values: { first_name?: string; last_name?: string } = {},
  ) {
    const [profile] = await database.query<{ id: string }>(
      'insert into patient_profiles (organization_id, human_id, claimed_at) values ($1, $2, $3) returning id',
      [of.id, person?.id ?? null, person ? new Date() : null],
    )
    const [row] = await database.query<{ id: string }>(
      'insert into patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, $3, $4) returning id',
      [of.id, profile?.id, values.first_name ?? 'Maria', values.last_name ?? 'Stan'],
    )
    assert.ok(profile && row)
    return { id: row.id, profile_id: profile.id, organization_id: of.id }
  }

  /** Records that the patient has agreed to everything the gate asks for. */
  async function acceptAll(of: { organization_id: string; profile_id: string }): Promise<void> {
    await database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       select case when p.scope = 'org' then $1::uuid end, $2, p.code, (current_purpose_version(p.code, $1)).version, 'signup_checkbox'
       from consent_purposes p where p.legal_basis <> 'consent' and (current_purpose_version(p.code, $1)).version is not null
       on conflict do nothing`,
      [of.organization_id, of.profile_id],
    )
  }

  return { signIn, superadmin, organization, member, memberWith, publishNotice, patient, acceptAll }
}
