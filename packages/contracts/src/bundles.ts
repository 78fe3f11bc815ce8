import { type Static, Type } from 'typebox'
import { CompositionManifest } from './compositions.ts'
import { Nullable, Slug } from './shapes.ts'

/** The types of files in a bundle, by how their names end. */
export const BUNDLE_TYPES = { mp4: 'video/mp4', mp3: 'audio/mpeg', vtt: 'text/vtt' } as const
const MEGABYTE = 1024 * 1024
/** The longest file of each type. */
export const MAX_BUNDLE_FILE_BYTES = { mp4: 500 * MEGABYTE, mp3: 50 * MEGABYTE, vtt: 64 * 1024 } as const

export const BundleFile = Type.Object({
  name: Type.String({ examples: ['rep-left-video-1.mp4'] }),
  bytes: Type.Integer({ examples: [1_204_224] }),
  duration_seconds: Nullable(
    Type.Number({
      description:
        'Of videos and voice-overs; null for captions, and for voice-overs that were uploaded before it was kept.',
      examples: [12.5],
    }),
  ),
})
export type BundleFile = Static<typeof BundleFile>

export const Bundle = Type.Object({
  exercise: Slug,
  asset_version: Type.Integer({ description: 'Incremented by every change.', examples: [3] }),
  manifest: CompositionManifest,
  files: Type.Array(BundleFile),
  slots: Type.Array(
    Type.Object({
      slot: Type.String({ examples: ['rep-left'] }),
      variants: Type.Array(Type.Integer({ examples: [1] })),
      problems: Type.Array(Type.String({ examples: ['There is no voice-over in ro.'] })),
      warnings: Type.Array(
        Type.String({ examples: ['audio/ro/intro-vo-1.mp3 lasts 12.4 s, the video 10.0 s: its end is cut off.'] }),
        { description: 'What can be composed, but will not look or sound as intended.' },
      ),
    }),
  ),
})
export type Bundle = Static<typeof Bundle>

export const ByBundle = Type.Object({ slug: Type.String({ examples: ['sit-to-stand'] }) })
export const ByBundleFile = Type.Object({
  slug: Type.String({ examples: ['sit-to-stand'] }),
  '*': Type.String({ examples: ['rep-left-video-1.mp4'] }),
})
