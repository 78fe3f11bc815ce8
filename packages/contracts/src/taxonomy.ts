import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { LENIENT, type ListContract, listParameters } from './list.ts'
import { Body, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

// What exercises are sorted by: seven axes whose values share one shape, each with a few fields of its own.

export const TAXONOMY_AXES = [
  'category',
  'body_region',
  'equipment',
  'movement_pattern',
  'recovery_phase',
  'condition',
  'skill_prerequisite',
] as const
export type TaxonomyAxis = (typeof TAXONOMY_AXES)[number]

export const BODY_AREAS = ['upper_body', 'lower_body', 'core', 'full_body'] as const
export const TAXONOMY_SCOPES = ['global', 'org', 'all'] as const

const Slug = Type.String({
  minLength: 2,
  maxLength: 100,
  pattern: '^[a-z0-9]+([_-][a-z0-9]+)*$',
  'x-reason': 'must be lower-case letters and digits, with single hyphens or underscores between them',
  description: 'Cannot be changed. Unique on its axis, among the platform’s values and among those of each clinic.',
  examples: ['frozen-shoulder'],
})
const TagName = Type.String({
  ...Name(200, 'Frozen shoulder'),
  description:
    'Cannot be changed: deprecate the value and create its replacement. The platform’s values are in English.',
})
const Description = Text(2_000, 'Stiff and painful shoulder that slowly loosens again.')
const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, examples: [10] })
const BodyArea = Enum(BODY_AREAS, 'lower_body')
const IconUrl = Type.String({
  format: 'uri',
  maxLength: 1_000,
  pattern: '^https://',
  'x-reason': 'must begin with https://',
  examples: ['https://cdn.mladita.example/icons/dumbbell.svg'],
})
const Icd10Code = Type.String({
  pattern: '^[A-Za-z][0-9][0-9A-Za-z](\\.?[0-9A-Za-z]{1,4})?$',
  'x-reason': 'must be an ICD-10 code such as M75.0',
  description: 'Cannot be changed. Accepted in any case, with or without the dot; stored as M75.0.',
  examples: ['M75.0'],
})

