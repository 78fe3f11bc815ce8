import {
  ById,
  One,
  type PoseConfigProposal,
  PoseConfigRecording,
  PoseConfigProposal as Proposal,
} from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { exerciseNotFound, inLibrary, readExercise } from '../exercises/index.ts'
import { noProposal, recordingInvalid } from './errors.ts'
import { proposalFrom } from './proposal.ts'

/** The JSON around the longest recording. */
const MAX_RECORDING_BODY_BYTES = 3_100_000

export const proposeRoutes: Routes = (app) => {
  app.post(
    '/v1/exercises/:id/pose-config/propose',
    {
      config: {
        access: permission('exercises.manage_org'),
        operationId: 'proposePoseConfig',
        summary: 'Propose a pose configuration from a recording',
        description:
          'Finds the joint, side, thresholds and range of one to three good repetitions. Nothing is saved; PUT the configuration once it is reviewed.',
        refusals: [exerciseNotFound, recordingInvalid, noProposal],
      },
      bodyLimit: MAX_RECORDING_BODY_BYTES,
      schema: { params: ById, body: PoseConfigRecording, response: { 200: One(Proposal) } },
    },
    async (request): Promise<{ data: PoseConfigProposal }> => {
      await inLibrary(request, (tx) => readExercise(tx, request.params.id))
      return { data: proposalFrom(request.body) }
    },
  )
}
