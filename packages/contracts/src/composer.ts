import { Type } from 'typebox'
import { Enum, Nullable } from './shapes.ts'

const Status = Enum(['healthy', 'unhealthy'])

export const RENDERER_SANDBOXES = [
  'full',
  'without_user_namespace',
  'forbidden',
  'not_installed',
  'unknown_processor',
] as const
export type RendererSandbox = (typeof RENDERER_SANDBOXES)[number]

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
    sandbox: Nullable(
      Type.Unsafe<RendererSandbox>({
        type: 'string',
        enum: [...RENDERER_SANDBOXES],
        description:
          'What keeps ffmpeg from the rest of the machine. full: no network, other files, capabilities and dangerous system calls, and a user namespace of its own. without_user_namespace: the same without the last. forbidden, not_installed, unknown_processor: no sandbox. Null without ffmpeg.',
        examples: ['full'],
      }),
    ),
    message: Type.String({ examples: ['Videos can be rendered. ffmpeg runs in a sandbox.'] }),
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
