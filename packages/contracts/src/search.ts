import { type Static, Type } from 'typebox'
import { Id, Nullable } from './shapes.ts'

export const MIN_SEARCH_CHARACTERS = 2
export const MAX_SEARCH_CHARACTERS = 100
const SEARCH_LIMIT_DEFAULT = 5
const MAX_SEARCH_LIMIT = 20

export const SearchQuery = Type.Object({
  q: Type.String({
    description: `${MIN_SEARCH_CHARACTERS} to ${MAX_SEARCH_CHARACTERS} characters without blanks around them. Finds parts of words in any order; digits of a phone number in any grouping.`,
    examples: ['maria st'],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SEARCH_LIMIT,
      default: SEARCH_LIMIT_DEFAULT,
      description: 'Of each kind.',
    }),
  ),
})

const FoundPatient = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Maria Stan'] }),
  birth_date: Nullable(Type.String({ examples: ['1961-04-12'] })),
  phone_tail: Nullable(Type.String({ description: 'The last four digits of the phone number.', examples: ['5010'] })),
})
export type FoundPatient = Static<typeof FoundPatient>

const FoundRow = (name: string) =>
  Type.Object({
    id: Id,
    name: Type.String({ examples: [name] }),
    status: Type.String({ examples: ['published'] }),
  })
export type FoundRow = Static<ReturnType<typeof FoundRow>>

/** By kind; a kind whose list the caller may not read is empty. */
export const SearchResults = Type.Object({
  patients: Type.Array(FoundPatient),
  exercises: Type.Array(FoundRow('Squat')),
  programs: Type.Array(FoundRow('Knee, first weeks')),
  form_templates: Type.Array(FoundRow('First questionnaire')),
})
export type SearchResults = Static<typeof SearchResults>
