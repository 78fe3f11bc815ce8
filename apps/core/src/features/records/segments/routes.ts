import {
  ById,
  NewSegment,
  NoContent,
  One,
  Segment,
  SegmentDetails,
  SegmentList,
  SegmentVersion,
  SegmentVersionParams,
  SegmentVersions,
  SegmentWithCount,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addJob } from '../../../platform/jobs.ts'
import { recorder } from '../../../platform/recorder.ts'
import { segmentNotFound, segmentVersionNotFound, tooManySegments } from './errors.ts'
import { REBUILD_JOB } from './job-names.ts'
import {
  countMembers,
  deleteSegment,
  findSegment,
  findSegmentForUpdate,
  insertSegment,
  listSegments,
  listVersions,
  updateSegment,
} from './queries.ts'
import { queueEvaluation } from './queue-queries.ts'
import { mustSeePatients, readBody, SEGMENTS } from './request.ts'

const record = recorder({
  target: ({ id, name }: Segment) => ({ type: 'segment', id, label: name }),
  payload: ({ id }) => ({ segment_id: id }),
  acts: {
    created: { action: 'segments.create', crud: 'C', event: 'segment.created' },
    updated: { action: 'segments.update', crud: 'U', event: 'segment.updated' },
    deleted: { action: 'segments.delete', crud: 'D', event: 'segment.deleted' },
  },
})

export const segmentRoutes: Routes = (app) => {
  app.get(
    '/v1/segments',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'List segments',
        description: 'Sorted by name.',
      },
      schema: { response: { 200: SegmentList } },
    },
    async (request) => ({ segments: await request.tenant(listSegments) }),
  )

  app.get(
    '/v1/segments/:id',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'Get a segment',
        description: 'Includes the number of members.',
        refusals: [segmentNotFound],
      },
      schema: { params: ById, response: { 200: One(SegmentWithCount) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        mustSeePatients(request)
        const segment = await findSegment(tx, request.params.id)
        if (!segment) throw segmentNotFound()
        return { data: { ...segment, member_count: await countMembers(tx, segment.id) } }
      }),
  )

  app.post(
    '/v1/segments',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.manage'),
        idempotent: true,
        summary: 'Create a segment',
        description: 'Its members are evaluated in the background.',
        refusals: [tooManySegments],
      },
      schema: { body: NewSegment, response: { 201: One(Segment) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        mustSeePatients(request)
        const created = await insertSegment(tx, await readBody(tx, request, NewSegment))
        await record.created(request, tx, created)
        await askForRebuild(tx, created.id)
        return { data: created }
      }),
  )

  app.put(
    '/v1/segments/:id',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.manage'),
        versioned: 'version',
        summary: 'Update a segment',
        description: 'Replaces the segment with a new version. The members do not change until the next evaluation.',
        refusals: [segmentNotFound],
      },
      schema: { params: ById, body: SegmentDetails, response: { 200: Segment } },
    },
    (request) =>
      request.tenant(async (tx) => {
        mustSeePatients(request)
        const before = await findSegmentForUpdate(tx, request.params.id)
        if (!before) throw segmentNotFound()
        await request.mustMatch(tx, before)
        const after = await updateSegment(tx, before, await readBody(tx, request, NewSegment))
        await record.updated(request, tx, before, after, { payload: { version: after.version } })
        await askForRebuild(tx, after.id)
        return after
      }),
  )

  app.delete(
    '/v1/segments/:id',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.manage'),
        versioned: 'header',
        summary: 'Delete a segment',
        description: 'Also deletes its members and versions.',
        refusals: [segmentNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await deleteSegment(tx, request.params.id)
        if (!before) throw segmentNotFound()
        await request.mustMatch(tx, before)
        await record.deleted(request, tx, before)
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/segments/:id/versions',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'List the versions of a segment',
        description: 'Newest first.',
        refusals: [segmentNotFound],
      },
      schema: { params: ById, response: { 200: SegmentVersions } },
    },
    async (request) => {
      const versions = await request.tenant((tx) => listVersions(tx, request.params.id))
      if (versions.length === 0) throw segmentNotFound()
      return { versions }
    },
  )

  app.get(
    '/v1/segments/:id/versions/:version',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'Get a version of a segment',
        refusals: [segmentVersionNotFound],
      },
      schema: { params: SegmentVersionParams, response: { 200: SegmentVersion } },
    },
    async (request) => {
      const { id, version } = request.params
      const [found] = await request.tenant((tx) => listVersions(tx, id, version))
      if (!found) throw segmentVersionNotFound()
      return found
    },
  )
}

async function askForRebuild(tx: TenantTx, segmentId: string): Promise<void> {
  await queueEvaluation(tx, segmentId)
  await addJob(tx, REBUILD_JOB, {}, { key: 'waiting' })
}