const Words = { name: Type.Optional(Name(200, 'Umăr înghețat')), description: Type.Optional(Description) }
const TRANSLATED = { ro: { name: 'Umăr înghețat', description: 'Umăr rigid și dureros.' } }
const Translations = Type.Record(Type.String(), Type.Object(Words), {
  description: 'Language code → name and description in that language.',
  examples: [TRANSLATED],
})
const NewTranslations = Type.Object(
  { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
  { additionalProperties: false, description: 'Replaces the previous list.', examples: [TRANSLATED] },
)

const common = {
  id: Id,
  organization_id: Type.Unsafe<string | null>({
    ...Nullable(Id),
    description: 'The clinic; null for values of the platform.',
  }),
  slug: Slug,
  name: TagName,
  description: Nullable(Description),
  sort_order: SortOrder,
  translations: Translations,
  status: Enum(['active', 'deprecated'], 'active'),
  deprecated_at: Type.Unsafe<string | null>({ ...Nullable(Timestamp), examples: [null] }),
  replaced_by_id: Type.Unsafe<string | null>({ ...Nullable(Id), examples: [null] }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
}

/** The fields that only some axes have. */
const parent_id = Nullable(Id)
const icon_url = Nullable(IconUrl)
const icd10_code = Nullable(Icd10Code)
const body_region_id = Nullable(Id)

/** What every axis shows. */
export const TAXONOMY_FIELDS = Object.keys(common)

const Row = Type.Object({
  ...common,
  axis: Enum(TAXONOMY_AXES),
  parent_id,
  body_area: Nullable(BodyArea),
  icon_url,
  icd10_code,
  body_region_id,
})
/** A value of any axis: what its axis does not have is null. */
export type TaxonomyTag = Static<typeof Row>
/** A value in responses. Only categories have children. */
export type ShownTaxonomyTag = TaxonomyTag & { children?: ShownTaxonomyTag[] }

const details = {
  description: Type.Optional(Nullable(Description)),
  sort_order: Type.Optional(SortOrder),
  translations: Type.Optional(NewTranslations),
}
const Changes = Type.Object({
  ...details,
  slug: Type.Optional(Slug),
  name: Type.Optional(TagName),
  parent_id: Type.Optional(parent_id),
  body_area: Type.Optional(BodyArea),
  icon_url: Type.Optional(icon_url),
  icd10_code: Type.Optional(icd10_code),
  body_region_id: Type.Optional(body_region_id),
})
export type TaxonomyTagChanges = Static<typeof Changes>
export type NewTaxonomyTag = TaxonomyTagChanges & { slug: string; name: string }

type OwnField = Exclude<keyof TaxonomyTagChanges, keyof typeof details | 'slug' | 'name'>

/** What one axis gives and takes. Slug, name and ICD-10 code may be repeated in a change, and not changed. */
function contractOf(fields: readonly OwnField[], shown: TProperties, required: TProperties = {}) {
  const changes = Object.fromEntries(fields.map((field) => [field, Changes.properties[field]]))
  const { slug, name } = Changes.properties
  return {
    tag: Type.Unsafe<ShownTaxonomyTag>(Type.Object({ ...common, ...shown })),
    created: Type.Unsafe<NewTaxonomyTag>(Body({ slug: Slug, name: TagName, ...details, ...changes, ...required })),
    changed: Type.Unsafe<TaxonomyTagChanges>(
      Type.Object(
        { slug, name, ...details, ...changes, version: Type.Optional(RowVersion) },
        { additionalProperties: false, minProperties: 1 },
      ),
    ),
  }
}
export type TaxonomyContract = ReturnType<typeof contractOf>

/** Categories nest as deep as people like; the first levels are described, those below look the same. */
const DESCRIBED_LEVELS = 3
const childrenOf = (levels: number): TSchema =>
  Type.Array(levels === 0 ? Type.Unknown() : Type.Object({ ...common, parent_id, children: childrenOf(levels - 1) }), {
    description: 'The child categories, each with its children.',
    examples: [[]],
  })

export const taxonomyContracts: Readonly<Record<TaxonomyAxis, TaxonomyContract>> = {
  category: contractOf(['parent_id'], { parent_id, children: childrenOf(DESCRIBED_LEVELS) }),
  body_region: contractOf(['body_area'], { body_area: BodyArea }, { body_area: BodyArea }),
  equipment: contractOf(['icon_url'], { icon_url }),
  movement_pattern: contractOf([], {}),
  recovery_phase: contractOf([], {}),
  condition: contractOf(['icd10_code', 'body_region_id', 'parent_id'], { icd10_code, body_region_id, parent_id }),
  skill_prerequisite: contractOf([], {}),
}

/** May be left out altogether. */
export const TaxonomyDeprecation = Nullable(Body({ replaced_by_id: Type.Optional(Nullable(Id)) }))

/** Lists give everything that fits, in order; only conditions, which are many, have `limit`. */
const filters = { scope: TAXONOMY_SCOPES, deprecated: 'boolean' } as const

export const taxonomyLists: Readonly<Record<TaxonomyAxis, ListContract>> = {
  category: { sort: [], filters: { ...filters, parent_id: 'uuid' } },
  body_region: { sort: [], filters: { ...filters, body_area: BODY_AREAS } },
  equipment: { sort: [], filters },
  movement_pattern: { sort: [], filters },
  recovery_phase: { sort: [], filters },
  condition: { sort: [], filters: { ...filters, icd10: 'text', body_region_id: 'uuid' }, q: true },
  skill_prerequisite: { sort: [], filters },
}

const described = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))

export function taxonomyParameters(list: ListContract) {
  const { page: _page, sort: _sort, limit, q, icd10, ...rest } = listParameters(list).properties
  const words = q && {
    q: described('Matches parts of words of the name, in any language, ignoring accents.', 'lombar'),
    limit,
  }
  const code = icd10 && {
    icd10: described('An ICD-10 code or prefix, in any case, with or without the dot.', 'M54'),
  }
  const properties = {
    ...rest,
    scope: described('`global`: the platform’s; `org`: the clinic’s own; `all` (default): both.', 'org'),
    deprecated: described('`false` (default): those in use; `true`: the deprecated ones; `true,false`: all.', 'true'),
    ...words,
    ...code,
  }
  return Type.Object(properties, { [LENIENT]: true })
}
