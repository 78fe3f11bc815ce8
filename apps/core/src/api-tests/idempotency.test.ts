import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../testing/core.ts'

describe('Idempotency-Key', () => {
  let core: TestCore
  let operator: Person
  before(async () => {
    core = await sharedCore()
    operator = await core.superadmin()
  })
  after(() => core.close())

  const create = (key: string, slug: string, as: Person = operator) =>
    core.post('/v1/organizations', { as, body: { name: 'Once', slug }, headers: { 'idempotency-key': key } })
  const unique = () => randomUUID().replaceAll('-', '')
  const countOf = async (slug: string) =>
    Number(
      (await core.database.query<{ count: string }>('select count(*) from organizations where slug = $1', [slug]))[0]
        ?.count,
    )

  test('a replay returns the original bytes and says so', async () => {
    const [key, slug] = [unique(), unique()]
    const first = await create(key, slug)
    const second = await create(key, slug)
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(second.text, first.text)
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
    assert.equal(await countOf(slug), 1)
  })

  test('twenty requests at once create one, and all get its bytes', async () => {
    const [key, slug] = [unique(), unique()]
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(key, slug)))
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    assert.equal(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null).length, 1)
    assert.equal(await countOf(slug), 1)
  })

  test('a refusal is not kept: the same key works after the cause is gone', async () => {
    const [key, slug] = [unique(), unique()]
    await create(unique(), slug)
    assert.equal((await create(key, slug)).status, 409)
    await core.database.query('update organizations set slug = $1 where slug = $2', [unique(), slug])
    assert.equal((await create(key, slug)).status, 201)
  })

  test('another body, or another principal, never gets the stored bytes', async () => {
    const [key, slug] = [unique(), unique()]
    await create(key, slug)
    const other = await core.superadmin()
    for (const answer of [await create(key, unique()), await create(key, slug, other)]) {
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'idempotency_key_reused'])
    }
  })

  test('after 24 hours the key is free again', async () => {
    const [key, slug] = [unique(), unique()]
    await create(key, slug)
    await core.database.query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = $1`, [
      key,
    ])
    assert.equal((await create(key, slug)).status, 409, 'the slug is taken: the request really ran')
    assert.equal((await create(key, unique())).status, 201)
  })

  for (const bad of ['abc', 'a'.repeat(129), 'with space', 'ütf', 'a;b;c']) {
    test(`the key ${JSON.stringify(bad.slice(0, 12))} is refused (422)`, async () => {
      const headers = {
        authorization: `Bearer ${operator.token}`,
        'content-type': 'application/json',
        'idempotency-key': bad,
      }
      const answer = await core.rawCall(
        'POST',
        '/v1/organizations',
        headers,
        JSON.stringify({ name: 'X', slug: unique() }),
      )
      assert.equal(answer.status, 422, answer.text)
      assert.ok(answer.body.error.fields['Idempotency-Key'])
    })
  }

  test('the key counts per organization and per path', async () => {
    const key = unique()
    const [one, two] = await Promise.all([core.organization(), core.organization()])
    const post = (of: typeof one, path: string, body: object) =>
      core.post(`/v1/organizations/${of.id}/${path}`, { as: of.admin, body, headers: { 'idempotency-key': key } })
    const answers = [
      await post(one, 'locations', { name: 'A' }),
      await post(two, 'locations', { name: 'A' }),
      await post(one, 'roles', { name: 'Front desk' }),
    ]
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.headers.get('idempotency-replayed')]),
      [
        [201, null],
        [201, null],
        [201, null],
      ],
    )
  })

  test('permission is checked before the stored answer is looked up', async () => {
    const [key, slug] = [unique(), unique()]
    await create(key, slug)
    assert.equal((await create(key, slug, await core.signIn())).status, 403)
  })

  test('a fault of the store does not block the request', async () => {
    await core.database.query('alter table idempotency_keys rename to idempotency_keys_away')
    try {
      const answer = await create(unique(), unique())
      assert.equal(answer.status, 201, answer.text)
    } finally {
      await core.database.query('alter table idempotency_keys_away rename to idempotency_keys')
    }
  })

  test('a stored answer that can no longer be decrypted is an error, and nothing changes', async () => {
    const [key, slug] = [unique(), unique()]
    await create(key, slug)
    await core.database.query(`update idempotency_keys set response = '\\x00' where key = $1`, [key])
    assert.equal((await create(key, slug)).status, 500)
  })

  test('the stored answer is not readable in the database', async () => {
    const [key, slug] = [unique(), unique()]
    await create(key, slug)
    const [row] = await core.database.query<{ response: Buffer }>(
      'select response from idempotency_keys where key = $1',
      [key],
    )
    assert.ok(row && !row.response.includes(slug))
  })
})
