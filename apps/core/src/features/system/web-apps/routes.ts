import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { WEB_APPS, type WebApp } from '@tendon/contracts'
import { notFound, publicAccess } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { createFirstLoad } from './first-load.ts'
import { createFileReader, fillPage } from './page.ts'
import { pageHeaders, workerPolicy } from './policy.ts'

const FILE = /\.\w+$/
const SCRIPT = /\.js$/
/** Not index.html, the stamp or anything outside: names without a leading dot only. */
const SERVED = /^(worker\.js|(assets|pose)(\/[\w-][\w.-]*)+)$/

/** The built web apps. Files carry a hash of their content in their names and never change; pages are filled for each request. */
export const webAppRoutes: Routes = (app, { config }) => {
  const { WEB_DIR, WEB_HOSTS } = config
  const readFile = createFileReader()
  const firstLoad = createFirstLoad(app)

  void app.register(fastifyStatic, {
    root: WEB_DIR,
    serve: false,
    decorateReply: true,
    preCompressed: true,
    cacheControl: false,
    etag: false,
    index: false,
    dotfiles: 'ignore',
  })

  /** On a host of WEB_HOSTS only that host's app is served. */
  const isServed = (name: WebApp, request: FastifyRequest) =>
    WEB_APPS.every((other) => other === name || WEB_HOSTS[other] !== request.host)

  app.get(
    '/',
    { config: { access: publicAccess(), summary: 'Go to the web app of this host', produces: 'text/html' } },
    async (request, reply) => {
      const named = WEB_APPS.find((name) => WEB_HOSTS[name] === request.host)
      return reply.redirect(`/${named ?? 'portal'}/`, 303)
    },
  )

  for (const name of WEB_APPS) {
    const summary = `Open the ${name}`
    app.get(
      `/${name}`,
      {
        config: { access: publicAccess(), limit: 'none', operationId: `open_${name}`, summary, produces: 'text/html' },
      },
      async (_request, reply) => reply.redirect(`/${name}/`, 308),
    )
    app.get(
      `/${name}/*`,
      {
        config: {
          access: publicAccess(),
          limit: 'none',
          operationId: `open_${name}_page`,
          summary,
          produces: 'text/html',
          refusals: [notFound],
        },
      },
      async (request, reply) => {
        if (!isServed(name, request)) throw notFound()
        const path = (request.params as { '*': string })['*']
        return FILE.test(path) ? sendFile(name, path, reply) : sendPage(name, path, request, reply)
      },
    )
  }

  async function sendFile(name: WebApp, path: string, reply: FastifyReply) {
    if (!SERVED.test(path)) throw notFound()
    await access(join(WEB_DIR, name, path)).catch(() => {
      throw notFound()
    })
    reply.header('cache-control', path === 'worker.js' ? 'no-cache' : 'public, max-age=31536000, immutable')
    if (SCRIPT.test(path)) reply.header('content-security-policy', workerPolicy(name, config))
    return reply.sendFile(path, join(WEB_DIR, name))
  }

  async function sendPage(name: WebApp, path: string, request: FastifyRequest, reply: FastifyReply) {
    const [html, table] = await Promise.all([
      readFile(join(WEB_DIR, name, 'index.html')),
      readFile(join(WEB_DIR, name, 'first-load.json')),
    ])
    if (html === undefined) throw notFound()
    const { me, reads, files } = await firstLoad({ name, path, table, request })
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers(pageHeaders(name, config, nonce))
      .header('cache-control', me === null ? 'no-cache' : 'no-store')
      .header('vary', 'Cookie, Accept-Language')
      .type('text/html; charset=utf-8')
      .send(fillPage(html, { nonce, me, reads, files }))
  }
}
