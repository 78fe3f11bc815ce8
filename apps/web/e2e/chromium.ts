import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The machine's Chromium; undefined when it has none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  const folders = (env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Why browser tests are skipped; false when they run. BROWSER_TESTS=required makes a missing browser a failure. */
export const SKIPPED: string | false =
  findChromium() !== undefined || process.env.BROWSER_TESTS === 'required'
    ? false
    : 'no Chromium on this machine (Debian and Ubuntu: apt-get install chromium; or set CHROMIUM_PATH)'
