import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** System folders with programs. */
const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'].join(delimiter)

/** The path of an installed program. Ignores relative folders of the search path, because anyone could put a program there. */
export function findProgram(name: string, searchPath = SYSTEM_PATH): string | undefined {
  const folders = searchPath.split(delimiter).filter(isAbsolute)
  const paths = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
