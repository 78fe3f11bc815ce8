import { type Static, Type } from 'typebox'
import { membersByType, optional } from './by-type.ts'
import { Body, Enum, Id, Line, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'
import { TEMPLATE_STATUSES } from './versioned-templates.ts'

export const DOCUMENT_KINDS = ['form', 'appointment_letter', 'treatment_plan', 'attendance_certificate'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
export const DOCUMENT_LANGUAGES = ['en', 'ro'] as const
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number]
export const PDF_BLOCK_TYPES = [
  'heading',
  'text',
  'table',
  'form_answers',
  'plan_exercises',
  'image',
  'signature',
  'qr',
  'page_break',
] as const
export const SIGNERS = ['signer', 'specialist', 'patient'] as const

export const MAX_PDF_BLOCKS = 100
export const MAX_TABLE_COLUMNS = 8
export const MAX_TABLE_ROWS = 100

const Cell = Text(500, '{{appointment.date}}')

const members = {
  level: Type.Integer({ minimum: 1, maximum: 3, examples: [2] }),
  text: {
    ...Text(5_000, 'Dear {{patient.name}},'),
    description:
      '{{path}} is replaced; a sentence is left out when a value in it is not known. A part in [[…]] with a path is left out alone. Nothing else is interpreted.',
  },
  columns: Type.Array(Cell, { minItems: 1, maxItems: MAX_TABLE_COLUMNS, examples: [['Date']] }),
  rows: Type.Array(Type.Array(Cell, { maxItems: MAX_TABLE_COLUMNS }), {
    maxItems: MAX_TABLE_ROWS,
    description: 'One text for each column.',
    examples: [[['{{appointment.date}}']]],
  }),
  image_id: { ...Id, description: 'The id of an image uploaded with POST /v1/organizations/{id}/images.' },
  alt: { ...Line(300, 'Map'), description: 'A text that describes the image.' },
  width_percent: Type.Integer({ minimum: 5, maximum: 100, description: 'Default: 100.', examples: [50] }),
  signer: {
    ...Enum(SIGNERS),
    description: 'The signer of the form, the specialist, or a line for the patient.',
  },
  caption: Line(300, 'Physiotherapist'),
}
const { text, columns, rows, image_id, signer } = members
const { level, alt, width_percent, caption } = optional(members)

/** The members of a block of each type. */
export const PDF_BLOCKS = {
  heading: Body({ text, level }),
  text: Body({ text }),
  table: Body({ columns, rows }),
  form_answers: Body({}),
  plan_exercises: Body({}),
  image: Body({ image_id, alt, width_percent }),
  signature: Body({ signer, caption }),
  qr: Body({ text }),
  page_break: Body({}),
}

export const PdfBlock = Type.Object(
  { type: Enum(PDF_BLOCK_TYPES, 'text'), ...optional(members) },
  {
    additionalProperties: false,
    description: `The members depend on the type. ${membersByType(PDF_BLOCKS)}.`,
    examples: [{ type: 'text', text: 'Dear {{patient.name}},' }],
  },
)
export type PdfBlock = Static<typeof PdfBlock>

const TemplateName = Name(200, 'Appointment letter')
const Blocks = Type.Array(PdfBlock, {
  minItems: 1,
  maxItems: MAX_PDF_BLOCKS,
  examples: [
    [
      { type: 'text', text: 'Dear {{patient.name}},' },
      { type: 'table', columns: ['Date', 'Time'], rows: [['{{appointment.date}}', '{{appointment.time}}']] },
      { type: 'signature', signer: 'specialist' },
    ],
  ],
})
const content = {
  name: TemplateName,
  kind: Enum(DOCUMENT_KINDS, 'appointment_letter'),
  language: Enum(DOCUMENT_LANGUAGES),
}

export const PdfTemplateSummary = Type.Object({
  id: Id,
  organization_id: Id,
  ...content,
  status: Enum(TEMPLATE_STATUSES),
  version: Type.Integer({ description: 'The latest published version; 0 if there is none.', examples: [1] }),
  published_at: Nullable(Timestamp),
  published_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  revision: RowVersion,
})
export type PdfTemplateSummary = Static<typeof PdfTemplateSummary>
export const PdfTemplate = Type.Object({ ...PdfTemplateSummary.properties, blocks: Blocks })
export type PdfTemplate = Static<typeof PdfTemplate>

export const NewPdfTemplate = Body({ ...content, blocks: Blocks })
export type NewPdfTemplate = Static<typeof NewPdfTemplate>

export const PdfTemplateChanges = Type.Object(
  {
    name: Type.Optional(TemplateName),
    language: Type.Optional(Enum(DOCUMENT_LANGUAGES)),
    blocks: Type.Optional(Blocks),
    revision: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type PdfTemplateChanges = Static<typeof PdfTemplateChanges>

export const PdfTemplatePreview = Body({ kind: content.kind, language: content.language, blocks: Blocks })

/** A built-in template. */
export const DefaultPdfTemplate = Type.Object({ ...content, blocks: Blocks })
export type DefaultPdfTemplate = Static<typeof DefaultPdfTemplate>

const version = {
  version: Type.Integer({ examples: [1] }),
  ...content,
  published_at: Timestamp,
  published_by_principal_id: Nullable(Id),
}
export const PdfTemplateVersionSummary = Type.Object(version)
export const PdfTemplateVersion = Type.Object({ ...version, blocks: Blocks })
export type PdfTemplateVersion = Static<typeof PdfTemplateVersion>

export const pdfTemplateList = {
  sort: ['name', 'kind', 'status', 'created_at', 'updated_at', 'published_at'],
  ranges: ['created_at', 'updated_at', 'published_at'],
  filters: { kind: DOCUMENT_KINDS, language: DOCUMENT_LANGUAGES, status: TEMPLATE_STATUSES, deleted: 'boolean' },
  q: true,
} as const
