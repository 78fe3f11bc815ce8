import { ApiDocument } from '@tendon/contracts'
import { type OpenApiDocument, openApiDocument, publicAccess } from '@tendon/http'
import type { FastifyTypeProviderDefault } from 'fastify'
import type { Routes } from '../../services.ts'
import { version } from '../../version.ts'

const DESCRIPTION = `
Composes exercise videos from filmed pieces: intro, repetitions, pauses and outro, with voice-over and captions.

The core API forwards these routes, so that a browser sees one origin; with a session token or an API key the composer also
answers on its own port. Health, this document and the webhook of the video host are on that port only. Sign-in, the
organization, lists and refusals are those of the core API.
`.trim()

const TAGS = {
  health: 'Liveness and readiness of the service.',
  openapi: 'This document.',
  exercises: 'Compositions of an exercise, and the bundle of clips that they are composed from.',
  renders: 'Composed videos: status, progress, playback.',
  webhooks: 'Webhooks of the video host.',
}

export const openapiRoutes: Routes = (app, { config }) => {
  let document: string | undefined

  /** Built at the first request, because the route table is complete only then. */
  function describe(): OpenApiDocument {
    const about = { title: 'Tendon composer', version, description: DESCRIPTION }
    return openApiDocument(app.routes, { ...about, serverUrl: config.publicUrl, tags: TAGS })
  }

  // The document is written already: the reply takes text.
  app.withTypeProvider<FastifyTypeProviderDefault>().get(
    '/v1/openapi.json',
    {
      config: {
        access: publicAccess(),
        operationId: 'getComposerOpenApiDocument',
        summary: 'Get the OpenAPI document',
        description: 'The OpenAPI 3.1 document of this API.',
      },
      schema: { response: { 200: ApiDocument } },
    },
    async (_request, reply) => {
      document ??= JSON.stringify(describe())
      reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300')
      return reply.serializer((text: string) => text).send(document)
    },
  )
}
