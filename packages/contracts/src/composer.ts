import { Type } from 'typebox'
import { Enum, Nullable } from './shapes.ts'

const Status = Enum(['healthy', 'unhealthy'])

export const ComposerHealth = Type.Object({ status: Status })

export const ComposerReadiness = Type.Object({
  ready: Type.Boolean({ examples: [true] }),
  checks: Type.Object({ postgresql: Status, object_store: Status, identity: Status }),
  renderer: Type.Object({
    ffmpeg: Nullable(
      Type.String({
        examples: ['ffmpeg version 7.1.1'],
        description: 'Null when ffmpeg is missing; then nothing is rendered.',
      }),
    ),
    message: Type.String({ examples: ['Videos are rendered, without a network.'] }),
  }),
})

/** The format of Bunny Stream. */
export const VideoHostWebhook = Type.Object({
  VideoLibraryId: Type.Integer({ examples: [4711] }),
  VideoGuid: Type.String({ examples: ['657bb740-a71b-4529-a012-528021c31a92'] }),
  Status: Type.Integer({
    description: '4: playable; 5: transcoding failed; 0 to 3: in progress.',
    examples: [4],
  }),
})

export const WebhookReceipt = Type.Object({ received: Type.Boolean({ examples: [true] }) })
