import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { processEnv, TEST_ROLE_SECRET } from '@tendon/testing'
import { pino } from 'pino'
import { runAuditVerify } from '../../../entries/audit-verify-command.ts'
import { startCore, type TestCore } from '../../../testing/core.ts'
import { complaintAbout } from '../../../testing/process.ts'
import { anchorLoop, anchorSigner, verifyAnchor } from './anchors.ts'
import { verifyAuditLog } from './verify.ts'

const COMMAND = join(import.meta.dirname, '../../../entries/audit-verify.ts')
const TABLES = ['audit_log', 'audit_seals', 'audit_seal_entries']

describe('audit:verify', () => {
  let core: TestCore
  let ids: string[]

  /** Three seals of three entries each; the ids in the order of their sealing. Kept as it is, for each test to begin with. */
  before(async () => {
    core = await startCore()
    const clinic = await core.organization()
    for (let seal = 0; seal < 3; seal += 1) {
      const written = (await query('select 1 from audit_log')).length
      for (let n = written; n < 3 * (seal + 1); n += 1) {
        await core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { name: `Name ${n}` } })
      }
      await query('select seal_audit_log(1000)')
    }
    const sealed = await query<{ entry_id: string }>(
      'select entry_id from audit_seal_entries order by seal_id, position',
    )
    ids = sealed.map((row) => row.entry_id)
    assert.equal(ids.length, 9)
    await query('create schema kept')
    for (const table of TABLES) await query(`create table kept.${table} as table ${table}`)
  })
  after(() => core.close())

  beforeEach(async () => {
    await query(`truncate ${TABLES.join()}`)
    for (const table of TABLES) await query(`insert into ${table} table kept.${table}`)
  })

  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    core.database.query<Row>(text, values)
  const verify = () => verifyAuditLog(core.services.db, () => {})
  async function problem(): Promise<string> {
    const verdict = await verify()
    assert.ok(!verdict.ok, 'the chain holds')
    return verdict.problem
  }
  /** Acts as an attacker who owns the database server and has disabled its checks. */
  const tamper = async (text: string, values: unknown[] = []) => {
    await query(`alter table audit_seal_entries disable trigger all; alter table audit_seals disable trigger all;
      alter table audit_log disable trigger all`)
    await query(text, values)
  }

  test('an unchanged log verifies, and so does an empty one', async () => {
    const lines: string[] = []
    const verdict = await verifyAuditLog(core.services.db, (line) => lines.push(line))
    assert.ok(verdict.ok)
    assert.deepEqual([verdict.seals, verdict.entries, verdict.newest?.id], [3, 9, 3])
    assert.deepEqual(lines, ['3 seals, 9 entries checked'])
    await query(`truncate ${TABLES.join()}`)
    assert.deepEqual(await verify(), { ok: true, seals: 0, entries: 0, newest: undefined })
  })

  test('destroyed keys change nothing; neither do rows that still wait for their seal', async () => {
    await query('update audit_keys set wrapped_key = null, destroyed_at = now() where wrapped_key is not null')
    const clinic = await core.organization()
    await core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { name: 'Later' } })
    assert.equal((await verify()).ok, true)
  })

  for (const column of ['action', 'target_id', 'request_id']) {
    test(`a changed ${column} is found`, async () => {
      await tamper(`update audit_log set ${column} = 'changed' where id = $1`, [ids[4]])
      assert.match(await problem(), new RegExp(`The row of entry ${ids[4]} .* was changed after seal 2`))
    })
  }

  test('a changed time and changed personal bytes are found', async () => {
    await tamper(`update audit_log set occurred_at = occurred_at + interval '1 microsecond' where id = $1`, [ids[0]])
    assert.match(await problem(), new RegExp(`entry ${ids[0]} .* was changed after seal 1`))
    await tamper(`update audit_log set occurred_at = occurred_at - interval '1 microsecond' where id = $1`, [ids[0]])
    await tamper(`update audit_log set personal = personal || '\\x00' where id = $1`, [ids[8]])
    assert.match(await problem(), new RegExp(`entry ${ids[8]} .* was changed after seal 3`))
  })

  test('a read trace that was added later is found', async () => {
    await tamper('update audit_log set trace_id = $2 where id = $1', [ids[4], ids[0]])
    assert.match(await problem(), new RegExp(`entry ${ids[4]} .* was changed after seal 2`))
  })

  test('a deleted row is found, with or without its place in the seal', async () => {
    await tamper('delete from audit_log where id = $1', [ids[5]])
    assert.match(await problem(), new RegExp(`The row of entry ${ids[5]} .* is missing; seal 2`))
    await tamper('delete from audit_seal_entries where entry_id = $1', [ids[5]])
    assert.equal(await problem(), 'The entry at position 3 of seal 2 is missing.')
    await tamper('update audit_seals set entry_count = 2 where id = 2')
    assert.match(await problem(), /Seal 2 was changed: its hash does not fit/)
  })

  test('a deleted seal is found', async () => {
    await tamper('delete from audit_seals where id = 2')
    assert.equal(await problem(), 'Seal 2 is missing; the next one is seal 3.')
    await tamper('delete from audit_seals where id = 1')
    assert.equal(await problem(), 'Seal 1 is missing; the next one is seal 3.')
  })

  test('a changed seal is found, whichever of its fields', async () => {
    await tamper(`update audit_seals set hash = sha256('x') where id = 3`)
    assert.match(await problem(), /Seal 3 was changed: its hash/)
    await tamper(`update audit_seals set prev_hash = sha256('x') where id = 2`)
    assert.match(await problem(), /Seal 2 does not continue seal 1/)
    await tamper(`update audit_seals set prev_hash = sha256('x') where id = 1`)
    assert.match(await problem(), /Seal 1 was changed: it is the first/)
  })

  test('a row and its digest changed together are found', async () => {
    await tamper(`update audit_log set action = 'changed' where id = $1`, [ids[3]])
    await tamper('update audit_seal_entries e set digest = audit_digest(a) from audit_log a where a.id = e.entry_id')
    assert.match(await problem(), /Seal 2 was changed/)
    await tamper(`update audit_seal_entries set digest = sha256('x') where entry_id = $1`, [ids[1]])
    assert.match(await problem(), new RegExp(`digest that seal 1 keeps of entry ${ids[1]} `))
    await tamper(`update audit_seals set hash = audit_seal_hash(prev_hash, (
      select array_agg(digest order by position) from audit_seal_entries where seal_id = 1)) where id = 1`)
    assert.match(await problem(), new RegExp(`entry ${ids[1]} .* was changed after seal 1`))
  })

  test('a row inserted with an old date is found, also under a seal outside the chain', async () => {
    const [row] = await query<{ id: string }>(
      `insert into audit_log (id, organization_id, occurred_at, actor_type, action, crud, target_type, key_id, personal)
       select gen_random_uuid(), organization_id, now() - interval '2 hours', 'user', 'x', 'C', 'x', key_id, ''
       from audit_log where organization_id is not null limit 1 returning id`,
    )
    assert.match(await problem(), new RegExp(`Entry ${row?.id} of .* has no seal`))
    await tamper(`insert into audit_seals (id, hash, entry_count) values (-1, '', 1)`)
    await tamper(`insert into audit_seal_entries (entry_id, seal_id, position, digest) values ($1, -1, 1, '')`, [
      row?.id,
    ])
    assert.equal(await problem(), 'Seal 1 is missing; the next one is seal -1.')
  })

  describe('the anchor in the object store', () => {
    const signer = () => anchorSigner(core.services.config.KEYRING)
    const anchored = () => verifyAnchor(core.services.db, core.services.objects, signer())
    const round = () => anchorLoop.start(core.services, pino({ level: 'silent' }))()
    const KEY = 'audit-anchors/000000000000003.json'
    before(async () => {
      assert.deepEqual(await anchored(), { ok: true, anchor: undefined })
      await Promise.all([round(), round()])
    })

    test('names the newest seal, and fits it', async () => {
      const verdict = await anchored()
      assert.ok(verdict.ok)
      assert.equal(verdict.anchor?.seal_id, 3)
      const [seal] = await query<{ hash: Buffer }>('select hash from audit_seals where id = 3')
      assert.equal(verdict.anchor?.hash, seal?.hash.toString('hex'))
    })

    test('the anchor in the object store shows that the newest seals were cut off with their entries', async () => {
      await tamper('delete from audit_seal_entries where seal_id = 3')
      await tamper('delete from audit_seals where id = 3')
      await tamper('delete from audit_log where id = any ($1)', [ids.slice(6)])
      assert.equal((await verify()).ok, true, 'the chain alone still holds')
      const verdict = await anchored()
      assert.match(verdict.ok ? '' : verdict.problem, /^Seal 3, which was anchored at .+Z, is missing\.$/)
    })

    test('the anchor in the object store shows that the whole chain was written again', async () => {
      await tamper(`update audit_seals set hash = sha256('x') where id = 3`)
      const verdict = await anchored()
      assert.match(verdict.ok ? '' : verdict.problem, /^Seal 3, .+, has another hash than its anchor\.$/)
    })

    test('the anchor in the object store is refused when it was forged, damaged or signed with another key', async (t) => {
      const { objects } = core.services
      const stored = await objects.get(KEY)
      assert.ok(stored)
      const text = (await buffer(stored.body)).toString('utf8')
      const put = (changed: string) =>
        objects.put(KEY, Buffer.from(changed), { contentType: 'application/json', maxBytes: 4_096 })
      t.after(() => put(text))
      for (const [changed, problem] of [
        [
          text.replace(/"hash":"(.)/, (_, first) => `"hash":"${first === '0' ? '1' : '0'}`),
          'is not signed with a key of KEYRING',
        ],
        [text.replace(/"key_id":"[^"]+"/, '"key_id":"other"'), 'is not signed with a key of KEYRING'],
        [text.slice(0, 40), 'is damaged'],
        ['', 'is damaged'],
      ] as const) {
        await put(changed)
        const verdict = await anchored()
        assert.equal(verdict.ok ? '' : verdict.problem, `The anchor ${KEY} ${problem}.`)
      }
    })
  })

  test('the command prints the verdict and exits accordingly', async () => {
    // The anchor is read from the object store, by default a folder of the clone: an earlier run may have left one there.
    const settings = { DATABASE_URL: core.database.url, DATA_DIR: join(core.config.DATA_DIR, 'without-anchor') }
    const good = await run(settings)
    assert.equal(good.code, 0, good.output)
    assert.match(
      good.output,
      /Newest seal: 3 [0-9a-f]{64}\nThere is no anchor .+\n3 seals, 9 entries: the chain holds\n$/,
    )
    await tamper('delete from audit_seals where id = 1')
    const bad = await run(settings)
    assert.equal(bad.code, 1)
    assert.match(bad.output, /^The audit log does not verify\. Seal 1 is missing/)
    const none = runAuditVerify({ DATA_DIR: join(core.config.DATA_DIR, 'nothing-here') }, () => {})
    assert.equal(await complaintAbout(none), 'Start the project first with npm start, or set DATABASE_URL.')
  })
})

function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [COMMAND], {
    env: { ...processEnv(), DATABASE_ROLE_SECRET: TEST_ROLE_SECRET, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}
