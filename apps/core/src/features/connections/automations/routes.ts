import { isDeepStrictEqual } from 'node:util'
import {
  type AutomationDefinition,
  AutomationRule,
  AutomationRuleChanges,
  AutomationRuleVersion,
  AutomationSimulation,
  automationRuleList,
  automationVersionList,
  ById,
  Choices,
  listParameters,
  Many,
  NewAutomationRule,
  NoContent,
  One,
  type RuleProblem,
  SimulatedEvent,
  StoredAutomationRule,
} from '@tendon/contracts'
import { pageOf, parseList, permission, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { findPatient } from '../../people/patients/index.ts'
import { resumeExecutions } from './bulk-queries.ts'
import { invalidRule, ruleNotFound, tooManyRules } from './errors.ts'
import { READING_EVENTS } from './execution-queries.ts'
import { mustHoldCodes } from './permissions.ts'
import {
  countRules,
  definitionOf,
  deleteRule,
  findRule,
  findRuleForUpdate,
  insertRule,
  listRules,
  listVersions,
  updateRule,
} from './queries.ts'
import { record } from './record.ts'
import { findReferenceProblems, problemFinder } from './references.ts'
import { MAX_RULES, problemsOf } from './rules.ts'
import { simulate } from './simulating.ts'
import { fieldsOf } from './triggers.ts'

const view = permission('automations.view_org')
const manage = permission('automations.manage')
const NO_CONDITIONS = { mode: 'all' as const, rules: [] }
const SIMULATED_DAYS = 30

function refuseBadRule(request: FastifyRequest, rule: AutomationDefinition): void {
  const fields = problemsOf(rule, fieldsOf(rule.trigger.event))
  if (Object.keys(fields).length > 0) throw invalidRule({ fields })
  mustHoldCodes(request, rule)
}

/** What another change of the clinic can correct: a subscription is activated, a member gets the permission. */
const CORRECTABLE: readonly RuleProblem['code'][] = ['subscription_inactive', 'permission_not_held']

function refuseBadReferences(problems: readonly RuleProblem[]): void {
  const bad = problems.filter(({ code }) => !CORRECTABLE.includes(code))
  if (bad.length > 0) throw invalidRule({ fields: Object.fromEntries(bad.map((one) => [one.field, one.message])) })
}

export const automationRuleRoutes: Routes = (app, { db, now, box }) => {
  app.get(
    '/v1/automation-rules',
    {
      config: { access: view, latency: 'simple_read', summary: 'List automation rules' },
      schema: { querystring: listParameters(automationRuleList), response: { 200: Many(AutomationRule) } },
    },
    async (request) => {
      const list = parseList(automationRuleList, request.query)
      const { rows, total } = await request.findPage((tx) => listRules(tx, list))
      const problemsIn = await problemFinder(db, request.caller.organization_id, rows)
      return { data: rows.map((row) => ({ ...row, problems: problemsIn(row) })), pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/automation-rules/:id',
    {
      config: { access: view, latency: 'simple_read', summary: 'Get an automation rule', refusals: [ruleNotFound] },
      schema: { params: ById, response: { 200: One(AutomationRule) } },
    },
    async (request) => {
      const found = await request.find((tx) => findRule(tx, request.params.id))
      if (!found) throw ruleNotFound()
      const problemsIn = await problemFinder(db, request.caller.organization_id, [found])
      return { data: { ...found, problems: problemsIn(found) } }
    },
  )

  app.post(
    '/v1/automation-rules',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        idempotent: true,
        summary: 'Create an automation rule',
        description:
          'Runs its actions in order when the event occurs and the conditions are met. Needs the permissions of its actions: `mails.manage`, `forms.create`, `webhooks.manage`; and of what its conditions and texts read: `patients.view_org`, `appointments.view_org`, for `integration.received` `organizations.manage_integrations`.',
        refusals: [invalidRule, tooManyRules],
      },
      schema: { body: NewAutomationRule, response: { 201: One(AutomationRule) } },
    },
    async (request, reply) => {
      const rule = { conditions: NO_CONDITIONS, delay_minutes: 0, is_active: true, ...request.body }
      const problems = (await problemFinder(db, request.caller.organization_id, [rule]))(rule)
      return request.tenantCreate(reply, async (tx) => {
        refuseBadRule(request, rule)
        refuseBadReferences(problems)
        if ((await countRules(tx)) >= MAX_RULES) throw tooManyRules()
        const created = await insertRule(tx, rule)
        await record.created(request, tx, created)
        return { data: { ...created, problems } }
      })
    },
  )

  app.patch(
    '/v1/automation-rules/:id',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        versioned: 'version',
        current: StoredAutomationRule,
        summary: 'Update an automation rule',
        description:
          'Changing the definition, or whether the rule is active, creates a version. Executions in progress keep their version. While `is_active` is false, executions that have not ended are held (`is_held`): they do nothing, and continue when the rule is switched on again, or can be canceled with `POST …/{id}/executions/cancel`. An execution that was due before an appointment is skipped (`late`) if the appointment has begun by then. Held executions time out after 30 days. Everything that the actions refer to must exist when the actions change and when the rule is switched on.',
        refusals: [ruleNotFound, invalidRule],
      },
      schema: { params: ById, body: AutomationRuleChanges, response: { 200: One(AutomationRule) } },
    },
    async (request) => {
      const changed = await request.tenant(async (tx) => {
        const before = await findRuleForUpdate(tx, request.params.id)
        if (!before) throw ruleNotFound()
        await request.mustMatch(tx, before)
        const rule = { ...definitionOf(before), is_active: before.is_active, ...request.body }
        refuseBadRule(request, rule)
        const isSwitchedOn = rule.is_active && !before.is_active
        if (isSwitchedOn || !isDeepStrictEqual(before.actions, rule.actions))
          refuseBadReferences(await findReferenceProblems(tx, rule.actions))
        const renewed =
          before.is_active !== rule.is_active || !isDeepStrictEqual(definitionOf(before), definitionOf(rule))
        const after = await updateRule(tx, before, rule, { renewed, switchedOnAt: isSwitchedOn ? now() : undefined })
        if (isSwitchedOn) await resumeExecutions(tx, after.id, now())
        await record.updated(request, tx, before, after)
        return after
      })
      const problemsIn = await problemFinder(db, request.caller.organization_id, [changed])
      return { data: { ...changed, problems: problemsIn(changed) } }
    },
  )

  app.delete(
    '/v1/automation-rules/:id',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        versioned: 'header',
        summary: 'Delete an automation rule',
        description: 'Its executions are deleted too.',
        refusals: [ruleNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findRuleForUpdate(tx, request.params.id)
        if (!before) throw ruleNotFound()
        await request.mustMatch(tx, before)
        await deleteRule(tx, before.id)
        await record.deleted(request, tx, before)
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/automation-rules/:id/versions',
    {
      config: {
        access: view,
        latency: 'simple_read',
        summary: 'List the versions of an automation rule',
        refusals: [ruleNotFound],
      },
      schema: {
        params: ById,
        querystring: listParameters(automationVersionList),
        response: { 200: Many(AutomationRuleVersion) },
      },
    },
    async (request) => {
      const list = parseList(automationVersionList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findRule(tx, request.params.id))) throw ruleNotFound()
        return listVersions(tx, request.params.id, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/automation-rules/:id/simulate',
    {
      config: {
        access: manage,
        service: READING_EVENTS,
        latency: 'complex_read',
        operationId: 'simulateAutomationRule',
        summary: 'Simulate an automation rule over past events',
        description:
          'Shows for the newest 200 events since then whether the rule would run. Events that its filter excludes are not listed. Writes and sends nothing.',
        refusals: [ruleNotFound],
      },
      schema: { params: ById, body: AutomationSimulation, response: { 200: Choices(SimulatedEvent) } },
    },
    async (request) => {
      const { since, patient_id } = request.body
      if (Date.parse(since) < now().getTime() - SIMULATED_DAYS * 86_400_000)
        throw validationFailed({ fields: { since: `must be within the last ${SIMULATED_DAYS} days` } })
      const data = await request.tenant(async (tx) => {
        const rule = await findRule(tx, request.params.id)
        if (!rule) throw ruleNotFound()
        mustHoldCodes(request, rule)
        const patient = patient_id === undefined ? undefined : await findPatient(tx, patient_id)
        if (patient_id !== undefined && !patient)
          throw validationFailed({ fields: { patient_id: 'must be a patient of your clinic (GET /v1/patients)' } })
        return simulate(tx, rule, { since, patient }, { box, now: now() })
      })
      return { data }
    },
  )
}
