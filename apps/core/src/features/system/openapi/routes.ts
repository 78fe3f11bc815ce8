import { ApiDocument } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { FastifyTypeProviderDefault } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { describeApi } from './document.ts'
import { otherDocument } from './other-documents.ts'
import { PAGE_POLICY, referencePage } from './page.ts'
import { referenceScript, scalarVersion } from './reference-script.ts'
import { type StaticFile, sendFile, staticFile } from './static-file.ts'

const SHORT = 'public, max-age=300'
const FOREVER = 'public, max-age=31536000, immutable'
const JSON_TYPE = 'application/json; charset=utf-8'

export const openapiRoutes: Routes = (app, { config }) => {
  let document: Promise<StaticFile> | undefined
  let page: Promise<StaticFile> | undefined
  let script: Promise<StaticFile> | undefined

  /** Made at the first request: the route table is complete only when all features have added their routes. */
  const describe = (serverUrl: string) => describeApi(app.routes, serverUrl)
  const jsonFile = (content: object) => staticFile(JSON.stringify(content), JSON_TYPE, SHORT)
  /** In the order of the reference page. The core API forwards requests to the composer. */
  const documents = {
    core: async () => describe('/'),
    composer: () => otherDocument('composer', '/'),
    telemetry: () => otherDocument('telemetry', config.telemetryUrl),
  }

  // The document is a file: its contract serialises nothing.
  app.withTypeProvider<FastifyTypeProviderDefault>().get(
    '/v1/openapi.json',
    {
      config: {
        access: publicAccess(),
        operationId: 'getOpenApiDocument',
        summary: 'Get the OpenAPI document',
        description: 'This API, described in OpenAPI 3.1.',
      },
      schema: { response: { 200: ApiDocument } },
    },
    async (request, reply) => {
      document ??= jsonFile(describe(config.publicUrl))
      return sendFile(request, reply, await document)
    },
  )

  app.get(
    '/docs',
    { config: { access: publicAccess(), limit: 'none', summary: 'Open the API reference', produces: 'text/html' } },
    async (request, reply) => {
      page ??= staticFile(referencePage(scalarVersion()), 'text/html; charset=utf-8', SHORT)
      return sendFile(request, reply.header('content-security-policy', PAGE_POLICY), await page)
    },
  )

  for (const [service, read] of Object.entries(documents)) {
    let file: Promise<StaticFile> | undefined
    app.get(
      `/docs/${service}.json`,
      {
        config: {
          access: publicAccess(),
          limit: 'none',
          summary: `Get the document of the API reference: ${service}`,
          produces: 'application/json',
        },
      },
      async (request, reply) => {
        file ??= read().then(jsonFile)
        return sendFile(request, reply, await file)
      },
    )
  }

  app.get(
    '/docs/reference.js',
    {
      config: {
        access: publicAccess(),
        limit: 'none',
        summary: 'Get the script of the API reference',
        produces: 'text/javascript',
      },
    },
    async (request, reply) => {
      script ??= referenceScript().then((bytes) => staticFile(bytes, 'text/javascript; charset=utf-8', FOREVER))
      return sendFile(request, reply, await script)
    },
  )
}
