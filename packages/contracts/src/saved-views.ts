import { type Static, Type } from 'typebox'
import { type SavedViewList, savedViewLists } from './saved-view-lists.ts'
import { Name, Nullable, RowVersion, Timestamp } from './shapes.ts'

export const MAX_SAVED_VIEWS = 30
const MAX_VIEW_FILTERS = 20
const MAX_VIEW_COLUMNS = 40
const MAX_FILTER_LENGTH = 500

const FIELD = '[a-z][a-z0-9_]{0,39}'

export const SavedView = Type.Object(
  {
    name: Name(80, 'Cancelled this month'),
    filters: Type.Record(
      Type.String({ pattern: `^${FIELD}$` }),
      Type.String({ minLength: 1, maxLength: MAX_FILTER_LENGTH }),
      {
        maxProperties: MAX_VIEW_FILTERS,
        description:
          'Query parameters of the list: its filters and ranges. Never search text or the id of a patient. For `patients` also `view`: a filter of the console by name, or a segment by its id.',
        examples: [{ status: 'cancelled,no_show' }],
      },
    ),
    sort: Type.Optional(
      Type.String({
        pattern: `^-?${FIELD}(,-?${FIELD}){0,4}$`,
        description: 'As the list takes it.',
        examples: ['-created_at'],
      }),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ pattern: `^${FIELD}$`, examples: ['name'] }), {
        maxItems: MAX_VIEW_COLUMNS,
        uniqueItems: true,
        description: 'The columns that the console shows, in order.',
        examples: [['name', 'created_at']],
      }),
    ),
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

export const SavedViewsParams = Type.Object({
  list: Type.Unsafe<SavedViewList>({ type: 'string', enum: Object.keys(savedViewLists), examples: ['patients'] }),
})
export type SavedViewsParams = Static<typeof SavedViewsParams>
