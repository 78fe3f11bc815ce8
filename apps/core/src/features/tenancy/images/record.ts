import type { ClinicImage } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'
import type { SpecialistUrls } from './queries.ts'

export const recordImage = recorder({
  target: ({ id, name }: ClinicImage) => ({ type: 'image', id, label: name }),
  acts: {
    created: { action: 'images.create', crud: 'C' },
    deleted: { action: 'images.delete', crud: 'D' },
  },
})

export const recordSpecialist = recorder({
  target: ({ id, name }: SpecialistUrls) => ({ type: 'specialist', id, label: name }),
  facts: ({ avatar_url, signature_url }) => ({ avatar_url, signature_url }),
  payload: ({ id }) => ({ specialist_id: id }),
  acts: {
    updated: { action: 'specialists.update', crud: 'U', event: 'specialist.updated' },
    signatureRead: { action: 'specialists.read_signature', crud: 'R' },
  },
})
