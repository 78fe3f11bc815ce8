import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { hashSessionId } from '@tendon/access'
import { authenticated } from '@tendon/http'
import type { Routes } from '../feature.ts'
import type { Answer, Person, TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'

/** Answers with everything that is known of the caller. */
export const probe: Routes = (app) => {
  const config = { access: authenticated(), gate: 'open', summary: 'Probe' } as const
  app.get('/v1/probe/caller', { config }, async ({ caller }) => ({ ...caller, break_glass_id: null }))
}

/** Something that a person has, and that is taken away and given back. */
interface Right {
  /** The request that needs it: at this server, or another one. */
  request: { path: string; headers: Record<string, string> }
  refusedWith: number
  take(): Promise<unknown>
  giveBack(): Promise<unknown>
}

const ok = async (answer: Promise<Answer>) => {
  const { status, text } = await answer
  assert.ok(status < 300, `${status} ${text}`)
}

const MEMBERS = 'organizations.manage_members'

export const RIGHTS = [
  'a permission of their role',
  'their role',
  'their membership',
  'their membership, which they end themself',
  'being a superadmin',
  'their patient record',
  'the session of a browser',
  'all their sessions',
] as const

/** Each with people of its own. */
export function rightsOf(core: TestCore): Record<(typeof RIGHTS)[number], () => Promise<Right>> {
  const asked = (path: string, person: Person) => ({ path, headers: { authorization: `Bearer ${person.token}` } })
  const roles = (clinic: TestOrganization) => `/v1/organizations/${clinic.id}/roles`
  const members = (clinic: TestOrganization) => `/v1/organizations/${clinic.id}/members`

  async function memberOf(clinic: TestOrganization) {
    const as = clinic.admin
    const { body } = await core.post(roles(clinic), { as, body: { name: randomUUID(), permissions: [MEMBERS] } })
    return { person: await core.member(clinic, body.data.id), roleId: String(body.data.id) }
  }
  async function membership(end: (clinic: TestOrganization, person: Person) => Promise<Answer>): Promise<Right> {
    const clinic = await core.organization()
    const { person, roleId } = await memberOf(clinic)
    const body = { email: person.email, role_id: roleId }
    return {
      request: asked(`/v1/organizations/${clinic.id}`, person),
      refusedWith: 403,
      take: () => ok(end(clinic, person)),
      giveBack: () => ok(core.post(members(clinic), { as: clinic.admin, body })),
    }
  }
  const session = async (person: Person) => {
    const id = randomUUID()
    await core.database.query(
      `insert into web_sessions (id_hash, app, issuer, subject, idle_limit, expires_at)
       select $1, 'console', issuer, subject, '30 minutes', now() + interval '1 hour' from identities where human_id = $2`,
      [hashSessionId(id), person.id],
    )
    return id
  }

  return {
    async 'a permission of their role'() {
      const clinic = await core.organization()
      const { person, roleId } = await memberOf(clinic)
      const put = (permissions: string[]) =>
        ok(core.put(`${roles(clinic)}/${roleId}/permissions`, { as: clinic.admin, body: { permissions } }))
      return {
        request: asked(`${roles(clinic)}/picker`, person),
        refusedWith: 403,
        take: () => put([]),
        giveBack: () => put([MEMBERS]),
      }
    },
    async 'their role'() {
      const clinic = await core.organization()
      const { person, roleId } = await memberOf(clinic)
      const { body } = await core.post(roles(clinic), { as: clinic.admin, body: { name: 'Less', permissions: [] } })
      const assign = (role_id: string) =>
        ok(core.post(members(clinic), { as: clinic.admin, body: { email: person.email, role_id } }))
      return {
        request: asked(`${roles(clinic)}/picker`, person),
        refusedWith: 403,
        take: () => assign(body.data.id),
        giveBack: () => assign(roleId),
      }
    },
    'their membership': () =>
      membership((clinic, person) => core.delete(`${members(clinic)}/${person.id}`, { as: clinic.admin })),
    'their membership, which they end themself': () =>
      membership((clinic, person) => core.delete(`/v1/me/memberships/${clinic.id}`, { as: person })),
    async 'being a superadmin'() {
      const [operator, person] = [await core.superadmin(), await core.superadmin()]
      const path = '/v1/admin/platform-memberships'
      return {
        request: asked(path, person),
        refusedWith: 403,
        take: () => ok(core.delete(`${path}/${person.id}`, { as: operator })),
        giveBack: () => ok(core.post(path, { as: operator, body: { principal_id: person.id } })),
      }
    },
    async 'their patient record'() {
      const clinic = await core.organization()
      const person = await core.signIn()
      const owned = async () => {
        const record = await core.patient(clinic, person)
        await core.acceptAll(record)
        return record
      }
      let record = await owned()
      return {
        request: {
          path: '/v1/me',
          headers: { authorization: `Bearer ${person.token}`, 'x-organization-id': clinic.id },
        },
        refusedWith: 403,
        take: () => ok(core.delete(`/v1/patients/${record.id}`, { as: clinic.admin })),
        async giveBack() {
          record = await owned()
        },
      }
    },
    async 'the session of a browser'() {
      const clinic = await core.organization()
      const headers: Record<string, string> = { 'x-tendon-web': 'console', 'sec-fetch-site': 'same-origin' }
      const giveBack = async () => {
        headers.cookie = `tendon_console=${await session(clinic.admin)}`
      }
      await giveBack()
      return {
        request: { path: `/v1/organizations/${clinic.id}`, headers },
        refusedWith: 401,
        take: () => ok(core.post('/auth/sign-out', { headers })),
        giveBack,
      }
    },
    async 'all their sessions'() {
      const clinic = await core.organization()
      const headers: Record<string, string> = { 'x-tendon-web': 'console' }
      const giveBack = async () => {
        headers.cookie = `tendon_console=${await session(clinic.admin)}`
      }
      await giveBack()
      return {
        request: { path: `/v1/organizations/${clinic.id}`, headers },
        refusedWith: 401,
        take: () => ok(core.delete('/v1/me/sessions', { as: clinic.admin })),
        giveBack,
      }
    },
  }
}
