import { publish } from '@tendon/access'
import {
  type AppointmentMode,
  AppointmentReview,
  ById,
  Choices,
  listParameters,
  Many,
  MeetingLink,
  MyAppointment,
  MyAppointmentCancel,
  MyAppointmentMove,
  myAppointmentList,
  NewAppointmentReview,
  NewMyAppointment,
  One,
} from '@tendon/contracts'
import { asService, type TenantTx, together } from '@tendon/db'
import { pageOf, parseList, patient, permission, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { holdConverted, holdExpired, holdNotFound } from '../holds/index.ts'
import { bookHold } from './book.ts'
import { cancelAppointment } from './cancel.ts'
import {
  alreadyReviewed,
  appointmentNotFound,
  noMeetingLink,
  notCompleted,
  notMovable,
  patientBusy,
  telemedicineRequired,
  tooEarly,
  tooLate,
} from './errors.ts'
import { moveAppointment } from './move.ts'
import {
  findHoldMode,
  findMyAppointment,
  insertReview,
  listMyAppointments,
  listReviews,
  type OwnAppointment,
} from './my-queries.ts'
import { findMyRecord, hasTelemedicine, lockPatientsOf } from './patient-queries.ts'
import { findAppointment } from './queries.ts'
import { eventPayload, movePayload } from './record.ts'
import { canJoin, isChangeable, isInTime, missingConsents } from './rules.ts'
import { AS_PATIENT } from './service.ts'

export const myAppointmentRoutes: Routes = (app, { now }) => {
  const shown = ({
    meeting_url,
    cancel_notice_minutes: _c,
    reschedule_notice_minutes: _r,
    ...row
  }: OwnAppointment) => ({
    ...row,
    can_join: meeting_url !== null && row.status === 'confirmed' && canJoin(row, now()),
  })

  async function own(tx: TenantTx, id: string): Promise<OwnAppointment> {
    const appointment = await findMyAppointment(tx, id)
    if (!appointment) throw appointmentNotFound()
    return appointment
  }

  /** A video appointment needs consent to telemedicine. */
  function mustConsent(mode: AppointmentMode | undefined, isGiven: boolean): void {
    const [missing_purpose] = mode ? missingConsents(mode, isGiven) : []
    if (missing_purpose) throw telemedicineRequired({ missing_purpose })
  }

  async function mustBeMovable(tx: TenantTx, id: string, holdId: string): Promise<void> {
    const [before, mode] = await together([own(tx, id), findHoldMode(tx, holdId)])
    if (!isChangeable(before.status)) throw notMovable({ status: before.status })
    if (!isInTime(before.starts_at, before.reschedule_notice_minutes, now())) throw tooLate()
    mustConsent(mode, mode !== 'video' || (await hasTelemedicine(tx, before.patient_profile_id)))
  }

  const audit = (request: FastifyRequest, tx: TenantTx, of: OwnAppointment, action: string, crud: 'C' | 'U') =>
    request.audit(tx, {
      action: `appointments.${action}`,
      crud,
      target: { type: 'appointment', id: of.id },
      patientProfileId: of.patient_profile_id,
    })

  app.get(
    '/v1/me/appointments',
    {
      config: {
        access: patient(),
        contentTag: true,
        summary: 'List your appointments',
        description: 'Returns your appointments at each of your clinics.',
      },
      schema: { querystring: listParameters(myAppointmentList), response: { 200: Many(MyAppointment) } },
    },
    async (request) => {
      const list = parseList(myAppointmentList, request.query)
      const { rows, total } = await request.findPage((tx) => listMyAppointments(tx, list))
      return { data: rows.map(shown), pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/me/appointments',
    {
      config: {
        access: patient(),
        idempotent: true,
        service: AS_PATIENT,
        summary: 'Book an appointment for yourself',
        description: 'Takes a hold of the clinic in context. A video appointment needs the consent telemedicine.',
        refusals: [
          patientNotFound,
          telemedicineRequired,
          holdNotFound,
          holdExpired,
          holdConverted,
          patientBusy,
          processingRestricted,
        ],
      },
      schema: { body: NewMyAppointment, response: { 201: One(MyAppointment) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { hold_id, patient_note = null } = request.body
        const [patient, mode] = await together([findMyRecord(tx), findHoldMode(tx, hold_id)])
        if (!patient) throw patientNotFound()
        mustConsent(mode, patient.has_telemedicine)
        const booking = { holdId: hold_id, source: 'patient', patientId: patient.id, note: patient_note } as const
        const booked = await asService(tx, AS_PATIENT.codes, (service) => bookHold(service, booking, own))
        await together([
          audit(request, tx, booked, 'create', 'C'),
          publish(tx, 'appointment.created', eventPayload(booked)),
        ])
        return { data: shown(booked) }
      }),
  )

  app.post(
    '/v1/me/appointments/:id/cancel',
    {
      config: {
        access: patient(),
        service: AS_PATIENT,
        summary: 'Cancel your appointment',
        refusals: [appointmentNotFound, tooLate, notMovable],
      },
      schema: { params: ById, body: MyAppointmentCancel, response: { 200: One(MyAppointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await own(tx, request.params.id)
        if (!isChangeable(before.status)) throw notMovable({ status: before.status })
        if (!isInTime(before.starts_at, before.cancel_notice_minutes, now())) throw tooLate()
        const { reason = null } = request.body
        const cancelled = await asService(tx, AS_PATIENT.codes, (service) =>
          cancelAppointment(service, before.id, 'patient', reason),
        )
        if (!cancelled) throw notMovable({ status: (await own(tx, before.id)).status })
        const [, , after] = await together([
          audit(request, tx, before, 'cancel', 'U'),
          publish(tx, 'appointment.cancelled', eventPayload(before)),
          own(tx, before.id),
        ])
        return { data: shown(after) }
      }),
  )

  app.post(
    '/v1/me/appointments/:id/reschedule',
    {
      config: {
        access: patient(),
        service: AS_PATIENT,
        summary: 'Reschedule your appointment',
        description: 'Cancels the old appointment and returns the new one.',
        refusals: [
          appointmentNotFound,
          tooLate,
          notMovable,
          holdNotFound,
          holdExpired,
          holdConverted,
          patientBusy,
          processingRestricted,
          telemedicineRequired,
        ],
      },
      schema: { params: ById, body: MyAppointmentMove, response: { 200: One(MyAppointment) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { id } = request.params
        const { hold_id: holdId } = request.body
        const check = (service: TenantTx) => mustBeMovable(service, id, holdId)
        const move = { id, by: 'patient', holdId, now: now(), check } as const
        const { row: after } = await asService(tx, AS_PATIENT.codes, (service) => moveAppointment(service, move, own))
        await together([
          audit(request, tx, after, 'reschedule', 'U'),
          publish(tx, 'appointment.rescheduled', movePayload({ id }, after)),
        ])
        return { data: shown(after) }
      }),
  )

  app.get(
    '/v1/me/appointments/:id/join',
    {
      config: {
        access: patient(),
        operationId: 'joinMyAppointment',
        secretAnswer: true,
        summary: 'Get the meeting link of your appointment',
        refusals: [appointmentNotFound, noMeetingLink, tooEarly, telemedicineRequired],
      },
      schema: { params: ById, response: { 200: One(MeetingLink) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const appointment = await own(tx, request.params.id)
        mustConsent('video', await hasTelemedicine(tx, appointment.patient_profile_id))
        if (!appointment.meeting_url) throw noMeetingLink()
        if (!canJoin(appointment, now())) throw tooEarly()
        return { data: { url: appointment.meeting_url } }
      }),
  )

  app.post(
    '/v1/appointments/:id/reviews',
    {
      config: {
        access: patient(),
        idempotent: true,
        summary: 'Review your appointment',
        refusals: [appointmentNotFound, notCompleted, alreadyReviewed, processingRestricted],
      },
      schema: { params: ById, body: NewAppointmentReview, response: { 201: One(AppointmentReview) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        // Locked first: staff may be undoing that it took place.
        const [, reviewed] = await together([lockPatientsOf(tx, [request.params.id]), own(tx, request.params.id)])
        const { id, status } = reviewed
        if (status !== 'completed') throw notCompleted()
        const review = await insertReview(tx, id, request.body)
        await audit(request, tx, reviewed, 'review', 'C')
        await publish(tx, 'appointment.reviewed', eventPayload(reviewed))
        return { data: review }
      }),
  )

  app.get(
    '/v1/appointments/:id/reviews',
    {
      config: {
        access: permission('appointments.view_org'),
        patientData: true,
        summary: 'List the reviews of an appointment',
        description: 'An appointment has at most one review.',
        refusals: [appointmentNotFound],
      },
      schema: { params: ById, response: { 200: Choices(AppointmentReview) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { id } = request.params
        if (!(await findAppointment(tx, id))) throw appointmentNotFound()
        return { data: await listReviews(tx, id) }
      }),
  )
}
