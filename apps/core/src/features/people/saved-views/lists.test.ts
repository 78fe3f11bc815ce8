import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHOICES, isObject, type ListContract, listParameters, savedViewLists } from '@tendon/contracts'
import { csvListOf } from '@tendon/http'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

/** Lists whose URL does not end with their name. */
const URLS: Record<string, string> = {
  'waiting-list': '/v1/appointments',
  'privacy-requests': '/v1/gdpr/requests',
  'webhook-deliveries': '/v1/webhook-subscriptions/:uid/events',
}

/** Lists of which no view can be saved, each with its reason. */
const NO_VIEWS: Record<string, string> = {
  '/v1/organizations': 'a list of the platform',
  '/v1/organizations/:id/permissions': 'shown whole in the editor of a role',
  '/v1/appointments/affected': 'the answer to one question',
  '/v1/attention': 'one list, in one order',
  '/v1/pdf-templates/defaults': 'a few, built in',
  '/v1/privacy-notice-templates': 'the versions of one text',
}

/** Lists inside one record, without pages of their own. */
const isPartOfRecord = (url: string) => /\/:\w+\//.test(url.replace('/v1/organizations/:id/', '/v1/'))

describe('the lists whose views can be saved', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const routes = () =>
    core.app.routes.flatMap((route) => {
      const rows = csvListOf(route)?.rows
      const query = isObject(route.schema?.querystring) ? route.schema.querystring.properties : undefined
      return rows ? [{ url: route.url, row: rows.properties ?? {}, query: isObject(query) ? query : {} }] : []
    })
  const routeOf = (name: string) => {
    const urls = [URLS[name], `/v1/${name}`, `/v1/organizations/:id/${name}`]
    return routes().find(({ url }) => urls.includes(url))
  }
  const choicesOf = (parameter: unknown) => (isObject(parameter) ? parameter[CHOICES] : undefined)

  for (const [name, contract] of Object.entries<ListContract>(savedViewLists))
    test(`views of ${name} are checked against what its route takes`, () => {
      const { row, query } = routeOf(name) ?? assert.fail(`no list is called ${name}`)
      const known = listParameters(contract).properties
      const namesOf = (parameters: object) =>
        Object.keys(parameters).filter((one) => !['page', 'limit', 'sort'].includes(one))
      assert.deepEqual(namesOf(known).sort(), namesOf(query).sort())
      if ('sort' in query) assert.deepEqual(choicesOf(known.sort), choicesOf(query.sort))
      else for (const field of contract.sort) assert.ok(Object.hasOwn(row, field), field)
    })

  test('every list of the console is there, or has a reason not to be', () => {
    const named = new Set(Object.keys(savedViewLists).map((name) => routeOf(name)?.url))
    const without = routes()
      .map(({ url }) => url)
      .filter((url) => !named.has(url) && !/^\/v1\/(me|admin|public)\//.test(url) && !isPartOfRecord(url))
    assert.deepEqual(without.toSorted(), Object.keys(NO_VIEWS).toSorted())
  })
})
