import { One, SchedulingSettings, SchedulingSettingsChanges } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findSettings, findSettingsForUpdate, updateSettings } from './queries.ts'

const record = recorder({
  target: (_settings: SchedulingSettings) => ({ type: 'scheduling_settings', id: null }),
  acts: {
    updated: { action: 'scheduling_settings.update', crud: 'U', event: 'scheduling_settings.updated' },
  },
})

export const reminderRoutes: Routes = (app) => {
  app.get(
    '/v1/scheduling-settings',
    {
      config: {
        access: permission('calendars.view_org'),
        operationId: 'getSchedulingSettings',
        summary: 'Get the settings of reminders and calendar feeds',
      },
      schema: { response: { 200: One(SchedulingSettings) } },
    },
    async (request) => ({ data: await request.find((tx) => findSettings(tx)) }),
  )

  app.patch(
    '/v1/scheduling-settings',
    {
      config: {
        access: permission('calendars.manage'),
        operationId: 'updateSchedulingSettings',
        summary: 'Update the settings of reminders and calendar feeds',
        description: 'Reminders of appointments that are confirmed already stay as they were planned.',
        versioned: 'version',
      },
      schema: { body: SchedulingSettingsChanges, response: { 200: One(SchedulingSettings) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findSettingsForUpdate(tx)
        await request.mustMatch(tx, before)
        const after = await updateSettings(tx, request.body)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )
}
