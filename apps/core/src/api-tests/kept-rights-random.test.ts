import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hashSessionId } from '@tendon/access'
import { pickFrom, randomFrom, soakRuns, soakSeed } from '@tendon/testing'
import { type Person, sharedCore, type TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'
import { probe } from './kept-rights.testing.ts'

const STEPS = soakRuns(1_600)
const PEOPLE = 4
const CODES = ['patients.view_org', 'organizations.update', 'locations.manage']

describe('random changes of rights', () => {
  let keeping: TestCore
  let asking: TestCore
  before(async () => {
    keeping = await sharedCore({ routes: [probe] })
    asking = await sharedCore({ routes: [probe], env: { CALLER_CACHE_MS: '0' } })
  })
  after(async () => {
    await keeping.close()
    await asking.close()
  })

  const random = randomFrom(soakSeed())
  const pick = pickFrom(random)
  const write = (text: string, values: unknown[]) => keeping.database.query(text, values)

  async function scene() {
    const clinics = [await keeping.organization(), await keeping.organization()]
    const people: Person[] = []
    for (let count = 0; count < PEOPLE; count += 1) people.push(await keeping.signIn())
    for (const person of people) await asking.get('/v1/me', { as: person })
    const profiles: string[] = []
    for (const clinic of clinics) for (const _ of people) profiles.push((await keeping.patient(clinic)).profile_id)
    const sessions = people.flatMap((person) =>
      (['console', 'portal'] as const).map((app) => ({ person, app, id: randomUUID() })),
    )
    for (const session of sessions) await open(session)
    return { clinics, people, profiles, sessions }
  }
  type Scene = Awaited<ReturnType<typeof scene>>

  const open = ({ id, app, person }: { id: string; app: string; person: Person }) =>
    write(
      `insert into web_sessions (id_hash, app, issuer, subject, idle_limit, expires_at)
       select $1, $2, issuer, subject, '30 minutes', now() + interval '1 hour' from identities where human_id = $3
       on conflict (id_hash) do update set expires_at = excluded.expires_at, seen_at = now()`,
      [hashSessionId(id), app, person.id],
    )

  const roleOf = (clinic: TestOrganization) => pick(Object.values(clinic.roles))
  const CHANGES: Record<string, (scene: Scene, person: Person, clinic: TestOrganization) => Promise<unknown>> = {
    join: (_scene, { id }, clinic) =>
      write(
        `insert into organization_memberships (organization_id, principal_id, role_id, joined_at)
         values ($1, $2, $3, $4) on conflict (organization_id, principal_id) do update set role_id = excluded.role_id`,
        [clinic.id, id, roleOf(clinic), pick([null, new Date()])],
      ),
    leave: (_scene, { id }, clinic) =>
      write('delete from organization_memberships where organization_id = $1 and principal_id = $2', [clinic.id, id]),
    permit: (_scene, _person, clinic) =>
      write(
        `insert into role_permissions (role_id, organization_id, permission_code) values ($1, $2, $3) on conflict do nothing`,
        [roleOf(clinic), clinic.id, pick(CODES)],
      ),
    forbid: (_scene, _person, clinic) =>
      write('delete from role_permissions where role_id = $1 and permission_code = $2', [roleOf(clinic), pick(CODES)]),
    promote: (_scene, { id }) => write('insert into platform_memberships (principal_id) values ($1)', [id]),
    demote: (_scene, { id }) => write('delete from platform_memberships where principal_id = $1', [id]),
    speak: (_scene, _person, clinic) =>
      write('update organizations set language_code = $2 where id = $1', [clinic.id, pick(['en', 'ro', 'de'])]),
    rename: (_scene, { id }) =>
      write('update humans set name = $2, preferred_language = $3 where id = $1', [
        id,
        pick(['Ana', 'Bea']),
        pick([null, 'en', 'ro']),
      ]),
    switch: ({ clinics }, { id }) =>
      write('update humans set current_organization_id = $2 where id = $1', [id, pick([null, ...clinics])?.id]),
    claim: ({ profiles }, { id }) =>
      write('update patient_profiles set human_id = $2, claimed_at = now() where id = $1', [pick(profiles), id]),
    unlink: ({ profiles }) =>
      write('update patient_profiles set human_id = null, claimed_at = null where id = $1', [pick(profiles)]),
    remove: ({ profiles }) =>
      write('update patients set deleted_at = now() where patient_profile_id = $1', [pick(profiles)]),
    restore: ({ profiles }) =>
      write('update patients set deleted_at = null where patient_profile_id = $1', [pick(profiles)]),
    expire: ({ sessions }) =>
      write(`update web_sessions set expires_at = now() where id_hash = $1`, [hashSessionId(pick(sessions).id)]),
    idle: ({ sessions }) =>
      write(`update web_sessions set seen_at = now() - interval '31 minutes' where id_hash = $1`, [
        hashSessionId(pick(sessions).id),
      ]),
    signOut: ({ sessions }) => write('delete from web_sessions where id_hash = $1', [hashSessionId(pick(sessions).id)]),
    signIn: ({ sessions }) => open(pick(sessions)),
  }

  async function see(core: TestCore, headers: Record<string, string>) {
    const { status, body } = await core.get('/v1/probe/caller', { headers })
    return { status, caller: body?.error?.code ?? body }
  }

  test('a server that keeps callers and one that looks them up every time answer the same', async () => {
    const all = await scene()
    const done = new Map<string, number>()
    for (let step = 0; step < STEPS; step += 1) {
      const [person, clinic] = [pick(all.people), pick(all.clinics)]
      const session = pick(all.sessions)
      const credentials = pick<Record<string, string>>([
        { authorization: `Bearer ${person.token}` },
        { cookie: `tendon_${session.app}=${session.id}`, 'x-tendon-web': session.app },
      ])
      const headers = { ...credentials, ...pick<Record<string, string>>([{}, { 'x-organization-id': clinic.id }]) }
      await see(keeping, headers)
      const what = pick(Object.keys(CHANGES))
      // Some are refused: a superadmin has no memberships, a clinic keeps a manager.
      const isDone = await CHANGES[what]?.(all, person, clinic).then(
        () => true,
        () => false,
      )
      if (isDone) done.set(what, (done.get(what) ?? 0) + 1)
      const kept = await see(keeping, headers)
      assert.deepEqual(kept, await see(asking, headers), `step ${step}: ${what}`)
    }
    assert.deepEqual([...done.keys()].sort(), Object.keys(CHANGES).sort())
  })
})
