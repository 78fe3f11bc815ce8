import { holds } from '@tendon/access'
import { MAX_SEARCH_CHARACTERS, MIN_SEARCH_CHARACTERS, One, SearchQuery, SearchResults } from '@tendon/contracts'
import { together } from '@tendon/db'
import { fieldRefusal, membership } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { searchExercises, searchFormTemplates, searchPatients, searchPrograms } from './queries.ts'
import { searchedText } from './rules.ts'

const wrongLength = fieldRefusal('q', `must have ${MIN_SEARCH_CHARACTERS} to ${MAX_SEARCH_CHARACTERS} characters`)

export const searchRoutes: Routes = (app) => {
  app.get(
    '/v1/search',
    {
      config: {
        access: membership(),
        patientData: true,
        summary: 'Search the clinic',
        description:
          'Returns patients, exercises, programs and form templates. A kind whose list you may not read is empty. The text is neither logged nor audited.',
      },
      schema: { querystring: SearchQuery, response: { 200: One(SearchResults) } },
    },
    async (request) => {
      const { limit = 5 } = request.query
      const q = request.query.q.trim()
      const length = Array.from(q).length
      if (length < MIN_SEARCH_CHARACTERS || length > MAX_SEARCH_CHARACTERS) throw wrongLength()
      const may = (code: string) => holds(request.caller, code)
      const [patients, exercises, programs, form_templates] = await request.tenant((tx) =>
        together([
          may('patients.view_org') ? searchPatients(tx, searchedText(q), limit) : [],
          may('exercises.view_published') ? searchExercises(tx, q, limit) : [],
          may('treatment_plans.view_org') ? searchPrograms(tx, q, limit) : [],
          searchFormTemplates(tx, q, limit),
        ]),
      )
      return { data: { patients, exercises, programs, form_templates } }
    },
  )
}
