import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { badKeyFile } from './refusals.ts'

export interface SigningKey {
  kty: 'RSA'
  kid: string
  alg: 'RS256'
  use: 'sig'
  [parameter: string]: string
}

/** Reads `<dataDir>/identity/keys.json`; the first process creates it. */
export async function loadSigningKey(dataDir: string): Promise<SigningKey> {
  const path = join(dataDir, 'identity', 'keys.json')
  return (await readKey(path)) ?? (await createKey(dataDir, path))
}

async function readKey(path: string): Promise<SigningKey | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = parseKeys(text)?.keys?.[0]
  if (!isSigningKey(key)) throw badKeyFile(path)
  return key
}

function parseKeys(text: string): { keys?: unknown[] } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSigningKey(key: unknown): key is SigningKey {
  if (typeof key !== 'object' || key === null) return false
  return (
    'kty' in key &&
    key.kty === 'RSA' &&
    'alg' in key &&
    key.alg === 'RS256' &&
    'use' in key &&
    key.use === 'sig' &&
    'kid' in key &&
    typeof key.kid === 'string' &&
    'd' in key &&
    typeof key.d === 'string'
  )
}

async function createKey(dataDir: string, path: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const key = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' }

  // Two steps: the data folder is shared with other services and keeps the usual mode, only ours is private.
  await mkdir(dataDir, { recursive: true })
  await mkdir(join(dataDir, 'identity'), { recursive: true, mode: 0o700 })

  // Creating a hard link is atomic: of two processes that start at once one wins, and both read its key.
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ keys: [key] }, null, 2), { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  const kept = await readKey(path)
  if (!kept) throw badKeyFile(path)
  return kept
}
