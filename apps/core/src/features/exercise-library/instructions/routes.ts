import { changesBetween } from '@tendon/access'
import {
  ById,
  ByInstruction,
  Instruction,
  InstructionChanges,
  InstructionOrder,
  Instructions,
  NewInstruction,
  NoContent,
  One,
} from '@tendon/contracts'
import { permission, validationFailed } from '@tendon/http'
import { playableUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import {
  countInstructions,
  createInLibrary,
  exerciseNotFound,
  inLibrary,
  listInstructions,
  openExercise,
  platformExercise,
  readExercise,
} from '../exercises/index.ts'
import { instructionNotFound, lastInstruction } from './errors.ts'
import { openInstruction } from './instruction.ts'
import { deleteInstruction, insertInstruction, updateInstruction, updateOrder } from './queries.ts'
import { record } from './record.ts'

const MANAGE = permission('exercises.manage_org')

const isOrderOf = (ids: number[], instructions: { id: number }[]) =>
  ids.length === instructions.length && instructions.every(({ id }) => ids.includes(id))

const contentOf = ({ version: _version, ...content }: Instruction) => content

export const instructionRoutes: Routes = (app, services) => {
  app.get(
    '/v1/exercises/:id/instructions',
    {
      config: {
        access: permission('exercises.view_published'),
        secretAnswer: true,
        summary: 'List the instructions of an exercise',
        description: 'In the order in which the patient sees them.',
        refusals: [exerciseNotFound],
      },
      schema: { params: ById, response: { 200: Instructions } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readExercise(tx, request.params.id)
        return playableUrls(services, { instructions: await listInstructions(tx, id) })
      }),
  )

  app.post(
    '/v1/exercises/:id/instructions',
    {
      config: {
        access: MANAGE,
        idempotent: true,
        summary: 'Add an instruction to an exercise',
        refusals: [exerciseNotFound, platformExercise],
      },
      schema: { params: ById, body: NewInstruction, response: { 201: One(Instruction) } },
    },
    (request, reply) =>
      createInLibrary(request, reply, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const created = await insertInstruction(tx, exercise.id, request.body)
        const changes = [{ field: 'instruction', before: null, after: created }]
        const payload = { instruction_id: created.id }
        await record.added(request, tx, exercise, exercise, { changes, payload })
        return { data: created }
      }),
  )

  app.put(
    '/v1/exercises/:id/instructions/reorder',
    {
      config: {
        access: MANAGE,
        operationId: 'reorderExerciseInstructions',
        summary: 'Reorder the instructions of an exercise',
        refusals: [exerciseNotFound, platformExercise],
      },
      schema: { params: ById, body: InstructionOrder, response: { 200: Instructions } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { instruction_ids } = request.body
        const exercise = await openExercise(tx, request.params.id)
        const before = await listInstructions(tx, exercise.id)
        if (!isOrderOf(instruction_ids, before))
          throw validationFailed({
            fields: { instruction_ids: 'must contain the id of every instruction of the exercise exactly once' },
          })
        await updateOrder(tx, exercise.id, instruction_ids)
        const after = await listInstructions(tx, exercise.id)
        const changes = changesBetween({ instruction_ids: before.map(({ id }) => id) }, { instruction_ids })
        await record.reordered(request, tx, exercise, exercise, { changes })
        return playableUrls(services, { instructions: after })
      }),
  )

  app.put(
    '/v1/exercises/:id/instructions/:instructionId',
    {
      config: {
        access: MANAGE,
        versioned: 'version',
        summary: 'Update an instruction',
        description: 'Changes only the fields that the request contains.',
        refusals: [exerciseNotFound, platformExercise, instructionNotFound],
      },
      schema: { params: ByInstruction, body: InstructionChanges, response: { 200: One(Instruction) } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { exercise, instruction: before, payload } = await openInstruction(tx, request.params)
        await request.mustMatch(tx, { ...before, id: exercise.id }, () => playableUrls(services, before))
        const after = await updateInstruction(tx, before.id, request.body)
        const changes = changesBetween(contentOf(before), contentOf(after))
        await record.updated(request, tx, exercise, exercise, { changes, payload })
        return { data: await playableUrls(services, after) }
      }),
  )

  app.delete(
    '/v1/exercises/:id/instructions/:instructionId',
    {
      config: {
        access: MANAGE,
        versioned: 'header',
        summary: 'Delete an instruction',
        description: 'The last instruction of a published exercise cannot be deleted.',
        refusals: [exerciseNotFound, platformExercise, instructionNotFound, lastInstruction],
      },
      schema: { params: ByInstruction, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await inLibrary(request, async (tx) => {
        const { exercise, instruction, payload } = await openInstruction(tx, request.params)
        await request.mustMatch(tx, { ...instruction, id: exercise.id })
        if (exercise.status === 'published' && (await countInstructions(tx, exercise.id)) === 1) throw lastInstruction()
        await deleteInstruction(tx, instruction.id)
        const changes = [{ field: 'instruction', before: instruction, after: null }]
        await record.deleted(request, tx, exercise, exercise, { changes, payload })
      })
      return reply.code(204).send(null)
    },
  )
}
