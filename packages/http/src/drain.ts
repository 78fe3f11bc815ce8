import type { FastifyInstance } from 'fastify'

/** While the server closes, each answer ends its connection: one kept alive would hold up the exit. */
export function drainConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
