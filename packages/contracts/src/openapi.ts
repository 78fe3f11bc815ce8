import { Type } from 'typebox'

/** The outline only: the OpenAPI specification says the rest. */
export const ApiDocument = Type.Object(
  {
    openapi: Type.String({ examples: ['3.1.1'] }),
    info: Type.Object({
      title: Type.String({ examples: ['Tendon core API'] }),
      version: Type.String({ examples: ['0.1.0'] }),
    }),
    paths: Type.Object({}, { additionalProperties: true, examples: [{ '/v1/me': {} }] }),
  },
  { additionalProperties: true },
)
