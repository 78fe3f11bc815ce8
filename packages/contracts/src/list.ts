import { type TProperties, Type } from 'typebox'

/**
 * What a list accepts besides `page` and `limit`. One description gives the parser (packages/http), the SQL (packages/db)
 * and the query parameters in the OpenAPI document.
 */
export interface ListContract {
  /** Fields that `sort` may name. */
  readonly sort: readonly string[]
  /** The order without `sort`, where it is not the newest first. */
  readonly unsorted?: string
  /** Columns with `<col>_after` and `<col>_before`. */
  readonly ranges?: readonly string[]
  /** Exact filters; unknown values of an enumerated one are dropped. */
  readonly filters?: Readonly<Record<string, 'text' | 'uuid' | 'boolean' | readonly string[]>>
  /** Whether `q` searches. */
  readonly q?: boolean
}

export interface Range {
  column: string
  from?: string
  to?: string
}

/** A list request after parsing: everything clamped, dropped or refused as the specification says. */
export interface List {
  page: number
  limit: number
  sort: { field: string; descending: boolean }[]
  filters: Record<string, string[]>
  ranges: Range[]
  q?: string
}

/** A picker request: `ids` wins over `q`. */
export interface Picker {
  limit: number
  ids?: string[]
  q?: string
}

export const MAX_PAGE = 1_000_000
export const LIST_LIMIT_DEFAULT = 50
export const MAX_LIST_LIMIT = 500
export const PICKER_LIMIT_DEFAULT = 20
export const MAX_PICKER_LIMIT = 50

/** Marks query parameters that are described for the OpenAPI document and left to parseList and parsePicker to read. */
export const LENIENT = 'x-lenient'

/** The values that a parameter may name, in its schema. */
export const CHOICES = 'x-choices'

/** The query parameters of a list, for the OpenAPI document. Parsing is lenient, so nothing here is enforced. */
export function listParameters(contract: ListContract) {
  const properties: TProperties = {
    page: Type.Optional(
      Type.Integer({ default: 1, description: 'Starts at 1. Values out of range mean 1.', examples: [1] }),
    ),
    limit: Type.Optional(
      Type.Integer({
        default: LIST_LIMIT_DEFAULT,
        description: `1 to ${MAX_LIST_LIMIT}; larger values are clamped.`,
        examples: [50],
      }),
    ),
    sort: Type.Optional(
      Type.String({
        description: `Comma-separated fields, \`-\` for descending: ${contract.sort.join(', ')}. Default: ${contract.unsorted ?? 'newest first'}.`,
        examples: [`-${contract.sort[0]}`],
        [CHOICES]: contract.sort.flatMap((field) => [field, `-${field}`]),
      }),
    ),
  }
  for (const column of contract.ranges ?? []) {
    for (const side of ['after', 'before']) {
      properties[`${column}_${side}`] = Type.Optional(
        Type.String({ description: 'YYYY-MM-DD or RFC 3339, inclusive.', examples: ['2026-01-31'] }),
      )
    }
  }
  for (const [name, kind] of Object.entries(contract.filters ?? {})) {
    const values = typeof kind === 'string' ? undefined : kind
    properties[name] = Type.Optional(
      Type.String({
        description: values
          ? `Comma-separated: ${values.join(', ')}. Unknown values are ignored.`
          : `Exact match (${String(kind)}).`,
        ...(values ? { examples: [values[0]], [CHOICES]: values } : {}),
      }),
    )
  }
  if (contract.q)
    properties.q = Type.Optional(Type.String({ description: 'Part of the text, accents ignored.', examples: ['ana'] }))
  return Type.Object(properties, { [LENIENT]: true })
}

/** What a single read can hold besides the record itself. */
export const includeParameters = (names: readonly string[]) =>
  Type.Object(
    {
      include: Type.Optional(
        Type.String({
          description: `Comma-separated: ${names.join(', ')}. Unknown names are ignored.`,
          examples: [names[0]],
          [CHOICES]: names,
        }),
      ),
    },
    { [LENIENT]: true },
  )

export const pickerParameters = Type.Object(
  {
    q: Type.Optional(Type.String({ description: 'Part of the name.', examples: ['ana'] })),
    ids: Type.Optional(Type.String({ description: 'Comma-separated ids; `q` is then ignored.' })),
    limit: Type.Optional(
      Type.Integer({
        default: PICKER_LIMIT_DEFAULT,
        description: `1 to ${MAX_PICKER_LIMIT}; larger values are clamped.`,
      }),
    ),
  },
  { [LENIENT]: true },
)
