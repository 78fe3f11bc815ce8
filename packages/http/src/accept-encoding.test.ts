import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { acceptedCoding } from './accept-encoding.ts'

const OFFERED = ['br', 'gzip'] as const
const chosen = (header?: string) => acceptedCoding(header, OFFERED)

describe('Accept-Encoding', () => {
  const cases: [header: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    [',', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br ; q=0.5 , gzip;Q=0.501', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['gzip, *;q=0', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['identity;q=0', undefined],
    ['gzip, identity;q=0', 'gzip'],
    ['gzip;q=0, gzip', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=0.1234', undefined],
    ['gzip;q=', undefined],
    ['gzip;level=9', undefined],
    ['gzip;q=1;level=9', undefined],
    ['gzipped, xbr', undefined],
    ['__proto__, constructor', undefined],
  ]
  for (const [header, coding] of cases)
    test(`${header === undefined ? 'none' : `"${header}"`} chooses ${coding ?? 'no coding'}`, () => {
      assert.equal(chosen(header), coding)
    })

  const names = ['br', 'gzip', 'identity', '*', 'deflate']
  const spelled = ([name, weight, space, upper]: [string, number, string, boolean]) =>
    `${space}${upper ? name.toUpperCase() : name}${space};${space}q=${(weight / 1000).toFixed(3)}`
  const member = fc.tuple(
    fc.constantFrom(...names),
    fc.integer({ min: 0, max: 1000 }),
    fc.constantFrom('', ' ', '\t '),
    fc.boolean(),
  )
  const header = fc.uniqueArray(member, { selector: ([name]) => name })

  test('the chosen coding has the highest weight of those offered, in any order and spelling', () => {
    fc.assert(
      fc.property(header, (members) => {
        const weights = new Map(members.map(([name, weight]) => [name, weight]))
        const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
        const best = Math.max(...OFFERED.map(weightOf))
        const coding = chosen(members.map(spelled).join(','))
        if (best === 0 || (weights.get('identity') ?? 0) > best) assert.equal(coding, undefined)
        else
          assert.equal(
            coding,
            OFFERED.find((name) => weightOf(name) === best),
          )
      }),
    )
  })

  test('any text chooses a coding that it names, or none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom(...names, ';', 'q=', '0.5', ',')).map((all) => all.join('')),
        ),
        (text) => {
          const coding = chosen(text)
          assert.ok(coding === undefined || text.toLowerCase().includes(coding) || text.includes('*'))
        },
      ),
    )
  })
})
