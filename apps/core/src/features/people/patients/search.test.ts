import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

interface Someone {
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
}

// The reference: what a search for patients means, in TypeScript.
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const textOf = ({ first_name, last_name, email, phone }: Someone) =>
  fold([first_name, last_name, email ?? '', phone ?? '', (phone ?? '').replace(/\D/g, '')].join(' '))
const isFound = (someone: Someone, q: string) =>
  fold(q)
    .split(/\s+/)
    .every((word) => textOf(someone).includes(word))

const FORMS: Record<string, string[]> = {
  s: ['s', 'S', 'ș', 'ş', 'Ș', 'Ş', 's\u0326', 'S\u0327'],
  t: ['t', 'T', 'ț', 'ţ', 'Ț', 'Ţ', 't\u0326', 'T\u0327'],
  a: ['a', 'A', 'ă', 'â', 'Ă', 'Â', 'a\u0306', 'A\u0302'],
  i: ['i', 'I', 'î', 'Î', 'i\u0302'],
}
/** The same letters in any of their Romanian spellings: comma, cedilla, decomposed, small, capital, bare. */
const spelled = (text: string) =>
  fc
    .tuple(...Array.from(text, (letter) => fc.constantFrom(...(FORMS[letter] ?? [letter, letter.toUpperCase()]))))
    .map((letters) => letters.join(''))
const NAMES = ['stefan', 'ana', 'sanda', 'tiberiu', 'ion', 'matei', 'anastasia', 'tasia', 'dan', 'iasmina', 'stanca']
const name = fc.constantFrom(...NAMES).chain(spelled)
const someone: fc.Arbitrary<Someone> = fc.record({
  first_name: fc.oneof(
    name,
    fc.tuple(name, name).map(([one, two]) => `${one}-${two}`),
  ),
  last_name: fc.oneof(
    name,
    fc.tuple(name, name).map(([one, two]) => `${one} ${two}`),
  ),
  email: fc.option(fc.constantFrom(...NAMES).map((part) => `${part}_${part}@mail.example`)),
  phone: fc.option(fc.constantFrom('0722 555 010', '+40 (733) 555-011', '0744.555.012')),
})
const part = fc
  .constantFrom(...NAMES)
  .chain((text) =>
    fc
      .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
      .chain(([from, length]) => spelled(text.slice(from, from + length))),
  )
