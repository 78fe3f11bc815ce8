import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { BUNDLE_TYPES, Bundle, ByBundle, ByBundleFile, CompositionManifest, NoContent, One } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { permission, validationFailed } from '@tendon/http'
import { inspectMp3, inspectVideo, limitConcurrency } from '@tendon/video-host'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../services.ts'
import {
  bundleFileNotFound,
  bundleFileTooLarge,
  bundleNotFound,
  exerciseNotFound,
  invalidBundleFileName,
  platformBundle,
  storageFull,
  unusableBundleFile,
  wrongBundleFileType,
} from './errors.ts'
import { type Inspect, MAX_UPLOAD_MS, takeBundleFile } from './files.ts'
import {
  type BundleExercise,
  claimObject,
  findBundle,
  findExerciseBySlug,
  findPlatformExerciseBySlug,
  listBundleFiles,
  lockBundle,
  removeBundleFile,
  replaceBundleFile,
  type StoredBundle,
  saveManifest,
} from './queries.ts'
import { isBundleFileName, manifestProblems, slotsOf } from './rules.ts'

type Tx = TenantTx | PlatformTx

const VIEW = permission('exercises.view_published')
const MANAGE = permission('exercises.manage_org')
const FILE = { type: 'string', format: 'binary' }
/** Each inspection runs in a process of its own. */
const MAX_INSPECTIONS = 4

/** An exercise that the caller sees. */
type Find = (slug: string) => Promise<BundleExercise>

/** Superadmins manage the bundles of the platform's exercises, clinics those of their own. */
const inLibrary = <Result>(request: FastifyRequest, work: (tx: Tx, find: Find) => Promise<Result>): Promise<Result> =>
  request.caller.is_superadmin
    ? request.platform((tx) => work(tx, (slug) => findPlatformExerciseBySlug(tx, slug).then(existing)))
    : request.tenant((tx) => work(tx, (slug) => findExerciseBySlug(tx, slug).then(existing)))

function existing(exercise: BundleExercise | undefined): BundleExercise {
  if (!exercise) throw exerciseNotFound()
  return exercise
}

/** An exercise whose bundle the caller may change. */
async function ownExercise(request: FastifyRequest, find: Find, slug: string): Promise<BundleExercise> {
  const exercise = await find(slug)
  if (!request.caller.is_superadmin && exercise.organization_id === null) throw platformBundle()
  return exercise
}

async function presentBundle(tx: Tx, exercise: BundleExercise): Promise<Bundle> {
  const bundle = await findBundle(tx, exercise.id)
  if (!bundle) throw bundleNotFound()
  const stored = await listBundleFiles(tx, exercise.id, bundle.asset_version)
  const files = stored.map(({ name, bytes, seconds }) => ({ name, bytes, duration_seconds: seconds }))
  const { asset_version, manifest } = bundle
  return { exercise: exercise.slug, asset_version, manifest, files, slots: slotsOf(manifest, files) }
}

