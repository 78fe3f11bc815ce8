import { One, SavedViews, SavedViewsChanges, SavedViewsParams } from '@tendon/contracts'
import { membership, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { nameTwice, notAMember } from './errors.ts'
import { findSavedViews, lockSavedViews, saveViews } from './queries.ts'
import { problemsOf } from './rules.ts'

export const savedViewRoutes: Routes = (app) => {
  app.get(
    '/v1/me/saved-views/:list',
    {
      config: {
        access: membership(),
        operationId: 'getMySavedViews',
        summary: 'List your saved views of a list',
        description: 'The views that you saved at the current clinic. Nobody else sees them.',
      },
      schema: { params: SavedViewsParams, response: { 200: One(SavedViews) } },
    },
    async (request) => ({ data: await request.tenant((tx) => findSavedViews(tx, request.params.list)) }),
  )

  app.put(
    '/v1/me/saved-views/:list',
    {
      config: {
        access: membership(),
        versioned: 'version',
        operationId: 'saveMySavedViews',
        summary: 'Replace your saved views of a list',
        description:
          'A view has a name, filters, an order and columns. Its filters are those of the list. Search text and ids of patients are not saved.',
        refusals: [notAMember],
      },
      schema: { params: SavedViewsParams, body: SavedViewsChanges, response: { 200: One(SavedViews) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const views = request.body.views.map((view) => ({ ...view, name: view.name.normalize().trim() }))
        const names = views.map(({ name }) => name.toLowerCase())
        const twice = names.findIndex((name, index) => names.indexOf(name) < index)
        if (twice !== -1) throw nameTwice(twice)()
        await lockSavedViews(tx)
        const before = await findSavedViews(tx, request.params.list)
        await request.mustMatch(tx, before)
        const fields = problemsOf(request.params.list, views, before.views)
        if (Object.keys(fields).length > 0) throw validationFailed({ fields })
        const after = await saveViews(tx, request.params.list, views)
        await request.audit(tx, {
          action: 'me.save_views',
          crud: 'U',
          target: { type: 'saved_views', id: null, label: request.params.list },
        })
        return { data: after }
      }),
  )
}
