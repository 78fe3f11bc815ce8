import { createHash } from 'node:crypto'
import { blocksPerVoice, type CompositionManifest, type CompositionSet, type Side } from '@tendon/contracts'

// Which pieces a composition plays, in which order. The same bundle, sets and seed give the same timeline on every machine
// and in every release.

export interface Composition {
  manifest: CompositionManifest
  /** The names of the files in the bundle. */
  names: readonly string[]
  language: string
  sets: readonly CompositionSet[]
  seed: number
}

interface TimelineItem {
  slot: string
  /** The number in the file's name. */
  variant: number
  video: string
}

/** A voice-over, and how many items it lasts; it is cut at their end. */
interface TimelineVoice {
  from: number
  items: number
  /** By language; a language is left out when a voice-over of it is missing anywhere in the timeline. */
  files: Readonly<Record<string, { sound: string; captions: string | null }>>
}

export interface Timeline {
  items: TimelineItem[]
  voices: TimelineVoice[]
  languages: string[]
  /** Slots for which the bundle has no file: of pictures `<slot>`, of a voice-over `audio/<language>/<slot>`. */
  missing: string[]
}

export interface Block {
  slot: string
  /** How many items the voice-over that begins here lasts; 0: one that began before goes on. */
  voiceItems: number
}

/** The slots of a composition, with the whole pauses and all repetitions. */
function blocksOf(manifest: CompositionManifest, sets: readonly CompositionSet[], has: (slot: string) => boolean) {
  const perBlock = manifest.reps_per_video_block ?? 1
  const perVoice = blocksPerVoice(manifest)
  const blocks: Block[] = [{ slot: 'intro', voiceItems: 1 }]
  for (const [n, { side, reps }] of sets.entries()) {
    const before = sets[n - 1]
    if (before) blocks.push({ slot: pauseOf(manifest, before.side, side, has), voiceItems: 1 })
    const count = reps / perBlock
    for (let block = 0; block < count; block += 1) {
      const begins = block % perVoice === 0
      blocks.push({ slot: `rep-${side}`, voiceItems: begins ? Math.min(perVoice, count - block) : 0 })
    }
  }
  blocks.push({ slot: 'outro', voiceItems: 1 })
  return blocks
}

function pauseOf({ laterality }: CompositionManifest, from: Side, to: Side, has: (slot: string) => boolean): string {
  if (laterality === 'bilateral') return 'pause'
  const sided = from === to ? `pause-${from}` : `pause-${from}-to-${to}`
  return has(sided) ? sided : 'pause'
}

export function buildTimeline({ manifest, names, language, sets, seed }: Composition): Timeline {
  const variants = variantsOf(names)
  const videosOf = (slot: string) => variants.get(`${slot}-video`) ?? []
  const voicesOf = (tongue: string, slot: string) => variants.get(`audio/${tongue}/${slot}-vo`) ?? []
  const blocks = blocksOf(manifest, sets, (slot) => videosOf(slot).length > 0)
  const slots = [...new Set(blocks.map(({ slot }) => slot))]
  const speaks = (tongue: string) => slots.every((slot) => voicesOf(tongue, slot).length > 0)
  const missing = [
    ...slots.filter((slot) => videosOf(slot).length === 0),
    ...slots.filter((slot) => voicesOf(language, slot).length === 0).map((slot) => `audio/${language}/${slot}`),
  ]
  const languages = manifest.languages.filter((tongue) => tongue === language || speaks(tongue))
  if (missing.length > 0) return { items: [], voices: [], languages, missing }

  const present = new Set(names)
  const items = blocks.map(({ slot }, n) => {
    const variant = chosen(seed, n, slot, videosOf(slot))
    return { slot, variant, video: `${slot}-video-${variant}.mp4` }
  })
  const voices = blocks.flatMap(({ slot, voiceItems }, from) => {
    if (voiceItems === 0) return []
    const files = languages.map((tongue) => {
      const name = `audio/${tongue}/${slot}-vo-${chosen(seed, from, `${slot}-vo`, voicesOf(tongue, slot))}`
      return [tongue, { sound: `${name}.mp3`, captions: present.has(`${name}.vtt`) ? `${name}.vtt` : null }] as const
    })
    return [{ from, items: voiceItems, files: Object.fromEntries(files) }]
  })
  return { items, voices, languages, missing }
}

const FILE = /^((?:audio\/[a-z]{2,3}\/)?[a-z-]+-(?:video|vo))-([1-9]\d{0,2})\.(mp4|mp3)$/

/** The numbers of the variants by slot and kind, in order. */
function variantsOf(names: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const name of names) {
    const [, slot, number] = FILE.exec(name) ?? []
    if (slot !== undefined) found.set(slot, [...(found.get(slot) ?? []), Number(number)])
  }
  for (const numbers of found.values()) numbers.sort((a, b) => a - b)
  return found
}

/** No random generator, so that other programs can compute the same choice. */
function chosen(seed: number, position: number, slot: string, variants: readonly number[]): number {
  const hash = createHash('sha256').update(`v1\0${seed}\0${position}\0${slot}`).digest()
  return variants[hash.readUInt32BE(0) % variants.length] ?? 1
}