export const bundleRoutes: Routes = (app, services) => {
  const limited = limitConcurrency(MAX_INSPECTIONS)
  const inspect: Inspect = {
    video: (objects, key) => limited(() => inspectVideo(objects, key)),
    mp3: (objects, key) => limited(() => inspectMp3(objects, key)),
  }
  const targetOf = ({ id, slug }: BundleExercise) => ({ type: 'exercise_bundle', id, label: slug })

  async function change(
    request: FastifyRequest,
    slug: string,
    what: { action: string; file: string },
    work: (tx: Tx, bundle: StoredBundle) => Promise<void>,
  ): Promise<Bundle> {
    return inLibrary(request, async (tx, find) => {
      const exercise = await ownExercise(request, find, slug)
      const bundle = await lockBundle(tx, exercise.id)
      if (!bundle) throw bundleNotFound()
      await work(tx, bundle)
      const after = await presentBundle(tx, exercise)
      const changes = [
        { field: 'file', before: null, after: what.file },
        { field: 'asset_version', before: bundle.asset_version, after: after.asset_version },
      ]
      const entry = { action: what.action, crud: 'U', target: targetOf(exercise), changes } as const
      await request.audit(tx, entry, exercise.organization_id)
      return after
    })
  }

  app.get(
    '/v1/exercises/:slug/bundle',
    {
      config: {
        access: VIEW,
        summary: 'Get the bundle of an exercise',
        description: 'Returns the manifest, the files, and what is missing in each slot.',
        refusals: [exerciseNotFound, bundleNotFound],
      },
      schema: { params: ByBundle, response: { 200: One(Bundle) } },
    },
    async (request) => {
      const { slug } = request.params
      const data = await inLibrary(request, async (tx, find) => presentBundle(tx, await find(slug)))
      return { data }
    },
  )

  app.put(
    '/v1/exercises/:slug/bundle',
    {
      config: {
        access: MANAGE,
        summary: 'Save the manifest of a bundle',
        refusals: [exerciseNotFound, platformBundle],
      },
      schema: { params: ByBundle, body: CompositionManifest, response: { 200: One(Bundle) } },
    },
    async (request) => {
      const { slug } = request.params
      const data = await inLibrary(request, async (tx, find) => {
        const exercise = await ownExercise(request, find, slug)
        const fields = manifestProblems(request.body, exercise)
        if (Object.keys(fields).length > 0) throw validationFailed({ fields })
        await saveManifest(tx, exercise.id, request.body)
        const after = await presentBundle(tx, exercise)
        const changes = [{ field: 'asset_version', before: null, after: after.asset_version }]
        const entry = { action: 'exercise_bundles.save', crud: 'U', target: targetOf(exercise), changes } as const
        await request.audit(tx, entry, exercise.organization_id)
        return after
      })
      return { data }
    },
  )

  app.register(async (bare) => {
    const scope = bare.withTypeProvider<TypeBoxTypeProvider>()
    // The handler reads the file itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    scope.put(
      '/v1/exercises/:slug/bundle/files/*',
      {
        config: {
          access: MANAGE,
          operationId: 'uploadBundleFile',
          summary: 'Upload a file of a bundle',
          description: 'The body is the file: video/mp4, audio/mpeg or text/vtt. A file of the same name is replaced.',
          consumes: Object.fromEntries(Object.values(BUNDLE_TYPES).map((type) => [type, FILE])),
          refusals: [
            exerciseNotFound,
            bundleNotFound,
            platformBundle,
            invalidBundleFileName,
            wrongBundleFileType,
            bundleFileTooLarge,
            unusableBundleFile,
            storageFull,
          ],
        },
        handlerTimeout: MAX_UPLOAD_MS,
        schema: { params: ByBundleFile, response: { 200: One(Bundle) } },
      },
      async (request) => {
        const { slug, '*': name } = request.params
        if (!isBundleFileName(name)) throw invalidBundleFileName()
        const exercise = await inLibrary(request, async (tx, find) => {
          const own = await ownExercise(request, find, slug)
          if (!(await findBundle(tx, own.id))) throw bundleNotFound()
          return own
        })
        const file = await takeBundleFile(request, services, exercise, name, {
          inspect,
          inTransaction: (work) => inLibrary(request, work),
        })
        const data = await change(
          request,
          slug,
          { action: 'exercise_bundles.upload', file: name },
          async (tx, bundle) => {
            if (!(await claimObject(tx, file.object_key)))
              throw unusableBundleFile({ reason: 'took too long to upload' })
            await replaceBundleFile(tx, bundle, file)
          },
        )
        return { data }
      },
    )
  })

  app.delete(
    '/v1/exercises/:slug/bundle/files/*',
    {
      config: {
        access: MANAGE,
        operationId: 'deleteBundleFile',
        summary: 'Delete a file of a bundle',
        refusals: [exerciseNotFound, bundleNotFound, platformBundle, bundleFileNotFound],
      },
      schema: { params: ByBundleFile, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { slug, '*': name } = request.params
      await change(request, slug, { action: 'exercise_bundles.delete_file', file: name }, async (tx, bundle) => {
        if (!(await removeBundleFile(tx, bundle, name))) throw bundleFileNotFound()
      })
      return reply.code(204).send(null)
    },
  )
}
