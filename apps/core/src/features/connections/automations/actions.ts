import { randomUUID } from 'node:crypto'
import { resolveLanguage } from '@tendon/access'
import type { AutomationAction } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { ApiError } from '@tendon/http'
import type { JobTools } from '../../../platform/jobs.ts'
import { sendMail } from '../../../platform/mail.ts'
import { createForm } from '../../records/forms/index.ts'
import { AUTOMATION_TRIGGERED, bodyOf, insertDirectDelivery } from '../webhooks/index.ts'
import { type ContextRow, listMembersWith, type Running } from './execution-queries.ts'
import { automationCare, automationMarketing, automationNotice } from './mails.ts'
import { appointmentIn } from './values.ts'

// An action writes rows in the transaction of its step, so both are committed or neither is. Other worker loops send the
// mails and webhook deliveries.

export type Result = { done: true } | { skipped: string } | { failed: string } | { waitUntil: Date }

export interface Work {
  tools: JobTools
  execution: Running
  context: ContextRow
  index: number
  now: Date
}

export async function carryOut(tx: TenantTx, { type, params }: AutomationAction, work: Work): Promise<Result> {
  if (type === 'wait') return waitResult(params, work)
  if (type === 'create_form') return addForm(tx, params.form_template_id ?? '', work)
  if (type === 'send_webhook') return sendWebhook(tx, params.subscription_uid ?? '', work)
  return params.to === 'patient' ? mailPatient(tx, params, work) : mailMembers(tx, type, params, work)
}

type Params = AutomationAction['params']

function waitResult({ minutes, before_appointment_minutes }: Params, { context, now }: Work): Result {
  if (minutes !== undefined) return { waitUntil: new Date(now.getTime() + minutes * 60_000) }
  if (context.appointment_starts_at === null) return { failed: 'appointment_missing' }
  const until = new Date(Date.parse(context.appointment_starts_at) - (before_appointment_minutes ?? 0) * 60_000)
  return until > now ? { waitUntil: until } : { done: true }
}

/** After the wait, checks the time again, because the appointment may have been moved. */
export const afterWait = ({ params }: AutomationAction, work: Work): Result =>
  params.before_appointment_minutes === undefined ? { done: true } : waitResult(params, work)

async function addForm(tx: TenantTx, form_template_id: string, { execution, tools }: Work): Promise<Result> {
  const { patient_profile_id, organization_id, data } = execution
  if (patient_profile_id === null) return { skipped: 'patient_missing' }
  const appointment_id = appointmentIn(data)
  try {
    await createForm(tools, tx, { form_template_id, patient_profile_id, appointment_id }, organization_id)
    return { done: true }
  } catch (error) {
    if (error instanceof ApiError) return { failed: error.code }
    throw error
  }
}

async function sendWebhook(tx: TenantTx, uid: string, { execution, now }: Work): Promise<Result> {
  const id = randomUUID()
  const { organization_id, rule_id, event_id, patient_profile_id, data } = execution
  const payload = {
    rule_id,
    execution_id: execution.id,
    trigger_event_id: event_id,
    patient_profile_id,
    appointment_id: appointmentIn(data),
  }
  const body = bodyOf(AUTOMATION_TRIGGERED, payload, { id, organization_id, occurred_at: now.toISOString() })
  const sent = await insertDirectDelivery(tx, uid, {
    id,
    event: AUTOMATION_TRIGGERED.event,
    body,
    occurred_at: now.toISOString(),
    patientId: null,
    patientProfileId: patient_profile_id,
  })
  return sent ? { done: true } : { failed: 'webhook_inactive' }
}

const messageOf = ({ subject = '', text = '' }: Params, context: ContextRow) => ({
  subject,
  text,
  values: {
    'patient.first_name': context.patient_first_name ?? '',
    'patient.last_name': context.patient_last_name ?? '',
    'clinic.name': context.clinic_name,
  },
  starts_at: context.appointment_starts_at,
})

const keyOf = ({ execution, index }: Work, to = '') => `automation:${execution.id}:${index}:${to}`

async function mailPatient(tx: TenantTx, params: Params, work: Work): Promise<Result> {
  const { context, execution } = work
  if (execution.patient_profile_id === null || context.patient_email === null) return { skipped: 'address_missing' }
  if (params.kind === 'marketing' && !context.marketing) return { skipped: 'consent_missing' }
  await sendMail(tx, params.kind === 'marketing' ? automationMarketing : automationCare, {
    to_address: context.patient_email,
    language: resolveLanguage(context.patient_language, context.language_code),
    data: messageOf(params, context),
    patient_profile_id: execution.patient_profile_id,
    dedupe_key: keyOf(work),
  })
  return { done: true }
}

/** `send_mail` sends the text as it is, `notify_members` in a notice that names the rule. */
async function mailMembers(
  tx: TenantTx,
  type: 'send_mail' | 'notify_members',
  params: Params,
  work: Work,
): Promise<Result> {
  const { context, execution } = work
  const members = await listMembersWith(tx, params.permission ?? '')
  const message = messageOf(params, context)
  const noticeOf = (text: typeof message) => ({
    rule_name: execution.definition.name,
    patient_id: context.patient_id,
    ...text,
  })
  for (const { to_address, preferred_language } of members) {
    const mail = {
      to_address,
      language: resolveLanguage(preferred_language, context.language_code),
      ...(execution.patient_profile_id === null ? {} : { patient_profile_id: execution.patient_profile_id }),
      dedupe_key: keyOf(work, to_address),
    }
    if (type === 'send_mail') await sendMail(tx, automationCare, { ...mail, data: message })
    else await sendMail(tx, automationNotice, { ...mail, data: noticeOf(message) })
  }
  return members.length === 0 ? { skipped: 'no_recipient' } : { done: true }
}
