import { buffer } from 'node:stream/consumers'
import { isObject } from '@tendon/contracts'
import { type Database, NOBODY } from '@tendon/db'
import { ObjectExists, type ObjectStore } from '@tendon/object-store'
import { createSigner, parseKeyring, type Signature, type Signer } from '@tendon/secrets'
import type { WorkerLoop } from '../../../platform/worker-loop.ts'
import { findNewestSeal, findSeal, type Seal } from './seal-queries.ts'

// Seals prove that no entry was changed, but not that the newest ones were not cut off together with their entries. An
// anchor is the hash of the newest seal, signed and kept outside the database.

const FOLDER = 'audit-anchors/'
const ANCHOR_EVERY_MS = 600_000
const MAX_ANCHOR_BYTES = 4_096
const SEAL_ID_DIGITS = 15

export interface Anchor extends Signature {
  seal_id: number
  hash: string
  anchored_at: string
}

export const anchorSigner = (keyring: string): Signer => createSigner(parseKeyring(keyring), 'audit anchor')

const signedText = ({ seal_id, hash, anchored_at }: Omit<Anchor, keyof Signature>): string =>
  JSON.stringify([seal_id, hash, anchored_at])

/** The keys sort by the number of the seal. */
const keyOf = (sealId: number): string => `${FOLDER}${String(sealId).padStart(SEAL_ID_DIGITS, '0')}.json`

/** Writes the anchor of a seal, unless there is one: the first one stays. */
async function writeAnchor(objects: ObjectStore, signer: Signer, seal: Seal, now: Date): Promise<void> {
  const content = { seal_id: seal.id, hash: seal.hash.toString('hex'), anchored_at: now.toISOString() }
  const anchor: Anchor = { ...content, ...signer.sign(signedText(content)) }
  const body = Buffer.from(`${JSON.stringify(anchor)}\n`)
  await objects
    .put(keyOf(seal.id), body, { contentType: 'application/json', maxBytes: MAX_ANCHOR_BYTES, ifAbsent: true })
    .catch((error: Error) => {
      if (!(error instanceof ObjectExists)) throw error
    })
}

/** Anchors the newest seal every ten minutes, if there is a new one. */
export const anchorLoop: WorkerLoop = {
  name: 'anchoring',
  idleMs: ANCHOR_EVERY_MS,
  start({ db, objects, config, now }) {
    const signer = anchorSigner(config.KEYRING)
    let anchored: number | undefined
    return async () => {
      const seal = await db.platform(NOBODY, findNewestSeal)
      if (seal !== undefined && seal.id !== anchored) {
        await writeAnchor(objects, signer, seal, now())
        anchored = seal.id
      }
      return { more: false }
    }
  },
}

type AnchorVerdict = { ok: true; anchor: Anchor | undefined } | { ok: false; problem: string }

/** Compares the newest anchor with its seal in the database. */
export async function verifyAnchor(db: Database, objects: ObjectStore, signer: Signer): Promise<AnchorVerdict> {
  const key = await findNewestKey(objects)
  if (key === undefined) return { ok: true, anchor: undefined }
  const object = await objects.get(key)
  const anchor = object && readAnchor((await buffer(object.body)).toString('utf8'))
  if (anchor === undefined || keyOf(anchor.seal_id) !== key)
    return { ok: false, problem: `The anchor ${key} is damaged.` }
  if (!signer.isSigned(signedText(anchor), anchor)) {
    return { ok: false, problem: `The anchor ${key} is not signed with a key of KEYRING.` }
  }
  const seal = await db.platform(NOBODY, (tx) => findSeal(tx, anchor.seal_id))
  const when = `which was anchored at ${anchor.anchored_at}`
  if (seal === undefined) return { ok: false, problem: `Seal ${anchor.seal_id}, ${when}, is missing.` }
  if (seal.hash.toString('hex') !== anchor.hash) {
    return { ok: false, problem: `Seal ${anchor.seal_id}, ${when}, has another hash than its anchor.` }
  }
  return { ok: true, anchor }
}

async function findNewestKey(objects: ObjectStore): Promise<string | undefined> {
  let newest: string | undefined
  for await (const key of objects.list(FOLDER)) if (newest === undefined || key > newest) newest = key
  return newest
}

function readAnchor(text: string): Anchor | undefined {
  try {
    const anchor: unknown = JSON.parse(text)
    if (!isObject(anchor)) return undefined
    const { seal_id, hash, anchored_at, key_id, signature } = anchor
    if (typeof seal_id !== 'number' || typeof hash !== 'string' || typeof anchored_at !== 'string') return undefined
    if (typeof key_id !== 'string' || typeof signature !== 'string') return undefined
    return { seal_id, hash, anchored_at, key_id, signature }
  } catch {
    return undefined
  }
}
