import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { apps, type WebApp } from './build/apps.ts'
import { type Compression, compressFolder } from './build/compress.ts'
import { firstLoadBytes, firstLoadOf, offlineFilesOf, readManifest } from './build/first-load.ts'
import { copyPoseFiles, POSE_VERSION } from './build/pose-files.ts'
import { fingerprint, isFresh, writeStamp } from './build/stamp.ts'
import { buildConfig } from './build/vite-config.ts'

export class OverBudget extends Error {}

/** Builds those apps whose sources have changed into `webDir`/<app>. Returns what was built, in words. */
export async function buildWeb(webDir: string, compression: Compression): Promise<string[]> {
  const built = await Promise.all(apps.map((app) => buildApp(app, join(webDir, app.name), compression)))
  return built.filter((line) => line !== undefined)
}

async function buildApp(app: WebApp, dir: string, compression: Compression): Promise<string | undefined> {
  const stamp = `${await fingerprint(app.name)} ${compression}`
  if (await isFresh(dir, stamp)) return undefined
  await rm(join(dir, 'assets'), { recursive: true, force: true })
  await build(buildConfig(app.name, dir, stamp))
  const manifest = await readManifest(dir)
  const bytes = await firstLoadBytes(app, dir, manifest)
  await writeFile(join(dir, 'first-load.json'), JSON.stringify(firstLoadOf(app, manifest)))
  if (app.name === 'portal') await nameOfflineFiles(join(dir, 'worker.js'), offlineFilesOf(app, manifest))
  await rm(join(dir, 'manifest.json'))
  const words = `${app.name}: first load ${(bytes / 1000).toFixed(0)} KB of ${app.budget / 1000} KB`
  if (bytes > app.budget) throw new OverBudget(`${words}. Load parts of it on their route only.`)
  await compressFolder(join(dir, 'assets'), compression)
  if (app.name === 'portal') await buildPoseFiles(join(dir, 'pose'), compression)
  await writeStamp(dir, stamp)
  return words
}

/** The names contain hashes, which are known after the build. */
async function nameOfflineFiles(worker: string, files: readonly string[]): Promise<void> {
  const source = await readFile(worker, 'utf8')
  if (!source.includes('%OFFLINE_FILES%')) throw new Error('the service worker names no place for its files')
  await writeFile(worker, source.replace('%OFFLINE_FILES%', files.join(' ')))
}

/** 20 MB that seldom change: compressed once for each version. */
async function buildPoseFiles(dir: string, compression: Compression): Promise<void> {
  const stamp = `${POSE_VERSION} ${compression}`
  if (await isFresh(dir, stamp)) return
  await rm(dir, { recursive: true, force: true })
  await copyPoseFiles(join(dir, '..'))
  await compressFolder(dir, compression)
  await writeStamp(dir, stamp)
}
