import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ByteRange, ObjectStore } from '@tendon/object-store'
import { UnplayableSound, UnplayableVideo } from './port.ts'
import { LOW_PRIORITY } from './processes.ts'
import { findProgram } from './programs.ts'

// What a video or a sound is, read from its container. A file made to do harm can let its reader loop or fill the memory, which no
// thread survives; so a process of its own reads it: bounded in memory and time, unable to write or to start anything.

export interface Facts {
  seconds: number
  width: number
  height: number
  has_sound: boolean
}
export type Kind = 'video' | 'mp3'
/** Both ends are included. */
export type Asked = Required<ByteRange>
/** Null: not of this kind, or not all of it. */
export interface Answer {
  facts: Facts | null
}

export const VIDEO_MAX_SECONDS = 60 * 60
const SIDE_MAX_PIXELS = 4_096
/** Wall-clock time, because on a busy machine the reader waits for the processor. */
const MAX_INSPECTION_MS = 30_000
const READ_MAX_BYTES = 64 * 1024 * 1024
/** Twice what an hour at 60 frames a second takes to read. */
const BOUNDS = ['--max-old-space-size=128', '--permission', '--allow-fs-read=*', '--disable-warning=SecurityWarning']
/** An hour at 60 frames a second takes 0.2 seconds of processor time, and 350 MB of data of which 60 are resident. */
const LIMITS = ['--cpu=1', `--data=${700 * 1024 * 1024}`, '--nofile=64', '--core=0', '--']

/** Throws `UnplayableVideo`. */
export async function inspectVideo(objects: ObjectStore, key: string): Promise<Facts> {
  const facts = await readFacts(objects, key, 'video')
  if (!facts) throw new UnplayableVideo('has no picture, or is damaged or incomplete: save or record it again')
  if (!(facts.seconds > 0 && facts.seconds <= VIDEO_MAX_SECONDS))
    throw new UnplayableVideo(`must have a duration of up to ${VIDEO_MAX_SECONDS} seconds`)
  if (Math.max(facts.width, facts.height) > SIDE_MAX_PIXELS)
    throw new UnplayableVideo(`must be at most ${SIDE_MAX_PIXELS} pixels wide and high`)
  return facts
}

/** The seconds of an MP3. Throws `UnplayableSound`. */
export async function inspectMp3(objects: ObjectStore, key: string): Promise<number> {
  const facts = await readFacts(objects, key, 'mp3')
  if (!facts || !(facts.seconds > 0)) throw new UnplayableSound('is not MP3, or is damaged: save or record it again')
  return facts.seconds
}

async function readFacts(objects: ObjectStore, key: string, kind: Kind): Promise<Facts | null> {
  const stored = await objects.head(key)
  if (!stored) throw new Error('the file is missing')
  const { promise, resolve, reject } = Promise.withResolvers<Facts | null>()
  const prlimit = findProgram('prlimit')
  const reader = fork(join(import.meta.dirname, 'inspect-process.mjs'), [String(stored.bytes), kind], {
    ...(prlimit === undefined
      ? { execArgv: BOUNDS }
      : { execPath: prlimit, execArgv: [...LIMITS, process.execPath, ...BOUNDS] }),
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: MAX_INSPECTION_MS,
    killSignal: 'SIGKILL',
  })
  // Normal priority, because a request waits for the result; low priority if prlimit is missing, so that it harms no others.
  if (prlimit === undefined && reader.pid !== undefined) setPriority(reader.pid, LOW_PRIORITY)
  const give = async (asked: Asked) => {
    if (asked.end - asked.start >= READ_MAX_BYTES) return resolve(null)
    const object = await objects.get(key, asked)
    if (!object) throw new Error('the file is missing')
    const part = await buffer(object.body)
    if (reader.connected) reader.send(part, () => {})
  }
  let given = Promise.resolve()
  reader
    .on('message', (message: Asked | Answer) => {
      if ('facts' in message) resolve(message.facts)
      else given = given.then(() => give(message)).catch(reject)
    })
    .on('error', reject)
    .on('exit', () => resolve(null))
  try {
    return await promise
  } finally {
    if (reader.exitCode === null && reader.signalCode === null && reader.kill('SIGKILL')) await once(reader, 'exit')
  }
}
