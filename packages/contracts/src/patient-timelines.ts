import { type Static, Type } from 'typebox'
import { CHOICES } from './list.ts'
import { Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const TIMELINE_KINDS = ['visit', 'run', 'plan', 'form', 'document', 'pain', 'consent', 'condition'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]
export const TIMELINE_LIMIT_DEFAULT = 50
export const MAX_TIMELINE_LIMIT = 100
const MAX_BEFORE_LENGTH = 100

export const TIMELINE_ACTORS = ['specialist', 'member', 'patient'] as const

export const TimelineEntry = Type.Object({
  kind: Enum(TIMELINE_KINDS),
  id: Id,
  at: Type.String({
    ...Timestamp,
    description:
      'Start of a visit or run, activation of a plan (creation of a draft), last step of a form, creation of a document or condition, report of pain, grant or withdrawal of a consent.',
  }),
  title: Type.Unsafe<string | null>({
    ...Nullable(Text(400, 'Initial assessment')),
    description: 'Of a pain report its severity, such as 7/10. null for a document that is not of a form or plan.',
  }),
  status: Type.String({
    description:
      'The status of the record. Of a document its kind, of pain what the patient did, of a consent active, withdrawn, superseded, left or erased.',
    examples: ['confirmed'],
  }),
  actor: Type.Unsafe<{ type: (typeof TIMELINE_ACTORS)[number]; id: string; name: string | null } | null>({
    ...Nullable(Type.Object({ type: Enum(TIMELINE_ACTORS), id: Id, name: Nullable(Text(400, 'Ana Ionescu')) })),
    description:
      'The specialist of a visit, otherwise who did it; null: a program. The name is null for former members.',
  }),
})
export type TimelineEntry = Static<typeof TimelineEntry>

export const TimelineQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      maxLength: MAX_BEFORE_LENGTH,
      description: 'A time (RFC 3339), or next_before of the page before. Entries earlier than this are returned.',
      examples: ['2026-11-15T09:30:00Z'],
    }),
  ),
  kind: Type.Optional(
    Type.String({
      maxLength: MAX_BEFORE_LENGTH,
      description: `Comma-separated: ${TIMELINE_KINDS.join(', ')}. Default: all that you may see.`,
      examples: ['visit,plan'],
      [CHOICES]: TIMELINE_KINDS,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_TIMELINE_LIMIT, default: TIMELINE_LIMIT_DEFAULT, examples: [50] }),
  ),
})

export const Timeline = Type.Object({
  data: Type.Array(TimelineEntry),
  next_before: Type.Unsafe<string | null>({
    ...Nullable(Type.String({ examples: ['2026-11-15T09:30:00.000000Z~visit~019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'] })),
    description: 'Send as before for the next page; null: there is none.',
  }),
})
