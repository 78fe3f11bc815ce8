import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { processEnv, TEST_ROLE_SECRET } from '@tendon/testing'
import { startCore, type TestCore } from '../testing/core.ts'
import { complaintAbout } from '../testing/process.ts'
import { CommandRefusal, runSuperadmin, superadminCommand } from './superadmin-command.ts'

const call = (args: string[], env: Record<string, string>) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const options = { env: { ...processEnv(), DATABASE_ROLE_SECRET: TEST_ROLE_SECRET, ...env } }
    execFile(process.execPath, [join(import.meta.dirname, 'superadmin.ts'), ...args], options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })

describe('npm run superadmin', () => {
  let core: TestCore
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  const run = (...args: string[]) => superadminCommand(args, core.services)
  const refusal = (args: string[], words: RegExp) =>
    assert.rejects(run(...args), (error: unknown) => error instanceof CommandRefusal && words.test(error.message))
  const me = async (token: string) => (await core.get('/v1/me', { as: { token } })).body.data

  test('the first superadmin can be added before any sign-in, and the audit names the system', async () => {
    assert.match(await run('list'), /no superadmin yet/)
    assert.match(await run('grant', 'First@Tendon.example'), /First@Tendon\.example is a superadmin now/)
    assert.match(await run('grant', 'first@tendon.example'), /already/)
    assert.match(await run('list'), /first@tendon\.example {2}\(has not signed in yet\).* by the command line/i)
    const person = await core.signIn({ email: 'first@tendon.example', name: 'Olivia Stone' })
    assert.equal((await me(person.token)).is_superadmin, true)
    assert.match(await run('list'), /Olivia Stone/)
    const rows = await core.database.query(
      `select organization_id, action, actor_type, actor_principal_id from audit_log where target_id = $1`,
      [person.id],
    )
    assert.deepEqual(rows, [
      { organization_id: null, action: 'platform_memberships.grant', actor_type: 'system', actor_principal_id: null },
    ])
  })

  test('somebody who has signed in is found by their verified e-mail', async () => {
    const person = await core.signIn()
    await run('grant', person.email)
    assert.equal((await me(person.token)).is_superadmin, true)
    assert.match(await run('revoke', person.email), /no longer/)
    assert.equal((await me(person.token)).is_superadmin, false)
    await refusal(['revoke', person.email], /not a superadmin/)
  })

  test('an e-mail address that is not verified yet waits until it is', async () => {
    const email = `late-${randomUUID().slice(0, 8)}@mail.example`
    const sub = randomUUID()
    const unproven = await core.signIn({ email, sub, email_verified: false })
    await run('grant', email)
    assert.equal((await me(unproven.token)).is_superadmin, false)
    const proven = await core.signIn({ email, sub })
    assert.equal(proven.id, unproven.id)
    assert.equal((await me(proven.token)).is_superadmin, true)
    assert.equal((await run('list')).split('\n').filter((line) => line.includes(email)).length, 1)
  })

  test('a member whose e-mail address was made superadmin stays a member; the grant waits', async () => {
    const email = `both-${randomUUID().slice(0, 8)}@mail.example`
    const sub = randomUUID()
    const clinic = await core.organization()
    const person = await core.signIn({ email, sub, email_verified: false })
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [clinic.id, person.id, clinic.roles.specialist],
    )
    await run('grant', email)
    const { token } = await core.signIn({ email, sub })
    const now = await me(token)
    assert.equal(now.is_superadmin, false)
    assert.equal(now.memberships.length, 1)
    assert.match(await run('list'), new RegExp(email))
  })

  test('a member is refused, and so is revoking the last one', async () => {
    const clinic = await core.organization()
    await refusal(['grant', clinic.admin.email], /belongs to an organization/)
    const only = await core.superadmin()
    await core.database.query('delete from platform_memberships where principal_id <> $1', [only.id])
    await refusal(['revoke', only.email], /last superadmin/)
  })

  test('any other argument prints the usage', async () => {
    for (const args of [
      [],
      ['grant'],
      ['grant', 'no-address'],
      ['grant', 'a@b.example', 'more'],
      ['list', 'x'],
      ['x'],
    ]) {
      await refusal(args, /^Usage:/)
    }
  })

  test('the command itself prints the answer, or the reason with exit code 1', async () => {
    const granted = await call(['grant', 'shell@tendon.example'], { DATABASE_URL: core.database.url })
    assert.deepEqual([granted.code, granted.err], [0, ''])
    assert.match(granted.out, /shell@tendon\.example is a superadmin now/)
    const used = await call(['grant'], { DATABASE_URL: core.database.url })
    assert.deepEqual([used.code, used.out], [1, ''])
    assert.match(used.err, /^Usage:/)
  })

  test('it finds the database of the running project, and says so when there is none', async () => {
    const env = { DATA_DIR: core.config.DATA_DIR, DATABASE_ROLE_SECRET: TEST_ROLE_SECRET }
    const file = join(core.config.DATA_DIR, 'database.url')
    assert.match(await complaintAbout(runSuperadmin(['list'], env)), /^Start the project first with npm start/)
    await writeFile(file, 'postgres://postgres@127.0.0.1:1/tendon\n')
    assert.match(await complaintAbout(runSuperadmin(['list'], env)), /Start the project first with npm start/)
    await writeFile(file, `${core.database.url}\n`)
    assert.match(await runSuperadmin(['grant', 'file@tendon.example'], env), /file@tendon\.example is a superadmin now/)
  })
})
