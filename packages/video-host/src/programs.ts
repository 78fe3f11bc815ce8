import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Folders of the programs of the system. */
const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'].join(delimiter)

/** Where a program is installed. A relative folder of the search path is left out: a program in it could be anyone's. */
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