const query = fc
  .array(
    fc.oneof({ arbitrary: part, weight: 8 }, fc.constantFrom('0722', '0733555', '555 010', '_', '%', 'a_a@m', '\\')),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((words) => words.join(' '))

describe('the search for patients', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  async function insert(people: Someone[], of = clinic): Promise<string[]> {
    const ids = await Promise.all(people.map((person) => core.patient(of, undefined, person)))
    await Promise.all(
      people.map(({ email, phone }, place) =>
        core.database.query('update patients set email = $2, phone = $3 where id = $1', [ids[place]?.id, email, phone]),
      ),
    )
    return ids.map(({ id }) => id)
  }

  async function search(q: string, of = clinic): Promise<string[]> {
    const { status, body, text } = await core.get(`/v1/patients?limit=500&q=${encodeURIComponent(q)}`, { as: of.admin })
    assert.equal(status, 200, text)
    assert.equal(body.pagination.total, body.data.length)
    return body.data.map((row: { id: string }) => row.id)
  }

  const nobody = { email: null, phone: null }

  test('folds Romanian letters, with comma and with cedilla, both ways', async () => {
    const of = await core.organization()
    const spellings = ['Ștefan', 'Ştefan', 'stefan', 'ȘTEFAN', 'Ștefan'.normalize('NFD')]
    const ids = await insert(
      spellings.map((first_name) => ({ first_name, last_name: 'Ţânţaru', ...nobody })),
      of,
    )
    for (const q of [...spellings, 'țânțaru', 'ţanţaru', 'TANTARU', 'tef', 'Ânțar'])
      assert.deepEqual((await search(q, of)).sort(), ids.toSorted(), q)
  })

  test('the search for patients finds the words in any order, and needs every one of them', async () => {
    const of = await core.organization()
    const [maria] = await insert(
      [
        { first_name: 'Maria Ioana', last_name: 'Stan Popescu', ...nobody },
        { first_name: 'Maria', last_name: 'Pop', ...nobody },
      ],
      of,
    )
    for (const q of [
      'Stan Maria',
      'maria stan',
      '  popescu   maria ',
      'stan ioana',
      'escu ari',
      'stan ioana maria popescu',
    ])
      assert.deepEqual(await search(q, of), [maria], q)
    for (const q of ['maria ionescu', 'maria ioana stan ionescu']) assert.deepEqual(await search(q, of), [], q)
  })

  test('the search for patients finds e-mail addresses and phone numbers, however the digits are grouped', async () => {
    const of = await core.organization()
    const [one] = await insert(
      [
        { first_name: 'A', last_name: 'B', email: 'Maria.Stan@mail.example', phone: '+40 722-555.010' },
        { first_name: 'C', last_name: 'D', email: null, phone: '+40 733 555 011' },
      ],
      of,
    )
    for (const q of ['maria.stan@', 'STAN@MAIL', '722555010', '722 555', '+40 722-555.010', '40722'])
      assert.deepEqual(await search(q, of), [one], q)
  })

  test('treats %, _ and \\ as literal characters', async () => {
    const of = await core.organization()
    const [percent, under] = await insert(
      [
        { first_name: '100%', last_name: 'X', ...nobody },
        { first_name: 'a_b', last_name: 'X', ...nobody },
        { first_name: 'aXb', last_name: '100', ...nobody },
      ],
      of,
    )
    assert.deepEqual(await search('%', of), [percent])
    assert.deepEqual(await search('a_b', of), [under])
    assert.deepEqual(await search('\\', of), [])
  })

  test('the search for patients never reaches another clinic, in the list or in the picker', async () => {
    const of = await core.organization()
    const other = await core.organization()
    await insert([{ first_name: 'Unica', last_name: 'Persoană', ...nobody }], other)
    assert.deepEqual(await search('unica', of), [])
    assert.equal((await search('unica', other)).length, 1)
    assert.deepEqual((await core.get('/v1/patients/picker?q=unica', { as: of.admin })).body.data, [])
    const { data } = (await core.get('/v1/patients/picker?q=persoana unica', { as: other.admin })).body
    assert.deepEqual(
      data.map((row: { name: string }) => row.name),
      ['Unica Persoană'],
    )
  })

  test('the picker returns the given ids, sorts by name, and omits deleted ones', async () => {
    const of = await core.organization()
    const ids = await insert(
      [
        { first_name: 'Bo', last_name: 'Șerban', ...nobody },
        { first_name: 'Al', last_name: 'Șerban', ...nobody },
        { first_name: 'Cy', last_name: 'Stan', ...nobody },
        { first_name: 'De', last_name: 'Serban', ...nobody },
      ],
      of,
    )
    await core.database.query('update patients set deleted_at = now() where id = $1', [ids[3]])
    const names = async (query: string) =>
      (await core.get(`/v1/patients/picker?${query}`, { as: of.admin })).body.data.map(
        (row: { name: string }) => row.name,
      )
    assert.deepEqual(await names(''), ['Cy Stan', 'Al Șerban', 'Bo Șerban'])
    assert.deepEqual(await names('q=serban'), ['Al Șerban', 'Bo Șerban'])
    assert.deepEqual(await names(`ids=${ids[2]},nonsense&q=serban`), ['Cy Stan'])
    assert.deepEqual(await names('limit=1'), ['Cy Stan'])
    const allowed = await core.get('/v1/patients/picker', { as: await core.memberWith(of, []) })
    assert.deepEqual([allowed.status, allowed.body.error.required], [403, 'patients.view_org'])
  })

  test('agrees with its reference over generated Romanian names', async () => {
    const people = fc.sample(someone, { numRuns: 150, seed: soakSeed() })
    const ids = await insert(people)
    let hits = 0
    await fc.assert(
      fc.asyncProperty(query, async (q) => {
        const wanted = people.flatMap((person, place) => (isFound(person, q) ? (ids[place] ?? []) : []))
        hits += wanted.length
        assert.deepEqual((await search(q)).sort(), wanted.sort(), JSON.stringify(q))
      }),
      { numRuns: soakRuns(60), seed: soakSeed() },
    )
    assert.ok(hits > 0)
  })
})
