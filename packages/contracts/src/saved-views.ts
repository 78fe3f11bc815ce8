import { type Static, Type } from 'typebox'
import { Enum, Name, Nullable, RowVersion, Timestamp } from './shapes.ts'

export const MAX_SAVED_VIEWS = 30

/** The lists of the console whose views can be saved. */
export const SAVED_VIEW_LISTS = ['patients'] as const

export const SavedView = Type.Object(
  {
    name: Name(80, 'Not in the portal, newest first'),
    filters: Type.Object(
      {
        view: Type.Optional(
          Type.String({
            pattern: '^([a-z_]{1,40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
            description: 'A filter of the console by name, or a segment by its id',
            examples: ['outside'],
          }),
        ),
      },
      { additionalProperties: false, description: 'Never search text, which is often a person’s name.' },
    ),
    sort: Type.Optional(Type.String({ pattern: '^-?[a-z][a-z_]{0,39}$', examples: ['-created_at'] })),
  },
  { additionalProperties: false },
)
export type SavedView = Static<typeof SavedView>

export const SavedViews = Type.Object({
  views: Type.Array(SavedView),
  version: RowVersion,
  updated_at: Nullable(Timestamp),
})
export type SavedViews = Static<typeof SavedViews>

export const SavedViewsChanges = Type.Object(
  { views: Type.Array(SavedView, { maxItems: MAX_SAVED_VIEWS }), version: Type.Optional(RowVersion) },
  { additionalProperties: false },
)

export const SavedViewsParams = Type.Object({ list: Enum(SAVED_VIEW_LISTS, 'patients') })
export type SavedViewsParams = Static<typeof SavedViewsParams>
