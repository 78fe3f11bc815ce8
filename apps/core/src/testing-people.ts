import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestDatabase, TestIssuer } from '@tendon/testing'
import type { Answer, CallOptions } from './testing.ts'

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
    const operator = await superadmin()
    const slug = `clinic-${randomUUID().slice(0, 13)}`
    const created = await call('POST', '/v1/organizations', {
      as: operator,
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
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
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

  return { signIn, superadmin, organization, member, memberWith }
}
