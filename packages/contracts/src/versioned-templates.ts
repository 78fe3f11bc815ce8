import { Type } from 'typebox'
import { Id } from './shapes.ts'

// What templates of forms and of PDF documents have in common: a draft, and versions that were published.

export const TEMPLATE_STATUSES = ['draft', 'published', 'archived'] as const

export const TemplateVersionParams = Type.Object({
  id: Id,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] }),
})

export const templateVersionList = { sort: ['version', 'published_at'] } as const
