import {
  ById,
  Choices,
  listParameters,
  MAX_SESSIONS_BYTES,
  Many,
  NewProgram,
  NoContent,
  One,
  ProgramChoice,
  ProgramDetails,
  ProgramReplacement,
  ProgramStatusChange,
  ProgramSummary,
  pickerParameters,
  programList,
  Usage,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, parsePicker, permission } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { findUsage } from '../../../platform/usage.ts'
import { mustSeePlans } from './access.ts'
import { invalidTransition, programNameTaken, programNotFound } from './errors.ts'
import {
  DELETING,
  deleteProgram,
  findProgram,
  findProgramForUpdate,
  insertProgram,
  listProgramChoices,
  listPrograms,
  type ProgramRow,
  updateProgram,
  updateProgramStatus,
} from './queries.ts'
import { acceptSessions } from './tree.ts'
import { findPlannedExercises, listSessions, saveSessions } from './tree-queries.ts'
import { named } from './tree-rules.ts'

const VIEW = permission('treatment_plans.view_org')
const MANAGE = permission('treatment_plans.manage')

const record = recorder({
  target: ({ id, name }: ProgramRow) => ({ type: 'program', id, label: name }),
  payload: ({ id }) => ({ program_id: id }),
  acts: {
    created: { action: 'programs.create', crud: 'C', event: 'program.created' },
    updated: { action: 'programs.update', crud: 'U', event: 'program.updated' },
    archived: { action: 'programs.change_status', crud: 'U', event: 'program.archived' },
    reopened: { action: 'programs.change_status', crud: 'U', event: 'program.reopened' },
    deleted: { action: 'programs.delete', crud: 'D', event: 'program.deleted' },
    restored: { action: 'programs.restore', crud: 'U', event: 'program.restored' },
  },
})

export const programRoutes: Routes = (app) => {
  app.get(
    '/v1/programs',
    {
      config: { access: VIEW, summary: 'List programs' },
      schema: { querystring: listParameters(programList), response: { 200: Many(ProgramSummary) } },
    },
    async (request) => {
      const list = parseList(programList, request.query)
      const { rows, total } = await request.findPage((tx) => listPrograms(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/programs/picker',
    {
      config: { access: VIEW, summary: 'List programs for a picker', description: 'Returns active programs.' },
      schema: { querystring: pickerParameters, response: { 200: Choices(ProgramChoice) } },
    },
    async (request) => ({ data: await request.find((tx) => listProgramChoices(tx, parsePicker(request.query))) }),
  )

  app.get(
    '/v1/programs/:id',
    {
      config: {
        access: VIEW,
        summary: 'Get a program',
        description: 'Includes its sessions and exercises, in order.',
        refusals: [programNotFound],
      },
      schema: { params: ById, response: { 200: One(ProgramDetails) } },
    },
    async (request) => ({ data: await request.tenant((tx) => readProgram(tx, request.params.id)) }),
  )

  app.post(
    '/v1/programs',
    {
      config: { access: MANAGE, idempotent: true, summary: 'Create a program', refusals: [programNameTaken] },
      bodyLimit: MAX_SESSIONS_BYTES,
      schema: { body: NewProgram, response: { 201: One(ProgramDetails) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        mustSeePlans(request)
        const wanted = await acceptSessions(tx, [], request.body.sessions ?? [])
        const { id } = await insertProgram(tx, request.body)
        await saveSessions(tx, { program_id: id }, { before: [], wanted, keep: false })
        const created = await readProgram(tx, id)
        await record.created(request, tx, created)
        return { data: created }
      }),
  )

  app.put(
    '/v1/programs/:id',
    {
      config: {
        access: MANAGE,
        versioned: 'version',
        summary: 'Update a program',
        description: 'Replaces the program and its sessions. Treatment plans created from it do not change.',
        refusals: [programNotFound, programNameTaken],
      },
      bodyLimit: MAX_SESSIONS_BYTES,
      schema: { params: ById, body: ProgramReplacement, response: { 200: One(ProgramDetails) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { id, version } = await openProgram(request, tx)
        await request.mustMatch(tx, { id, version }, () => readProgram(tx, id))
        const before = await readProgram(tx, id)
        const stored = await listSessions(tx, { program_id: id })
        const wanted = await acceptSessions(tx, stored, request.body.sessions)
        await updateProgram(tx, id, request.body)
        await saveSessions(tx, { program_id: id }, { before: stored, wanted, keep: false })
        const after = await readProgram(tx, id)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.put(
    '/v1/programs/:id/status',
    {
      config: {
        access: MANAGE,
        versioned: 'version',
        summary: 'Change the status of a program',
        description: 'Archives the program or makes it active again.',
        refusals: [programNotFound, invalidTransition],
      },
      schema: { params: ById, body: ProgramStatusChange, response: { 200: One(ProgramDetails) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { status } = request.body
        const before = await openProgram(request, tx)
        await request.mustMatch(tx, before, () => readProgram(tx, before.id))
        if (before.status === status) throw invalidTransition({ from: before.status, to: status })
        await updateProgramStatus(tx, before.id, status)
        const recordChange = status === 'archived' ? record.archived : record.reopened
        await recordChange(request, tx, before, { ...before, status })
        return { data: await readProgram(tx, before.id) }
      }),
  )

  app.get(
    '/v1/programs/:id/usage',
    {
      config: {
        access: MANAGE,
        latency: 'simple_read',
        summary: 'List what uses a program',
        description: 'Call it before you delete the program.',
        refusals: [programNotFound],
      },
      schema: { params: ById, response: { 200: One(Usage) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const program = await findProgram(tx, request.params.id)
        if (!program) throw programNotFound()
        return { data: await findUsage(tx, 'program', program.id) }
      }),
  )

  app.delete(
    '/v1/programs/:id',
    {
      config: {
        access: MANAGE,
        service: DELETING,
        versioned: 'header',
        summary: 'Delete a program',
        description: 'Treatment plans created from it are kept. The name can be used again.',
        refusals: [programNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await openProgram(request, tx)
        await request.mustMatch(tx, before)
        await record.deleted(request, tx, before, { deleted_at: await deleteProgram(tx, before.id) })
      })
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: '/v1/programs/:id',
    params: ById,
    table: 'programs',
    access: 'treatment_plans.manage',
    sees: 'treatment_plans.view_org',
    one: 'a program',
    contract: ProgramDetails,
    notFound: programNotFound,
    refusals: [programNameTaken],
    transaction: (request, { tenant }) => {
      mustSeePlans(request)
      return request.tenant(tenant)
    },
    read: readProgram,
    record: (request, tx, row, changes) => record.restored(request, tx, row, row, { changes }),
  })
}

async function openProgram(request: FastifyRequest<{ Params: { id: string } }>, tx: TenantTx): Promise<ProgramRow> {
  mustSeePlans(request)
  const program = await findProgramForUpdate(tx, request.params.id)
  if (!program) throw programNotFound()
  return program
}

async function readProgram(tx: TenantTx, id: string): Promise<ProgramDetails> {
  const [program, sessions] = await Promise.all([findProgram(tx, id), listSessions(tx, { program_id: id })])
  if (!program) throw programNotFound()
  return { ...program, sessions: named(sessions, await findPlannedExercises(tx, sessions)) }
}
