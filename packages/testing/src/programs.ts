import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

// Programs that tests need and a machine may lack. Searched in PATH only, so that `npm run test:bare` can hide them.

/** The path of the first of these programs in PATH; undefined where there is none. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

/** The machine's Chromium; undefined where there is none. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM_PATH || findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

/** The folder with the programs of an older PostgreSQL, which Debian keeps out of PATH; undefined where it is not installed. */
export function installedBinaries(major: number): string | undefined {
  const folder = join(process.env.POSTGRESQL_FOLDER ?? '/usr/lib/postgresql', String(major), 'bin')
  return isExecutable(join(folder, 'initdb')) ? folder : undefined
}

/** For tests that are skipped without it. */
export const FFMPEG = findProgram('ffmpeg') ?? 'ffmpeg'

/** Why a test of ffmpeg is skipped; false where it runs. */
export const NO_FFMPEG = lacks('ffmpeg')
export const NO_REDIS = lacks('redis-server')

function lacks(program: string): string | false {
  return (
    findProgram(program) === undefined &&
    `no ${program} on this machine (Debian and Ubuntu: apt-get install ${program})`
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
