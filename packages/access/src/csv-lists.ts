import { csvListOf, csvOf, wantsCsv } from '@tendon/http'
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
    reply.header('vary', 'accept')
    if (reply.statusCode !== 200 || typeof payload !== 'string' || !wantsCsv(request.headers.accept)) return payload
    const { [list.member]: data, pagination, total = pagination?.total ?? data.length } = JSON.parse(payload)
    await request.tenant((tx) =>
      request.audit(tx, {
        action: 'lists.export',
        crud: 'E',
        target: { type: 'list', id: null, label: url ?? null },
        changes: [
          { field: 'query', before: null, after: request.url.split('?')[1] ?? '' },
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
