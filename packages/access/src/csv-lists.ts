import { CHOICES } from '@tendon/contracts'
import { addVary, csvListOf, csvOf, type JsonSchema, queryOf, schemaIn, wantsCsv } from '@tendon/http'
import type { FastifyInstance } from 'fastify'

/**
 * Answers every list as CSV when the client sends `Accept: text/csv`: the page that the query selects, with the columns of
 * the list. Uses the serialised response, so that only declared members are exported. Every export is audited.
 */
export function answerListsAsCsv(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { config, schema, url } = request.routeOptions
    const list = csvListOf({ method: request.method, url, config, schema })
    if (!list) return payload
    addVary(reply, 'accept')
    if (reply.statusCode !== 200 || typeof payload !== 'string' || !wantsCsv(request.headers.accept)) return payload
    const { [list.member]: data, pagination, total = pagination?.total ?? data.length } = JSON.parse(payload)
    await request.tenant((tx) =>
      request.audit(tx, {
        action: 'lists.export',
        crud: 'E',
        target: { type: 'list', id: null, label: url ?? null },
        changes: [
          { field: 'query', before: null, after: loggedQuery(request.query, schema?.querystring) },
          { field: 'rows', before: null, after: data.length },
        ],
      }),
    )
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="export.csv"')
      .header('x-total-count', String(total))
    return csvOf(list.rows, data)
  })
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/
const NUMBER_OR_FLAG = /^(\d{1,6}|true|false)$/

/** The names of the parameters. Only ids, dates, numbers and choices keep their values: a search may contain a patient's name. */
function loggedQuery(query: unknown, contract: unknown): Record<string, string | null> {
  const { properties = {} } = schemaIn(contract) ?? {}
  return Object.fromEntries(
    Object.entries(queryOf(query))
      .filter(([name]) => Object.hasOwn(properties, name))
      .map(([name, value]) => {
        const text = String(value)
        const choices = choicesOf(properties[name])
        const isHarmless = text.split(',').every((part) => ID.test(part) || DATE.test(part) || choices(part))
        return [name, isHarmless || (name !== 'q' && NUMBER_OR_FLAG.test(text)) ? text : null]
      }),
  )
}

function choicesOf({ enum: values = [], anyOf = [], [CHOICES]: choices = [] }: JsonSchema = {}) {
  const known = new Set<unknown>([...values, ...anyOf.map((one) => one.const), ...choices])
  return (part: string) => known.has(part.replace(/^-/, ''))
}
