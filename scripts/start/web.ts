import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Config } from '@tendon/config'
import { ProcessFailed } from './processes.ts'

const BUILD = join(import.meta.dirname, '../build.ts')

/** Builds the web apps in a process of its own, beside whatever else starts. Skips those that have not changed. */
export function buildWebApps(): { done: Promise<string>; stop: () => void } {
  const child = spawn(process.execPath, [BUILD, '--local'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
  const done = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve(output.trim())
      else reject(new ProcessFailed(`The web apps could not be built.\n${output.trim()}`))
    })
  })
  done.catch(() => {}) // awaited later
  return { done, stop: () => void child.kill() }
}

/** Vite's server before the core API, with hot reload. Returns what stops it. */
export async function startWebServer({ publicUrl, HOST, CORE_PORT }: Config): Promise<() => Promise<void>> {
  const { serveWeb } = await import('../../apps/web/dev.ts')
  return serveWeb(new URL(publicUrl), `http://${HOST}:${CORE_PORT}`).catch((error: Error) => {
    if (!/already in use/.test(error.message)) throw error
    throw new ProcessFailed(
      `${publicUrl} is in use, perhaps by another npm run dev. Stop that program, or choose another port: PUBLIC_URL=http://127.0.0.1:… npm run dev`,
    )
  })
}
