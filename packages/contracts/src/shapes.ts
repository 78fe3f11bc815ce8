import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

// The shapes that every answer and body share.

export const Id = Type.String({ format: 'uuid', examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'] })
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-15T09:30:00.000Z'] })
export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ana.ionescu@mladita.example'] })

/** The version of an editable row; also its ETag. */
export const RowVersion = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'Increases with each change. Send the version you read with a change: 409 `stale_version` if it is not current.',
  examples: [1],
})

/** A name, title or label: one line, not blank. It ends in headers of mails, documents, calendars and lists. */
export const Name = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', format: 'line', examples: [example] })

/** One line, which may be blank. */
export const Line = (maxLength: number, example: string) =>
  Type.String({ maxLength, format: 'line', examples: [example] })

/** Text of any number of lines, not blank. */
export const Paragraphs = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', examples: [example] })

/** Text of any number of lines, which may be blank. */
export const Text = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] })

/** Lower-case letters, digits and hyphens. */
export const Slug = Type.String({
  minLength: 2,
  maxLength: 63,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  'x-reason': 'must be lower-case letters and digits, with single hyphens between them',
  examples: ['clinica-mladita'],
})

/** The same schema, or null. Spelled `type: [T, "null"]`: serialisers are far slower with `anyOf`. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  })
}

export function Enum<const Values extends readonly string[]>(
  values: Values,
  example?: Values[number],
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], examples: [example ?? values[0]] })
}

export const Body = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })

export const Pagination = Type.Object({
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [50] }),
  total: Type.Integer({ examples: [1] }),
})

export const Many = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ data: Type.Array(schema), pagination: Pagination })

/** The answer of a picker: no pagination block. */
export const Choices = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: Type.Array(schema) })

/** The answer 204: done, no body. */
export const NoContent = Type.Null({ description: 'Done. No body.' })

export const ById = Type.Object({ id: Id })

export const Address = Type.Object(
  {
    line1: Line(200, 'Strada Lipscani 12'),
    line2: Type.Optional(Line(200, 'Etaj 2')),
    city: Line(120, 'București'),
    region: Type.Optional(Line(120, 'Sector 3')),
    postal_code: Type.Optional(Line(20, '030033')),
    country: Type.String({
      pattern: '^[A-Z]{2}$',
      'x-reason': 'must be two capital letters (ISO 3166-1), such as RO',
      description: 'ISO 3166-1 alpha-2',
      examples: ['RO'],
    }),
  },
  { additionalProperties: false },
)
