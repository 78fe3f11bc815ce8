import { changesBetween, publish } from '@tendon/access'
import {
  ById,
  Calendar,
  CalendarChanges,
  CalendarOverrideParams,
  calendarList,
  listParameters,
  Many,
  NewCalendar,
  NewCalendarOverride,
  NoContent,
  One,
  WeeklyHoursBody,
  type WeeklyWindow,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, permission } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { calendarNotFound, hoursOverlapping, overrideNotFound, windowsOverlapping } from './errors.ts'
import {
  deleteCalendar,
  deleteOverride,
  findCalendar,
  findCalendarForUpdate,
  insertCalendar,
  insertOverride,
  listCalendars,
  listOtherHours,
  lockHours,
  updateCalendar,
  updateWeeklyHours,
} from './queries.ts'
import { hoursOverlap, windowsOverlap } from './rules.ts'

const targetOf = ({ id, name }: Calendar) => ({ type: 'calendar', id, label: name })

export const calendarRoutes: Routes = (app) => {
  app.get(
    '/v1/calendars',
    {
      config: { access: permission('calendars.view_org'), summary: 'List calendars' },
      schema: { querystring: listParameters(calendarList), response: { 200: Many(Calendar) } },
    },
    async (request) => {
      const list = parseList(calendarList, request.query)
      const { rows, total } = await request.findPage((tx) => listCalendars(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/calendars/:id',
    {
      config: { access: permission('calendars.view_org'), summary: 'Get a calendar', refusals: [calendarNotFound] },
      schema: { params: ById, response: { 200: One(Calendar) } },
    },
    async (request) => {
      const calendar = await request.find((tx) => findCalendar(tx, request.params.id))
      if (!calendar) throw calendarNotFound()
      return { data: calendar }
    },
  )

  app.post(
    '/v1/calendars',
    {
      config: {
        access: permission('calendars.manage'),
        idempotent: true,
        summary: 'Create a calendar',
        description:
          'When and where one specialist works. A specialist can have several, for example one per location.',
        refusals: [hoursOverlapping],
      },
      schema: { body: NewCalendar, response: { 201: One(Calendar) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { specialist_id, weekly_hours = [], is_active = true } = request.body
        if (is_active) await refuseOverlap(tx, specialist_id, null, weekly_hours)
        const created = await insertCalendar(tx, request.body)
        await record(request, tx, 'created', {}, created)
        return { data: created }
      }),
  )

  app.patch(
    '/v1/calendars/:id',
    {
      config: {
        access: permission('calendars.manage'),
        versioned: 'version',
        summary: 'Update a calendar',
        refusals: [calendarNotFound, hoursOverlapping],
      },
      schema: { params: ById, body: CalendarChanges, response: { 200: One(Calendar) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await lockedCalendar(tx, request.params.id)
        await request.mustMatch(tx, before)
        if (request.body.is_active) await refuseOverlap(tx, before.specialist_id, before.id, before.weekly_hours)
        const after = await updateCalendar(tx, before.id, request.body)
        await record(request, tx, 'updated', before, after)
        return { data: after }
      }),
  )

  app.put(
    '/v1/calendars/:id/weekly-hours',
    {
      config: {
        access: permission('calendars.manage'),
        operationId: 'replaceWeeklyHours',
        versioned: 'version',
        summary: 'Replace the weekly hours of a calendar',
        refusals: [calendarNotFound, hoursOverlapping],
      },
      schema: { params: ById, body: WeeklyHoursBody, response: { 200: One(Calendar) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await lockedCalendar(tx, request.params.id)
        await request.mustMatch(tx, before)
        await refuseOverlap(tx, before.specialist_id, before.id, request.body.weekly_hours)
        const after = await updateWeeklyHours(tx, before.id, request.body.weekly_hours)
        await record(request, tx, 'updated', before, after)
        return { data: after }
      }),
  )

  app.post(
    '/v1/calendars/:id/overrides',
    {
      config: {
        access: permission('calendars.manage'),
        idempotent: true,
        summary: 'Add an override to a calendar',
        description: 'Replaces the hours of one or more days. Without windows the days are closed.',
        refusals: [calendarNotFound],
      },
      schema: { params: ById, body: NewCalendarOverride, response: { 201: One(Calendar) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const before = await lockedCalendar(tx, request.params.id)
        if (windowsOverlap(request.body.windows)) throw windowsOverlapping()
        await insertOverride(tx, before.id, request.body)
        const after = (await findCalendar(tx, before.id)) ?? before
        await record(request, tx, 'updated', before, after)
        return { data: after }
      }),
  )

  app.delete(
    '/v1/calendars/:id/overrides/:overrideId',
    {
      config: {
        access: permission('calendars.manage'),
        summary: 'Delete an override of a calendar',
        refusals: [calendarNotFound, overrideNotFound],
      },
      schema: { params: CalendarOverrideParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await lockedCalendar(tx, request.params.id)
        if (!(await deleteOverride(tx, before.id, request.params.overrideId))) throw overrideNotFound()
        await record(request, tx, 'updated', before, (await findCalendar(tx, before.id)) ?? before)
      })
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/v1/calendars/:id',
    {
      config: {
        access: permission('calendars.manage'),
        versioned: 'header',
        summary: 'Delete a calendar',
        description: 'Appointments that are already booked stay.',
        refusals: [calendarNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await lockedCalendar(tx, request.params.id)
        await request.mustMatch(tx, before)
        await deleteCalendar(tx, before.id)
        await request.audit(tx, {
          action: 'calendars.delete',
          crud: 'D',
          target: targetOf(before),
          changes: changesBetween(before, {}),
        })
        await publish(tx, 'calendar.deleted', { calendar_id: before.id, specialist_id: before.specialist_id })
      })
      return reply.code(204).send(null)
    },
  )
}

async function lockedCalendar(tx: TenantTx, id: string): Promise<Calendar> {
  const calendar = await findCalendarForUpdate(tx, id)
  if (!calendar) throw calendarNotFound()
  return calendar
}

async function refuseOverlap(
  tx: TenantTx,
  specialistId: string,
  calendarId: string | null,
  hours: readonly WeeklyWindow[],
): Promise<void> {
  await lockHours(tx, specialistId)
  if (hoursOverlap([...hours, ...(await listOtherHours(tx, specialistId, calendarId))])) throw hoursOverlapping()
}

async function record(
  request: FastifyRequest,
  tx: TenantTx,
  what: 'created' | 'updated',
  before: Partial<Calendar>,
  after: Calendar,
): Promise<void> {
  const [action, crud] =
    what === 'created' ? (['calendars.create', 'C'] as const) : (['calendars.update', 'U'] as const)
  await request.audit(tx, { action, crud, target: targetOf(after), changes: changesBetween(before, after) })
  await publish(tx, `calendar.${what}`, { calendar_id: after.id, specialist_id: after.specialist_id })
}
