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
  /** Pictures. */
  frames: number
  soundFrames: number
  rungs: number
  languages: readonly string[]
}

export class RenderWrong extends Error {
  override name = 'RenderWrong'
}

export async function checkRender({ form, folder, names, frames, soundFrames, rungs, languages }: Made): Promise<void> {
  for (const name of names) if ((await stat(join(folder, name))).size === 0) throw new RenderWrong(`${name} is empty`)
  const seconds = frames / FRAMES_PER_SECOND
  const expectSamples = async (name: string, expected: number) => {
    const facts = await readMp4(join(folder, name))
    if (facts.samples !== expected)
      throw new RenderWrong(`${name} has ${facts.samples} samples; ${expected} were expected`)
    return facts
  }
  const expectSeconds = (name: string, found: number) => {
    if (!(Math.abs(found - seconds) <= TOLERANCE_SECONDS))
      throw new RenderWrong(`${name} lasts ${found} s; ${seconds} s were expected`)
  }
  if (form === 'mp4') {
    const facts = await expectSamples('video.mp4', frames + soundFrames)
    return expectSeconds('video.mp4', facts.seconds)
  }
  const playlistSeconds = async (name: string) => secondsOf(await readFile(join(folder, name), 'utf8'))
  for (let n = 0; n < rungs; n += 1) {
    await expectSamples(`pictures-${n}.m4s`, frames)
    expectSeconds(`pictures-${n}.m3u8`, await playlistSeconds(`pictures-${n}.m3u8`))
  }
  for (const language of languages) {
    await expectSamples(`sound-${language}.m4s`, soundFrames)
    expectSeconds(`sound-${language}.m3u8`, await playlistSeconds(`sound-${language}.m3u8`))
  }
}
