import { type Static, Type } from 'typebox'
import { Enum, Id } from './shapes.ts'

export const USAGE_KINDS = [
  'custom_field_values',
  'appointments',
  'form_templates',
  'forms',
  'services',
  'segments',
  'automation_rules',
  'treatment_plans',
  'programs',
  'exercises',
  'tags',
  'documents',
] as const
export const USAGE_CONSEQUENCES = ['blocks', 'deleted', 'unlinked', 'broken', 'kept'] as const

const Use = Type.Object({
  kind: Enum(USAGE_KINDS, 'segments'),
  consequence: Type.Unsafe<(typeof USAGE_CONSEQUENCES)[number]>({
    type: 'string',
    enum: [...USAGE_CONSEQUENCES],
    description:
      'What a deletion does to it. blocks: the deletion is refused; deleted; unlinked: only the reference is removed; broken: does not work until it is changed; kept: does not change.',
    examples: ['broken'],
  }),
  count: Type.Integer({ examples: [1] }),
  items: Type.Array(Type.Object({ id: Id, name: Type.String({ examples: ['Runners'] }) }), {
    description: 'Up to five that you may see.',
  }),
})

/** What uses a row that is about to be deleted. */
export const Usage = Type.Object({
  is_used: Type.Boolean({ examples: [true] }),
  is_deletable: Type.Boolean({ description: 'False when a use blocks the deletion.', examples: [true] }),
  uses: Type.Array(Use),
})
export type Usage = Static<typeof Usage>
