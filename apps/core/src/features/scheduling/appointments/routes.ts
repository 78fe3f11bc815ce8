import { type Caller, holds, publish } from '@tendon/access'
import {
  APPOINTMENT_INCLUDES,
  Appointment,
  AppointmentChanges,
  type AppointmentInclude,
  AppointmentMove,
  AppointmentStatusChange,
  appointmentList,
  ById,
  listParameters,
  Many,
  NewAppointment,
  NoContent,
  One,
} from '@tendon/contracts'
import { asService, together } from '@tendon/db'
import { pageOf, parseList, permission, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { dayFull, holdConverted, holdExpired, holdNotFound, slotTaken } from '../holds/index.ts'
import { changeStatus } from './change-status.ts'
import { createAppointments } from './create.ts'
import { checkCustomFields } from './custom-fields.ts'
import { idsOnDaysOff, withDayOff } from './days-off.ts'
import {
  appointmentNotFound,
  hasDocuments,
  invalidTransition,
  notMovable,
  patientBusy,
  startsInPast,
  undoExpired,
  undoRefused,
} from './errors.ts'
import { COMPLETING } from './lead.ts'
import { mustBeOpen } from './locations.ts'
import { moveAppointment, moveByStaff } from './move.ts'
import { NAMING } from './names-queries.ts'
import { noticeChange } from './notices.ts'
import { hasTelemedicine } from './patient-queries.ts'
import { findAppointment, freeTime, listAppointments, updateAppointment } from './queries.ts'
import { found, lockAppointment, movePayload, mustSeeAppointments, record, withOverLimit } from './record.ts'
import { missingConsents } from './rules.ts'
import { AS_STAFF } from './service.ts'
import { updateAppointmentStatus } from './status-queries.ts'

const VIEW = permission('appointments.view_org')
const MANAGE = permission('appointments.manage')

const DELETING = {
  codes: ['appointments.manage', 'appointments.view_org'],
  why: 'Who may delete appointments need not have the right to change them.',
} as const

/** Without the permission, `documents` is left out: an empty list would say that there are none. */
const seenIncludes = (caller: Caller, names: readonly string[]): AppointmentInclude[] =>
  APPOINTMENT_INCLUDES.filter(
    (name) =>
      names.includes(name) &&
      (name !== 'documents' || holds(caller, 'documents.view_org') || holds(caller, 'documents.create')),
  )

export const appointmentRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/appointments',
    {
      config: {
        access: VIEW,
        patientData: true,
        contentTag: true,
        service: NAMING,
        summary: 'List appointments',
        description:
          'include=patient,specialist,service adds their names, include=documents its documents if you may see documents. day_off=unsettled lists future ones on a day off that were neither moved, cancelled nor kept.',
      },
      schema: { querystring: listParameters(appointmentList), response: { 200: Many(Appointment) } },
    },
    async (request) => {
      const list = parseList(appointmentList, request.query)
      const { include = [], day_off, ...filters } = list.filters
      const seen = seenIncludes(request.caller, include)
      const { rows, total } = await request.tenant(async (tx) => {
        const ids = day_off && (await idsOnDaysOff(request, tx, now(), day_off))
        return listAppointments(tx, { ...list, filters }, seen, ids)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/appointments/:id',
    {
      config: { access: VIEW, patientData: true, summary: 'Get an appointment', refusals: [appointmentNotFound] },
      schema: { params: ById, response: { 200: One(Appointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const include = seenIncludes(request.caller, APPOINTMENT_INCLUDES)
        const appointment = await findAppointment(tx, request.params.id, include)
        if (!appointment) throw appointmentNotFound()
        await record.read(request, tx, appointment)
        return { data: { ...appointment, ...(await withDayOff(request, tx, now(), appointment.id)) } }
      }),
  )

  app.post(
    '/v1/appointments',
    {
      config: {
        access: MANAGE,
        patientData: true,
        idempotent: true,
        summary: 'Create an appointment',
        description:
          'Books a hold, or any free time of a specialist. Without mode, the appointment is in person if the service offers that, otherwise in its first mode. With repeat, creates a series at the same local time and returns the first one.',
        service: AS_STAFF,
        refusals: [slotTaken, dayFull, patientBusy, holdNotFound, holdExpired, holdConverted, processingRestricted],
      },
      schema: { body: NewAppointment, response: { 201: One(Appointment) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        mustSeeAppointments(request)
        const created = await createAppointments(tx, request.body, now())
        for (const { appointment, isOverLimit } of created)
          await record.created(request, tx, withOverLimit(appointment, isOverLimit))
        return { data: found(created[0]?.appointment) }
      }),
  )

  app.patch(
    '/v1/appointments/:id',
    {
      config: {
        access: MANAGE,
        patientData: true,
        service: AS_STAFF,
        summary: 'Update an appointment',
        versioned: 'version',
        refusals: [appointmentNotFound],
      },
      schema: { params: ById, body: AppointmentChanges, response: { 200: One(Appointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const fields = await checkCustomFields(tx, request.body.custom_fields)
        const before = await lockAppointment(tx, request.params.id)
        await request.mustMatch(tx, before)
        const { location_id, mode } = request.body
        if (location_id !== before.location_id) await mustBeOpen(tx, location_id)
        const missing = mode && missingConsents(mode, await hasTelemedicine(tx, before.patient_profile_id))
        const after = await updateAppointment(tx, before.id, request.body, { fields, missingConsents: missing })
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.put(
    '/v1/appointments/:id/status',
    {
      config: {
        access: MANAGE,
        versioned: 'version',
        patientData: true,
        operationId: 'changeAppointmentStatus',
        summary: 'Change the status of an appointment',
        description:
          'Cancelling an appointment, or marking it as missed, frees its time. To give a waitlist entry a time, send starts_at and specialist_id. To undo the last change within 24 hours, send previous_status: an appointment that takes place again needs its time to be free. Completing the first visit of a patient makes its specialist the lead, if there is none.',
        service: COMPLETING,
        refusals: [
          appointmentNotFound,
          invalidTransition,
          undoRefused,
          undoExpired,
          hasDocuments,
          slotTaken,
          dayFull,
          patientBusy,
          processingRestricted,
        ],
      },
      schema: { params: ById, body: AppointmentStatusChange, response: { 200: One(Appointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await lockAppointment(tx, request.params.id)
        await request.mustMatch(tx, before)
        return { data: await changeStatus(request, tx, before, request.body, now()) }
      }),
  )

  app.post(
    '/v1/appointments/:id/reschedule',
    {
      config: {
        access: MANAGE,
        patientData: true,
        service: AS_STAFF,
        summary: 'Reschedule an appointment',
        description:
          'Cancels the old appointment and returns the new one, which is the same except for what the hold or the request names. With service_id it has the length and price of that service. Its files and unsigned forms follow.',
        refusals: [
          appointmentNotFound,
          notMovable,
          startsInPast,
          slotTaken,
          dayFull,
          patientBusy,
          holdNotFound,
          holdExpired,
          holdConverted,
          processingRestricted,
        ],
      },
      schema: { params: ById, body: AppointmentMove, response: { 200: One(Appointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findAppointment(tx, request.params.id)
        if (!before) throw appointmentNotFound()
        await mustBeOpen(tx, request.body.location_id)
        const move = moveByStaff(before.id, request.body, now())
        const { row, isOverLimit } = await asService(tx, AS_STAFF.codes, (own) =>
          moveAppointment(own, move, (service, id) => findAppointment(service, id)),
        )
        const after = found(row)
        await together([
          record.rescheduled(request, tx, before, withOverLimit(after, isOverLimit)),
          publish(tx, 'appointment.rescheduled', movePayload(before, after)),
        ])
        return { data: after }
      }),
  )

  app.delete(
    '/v1/appointments/:id',
    {
      config: {
        access: permission('appointments.delete'),
        service: DELETING,
        versioned: 'header',
        patientData: true,
        summary: 'Mark an appointment as entered in error',
        refusals: [appointmentNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const { id } = request.params
        if (!(await findAppointment(tx, id))) throw appointmentNotFound()
        await asService(tx, DELETING.codes, async (own) => {
          const before = await lockAppointment(own, id)
          await request.mustMatch(own, before)
          const after = await updateAppointmentStatus(own, id, 'entered_in_error', null)
          await freeTime(own, id)
          await noticeChange(own, before, after, now())
          await record.entered_in_error(request, own, before, after)
        })
      })
      return reply.code(204).send(null)
    },
  )
}
