import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readMp4 } from './boxes.ts'
import { secondsOf } from './master-playlist.ts'
import { FRAMES_PER_SECOND } from './profile.ts'

// ffmpeg can succeed and leave an empty or short file. Nothing is published before it is counted.

const TOLERANCE_SECONDS = 0.05

export interface Made {
  form: 'hls' | 'mp4'
  folder: string
  names: readonly string[]
  frames: number
  rungs: number
  languages: readonly string[]
}

export class RenderWrong extends Error {
  override name = 'RenderWrong'
}

export async function checkRender({ form, folder, names, frames, rungs, languages }: Made): Promise<void> {
  for (const name of names) if ((await stat(join(folder, name))).size === 0) throw new RenderWrong(`${name} is empty`)
  const seconds = frames / FRAMES_PER_SECOND
  const expectFrames = async (name: string, wanted: (samples: number) => boolean) => {
    const { samples } = await readMp4(join(folder, name))
    if (!wanted(samples)) throw new RenderWrong(`${name} has ${samples} samples; ${frames} pictures were expected`)
  }
  // An MP4 holds pictures and sound: more samples than pictures.
  if (form === 'mp4') return expectFrames('video.mp4', (samples) => samples > frames)
  const expectSeconds = async (name: string) => {
    const found = secondsOf(await readFile(join(folder, name), 'utf8'))
    if (Math.abs(found - seconds) > TOLERANCE_SECONDS)
      throw new RenderWrong(`${name} lasts ${found} s; ${seconds} s were expected`)
  }
  for (let n = 0; n < rungs; n += 1) {
    await expectFrames(`pictures-${n}.m4s`, (samples) => samples === frames)
    await expectSeconds(`pictures-${n}.m3u8`)
  }
  for (const language of languages) await expectSeconds(`sound-${language}.m3u8`)
}
