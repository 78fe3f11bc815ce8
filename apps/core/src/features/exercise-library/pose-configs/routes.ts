import { changesBetween } from '@tendon/access'
import {
  ByExerciseSlug,
  ById,
  ByPoseConfigVersion,
  NewPoseConfig,
  One,
  PoseConfigVersion,
  PoseConfigVersions,
} from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { exerciseNotFound, exerciseResource, inLibrary, openExercise, platformExercise } from '../exercises/index.ts'
import { poseConfigNotFound } from './errors.ts'
import { readBySlugOrId, readNewVersion } from './pose-config.ts'
import { findInForce, findNewest, findVersion, insertVersion, listVersions } from './queries.ts'

const VIEW = permission('exercises.view_published')

const record = recorder({
  ...exerciseResource,
  acts: {
    changed: { action: 'exercises.update_pose_config', crud: 'U', event: 'exercise.pose_config_changed' },
  },
})

export const poseConfigRoutes: Routes = (app) => {
  app.get(
    '/v1/exercises/:id/pose-config',
    {
      config: {
        access: VIEW,
        summary: 'Get the pose configuration of an exercise',
        description: 'Returns the current version. The exercise can be given by slug or id.',
        refusals: [exerciseNotFound, poseConfigNotFound],
      },
      schema: { params: ByExerciseSlug, response: { 200: One(PoseConfigVersion) } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readBySlugOrId(tx, request.params.id)
        const data = await findInForce(tx, id)
        if (!data) throw poseConfigNotFound()
        return { data }
      }),
  )

  app.get(
    '/v1/exercises/:id/pose-config/versions',
    {
      config: {
        access: VIEW,
        summary: 'List the versions of a pose configuration',
        description: 'Newest first.',
        refusals: [exerciseNotFound],
      },
      schema: { params: ByExerciseSlug, response: { 200: PoseConfigVersions } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readBySlugOrId(tx, request.params.id)
        return { versions: await listVersions(tx, id) }
      }),
  )

  app.get(
    '/v1/exercises/:id/pose-config/versions/:version',
    {
      config: {
        access: VIEW,
        summary: 'Get a version of a pose configuration',
        refusals: [exerciseNotFound, poseConfigNotFound],
      },
      schema: { params: ByPoseConfigVersion, response: { 200: One(PoseConfigVersion) } },
    },
    (request) =>
      inLibrary(request, async (tx) => {
        const { id } = await readBySlugOrId(tx, request.params.id)
        const data = await findVersion(tx, id, request.params.version)
        if (!data) throw poseConfigNotFound()
        return { data }
      }),
  )

  app.put(
    '/v1/exercises/:id/pose-config',
    {
      config: {
        access: permission('exercises.manage_org'),
        versioned: 'header',
        summary: 'Update the pose configuration of an exercise',
        description: 'Creates a new version. Earlier versions are kept.',
        refusals: [exerciseNotFound, platformExercise],
      },
      attachValidation: true,
      schema: { params: ById, body: NewPoseConfig, response: { 200: One(PoseConfigVersion) } },
    },
    (request) => {
      const version = readNewVersion(request)
      return inLibrary(request, async (tx) => {
        const exercise = await openExercise(tx, request.params.id)
        const before = await findNewest(tx, exercise.id)
        if (before) await request.mustMatch(tx, { id: exercise.id, version: before.version }, async () => before)
        const after = await insertVersion(tx, exercise.id, version)
        const changes = changesBetween(auditedVersion(before), auditedVersion(after))
        const payload = { pose_config_id: after.id, version: after.version }
        await record.changed(request, tx, exercise, exercise, { changes, payload })
        return { data: after }
      })
    },
  )
}

const auditedVersion = (version: PoseConfigVersion | undefined): object => {
  if (!version) return {}
  const { version: number, tracking_enabled, status, pinned_asset_version, config } = version
  return { version: number, tracking_enabled, status, pinned_asset_version, config }
}
