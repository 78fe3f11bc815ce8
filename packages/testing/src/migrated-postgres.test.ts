import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { keptPack } from './kept-pack.ts'
import { sources } from './migrated-postgres.ts'
import { isWholePack, packFolder, unpackFolder } from './packed-folder.ts'

const DAYS_AGO = (days: number) => new Date(Date.now() - days * 86_400_000)

async function newFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tendon-kept-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A pack whose only file contains this text. */
async function packOf(context: TestContext, text: string): Promise<Buffer> {
  const folder = await newFolder(context)
  await writeFile(join(folder, 'text'), text)
  return packFolder(folder, ['text'])
}

async function textOf(context: TestContext, pack: Buffer): Promise<string> {
  const folder = await newFolder(context)
  unpackFolder(pack, folder)
  return readFile(join(folder, 'text'), 'utf8')
}

const refuse = (line: string) => assert.fail(line)

/** Keeps under the name `hash`, and counts how often it was made. */
async function keeper(context: TestContext, folder: string) {
  const pack = await packOf(context, 'made')
  const said: string[] = []
  let made = 0
  const make = async () => {
    made += 1
    return pack
  }
  const get = () => keptPack({ folder, name: () => 'hash', make, say: (line) => said.push(line) })
  return { get, made: () => made, said, file: join(folder, 'hash') }
}

describe('the migrated cluster that is kept between runs', () => {
  test('a folder is unpacked as it was packed, with empty files and folders, open to its owner alone', async (context) => {
    const [from, to] = [await newFolder(context), await newFolder(context)]
    await mkdir(join(from, 'postgres/base/empty'), { recursive: true })
    await writeFile(join(from, 'postgres/base/1'), Buffer.alloc(20_000, 7))
    await writeFile(join(from, 'postgres/base/2'), '')
    await writeFile(join(from, 'password'), 'secret')
    await writeFile(join(from, 'log'), 'not named')
    unpackFolder(packFolder(from, ['postgres', 'password']), to)
    const paths = (await readdir(to, { recursive: true })).sort()
    assert.deepEqual(paths, [
      'password',
      'postgres',
      'postgres/base',
      'postgres/base/1',
      'postgres/base/2',
      'postgres/base/empty',
    ])
    assert.deepEqual(await readFile(join(to, 'postgres/base/1')), Buffer.alloc(20_000, 7))
    assert.equal(await readFile(join(to, 'password'), 'utf8'), 'secret')
    for (const path of paths) assert.equal((await stat(join(to, path))).mode & 0o077, 0)
  })

  test('a pack that was cut or changed anywhere is not whole', async (context) => {
    const pack = await packOf(context, 'some text')
    assert.ok(isWholePack(pack))
    for (let length = 0; length < pack.length; length += 1) assert.ok(!isWholePack(pack.subarray(0, length)))
    for (let index = 0; index < pack.length; index += 1) {
      const changed = Buffer.from(pack)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      assert.ok(!isWholePack(changed))
    }
  })

  test('it is made once and then read', async (context) => {
    const { get, made } = await keeper(context, join(await newFolder(context), 'new'))
    for (const _ of [1, 2, 3]) assert.equal(await textOf(context, await get()), 'made')
    assert.equal(made(), 1)
  })

  test('a file that a crash cut is made again', async (context) => {
    const { get, made, file } = await keeper(context, await newFolder(context))
    await get()
    await truncate(file, 20)
    assert.equal(await textOf(context, await get()), 'made')
    await get()
    assert.equal(made(), 2)
  })

  test('of two runs that start at once each gets a whole one, and one file is left', async (context) => {
    const folder = await newFolder(context)
    const { get } = await keeper(context, folder)
    for (const pack of await Promise.all([get(), get()])) assert.equal(await textOf(context, pack), 'made')
    assert.deepEqual(await readdir(folder), ['hash'])
  })

  test('where nothing can be written, it is made each time', async (context) => {
    const closed = join(await newFolder(context), 'file')
    await writeFile(closed, '')
    const { get, made, said } = await keeper(context, join(closed, 'folder'))
    for (const _ of [1, 2]) assert.equal(await textOf(context, await get()), 'made')
    assert.equal(made(), 2)
    assert.match(said[0] ?? '', /not kept for the next run/)
  })

  test('it is not kept when a source was saved while it was made', async (context) => {
    const folder = await newFolder(context)
    const pack = await packOf(context, 'of the old or the new text')
    const names = ['old', 'new']
    await keptPack({ folder, name: () => names.shift() ?? '', make: () => Promise.resolve(pack), say: refuse })
    assert.deepEqual(await readdir(folder), [])
  })

  test('two are kept, those used last; what a killed run left half written goes after a day', async (context) => {
    const folder = await newFolder(context)
    const files = { oldest: 3, older: 2, 'abandoned.partial': 2, 'young.partial': 0 }
    for (const [name, days] of Object.entries(files)) {
      await writeFile(join(folder, name), await packOf(context, name))
      await utimes(join(folder, name), DAYS_AGO(days), DAYS_AGO(days))
    }
    const get = (name: string) => keptPack({ folder, name: () => name, make: () => packOf(context, name), say: refuse })
    await get('oldest')
    await get('newest')
    assert.deepEqual((await readdir(folder)).sort(), ['newest', 'oldest', 'young.partial'])
  })

  test('every SQL file, what migrates, and the version of PostgreSQL belong to its hash', () => {
    const files = sources()
    for (const file of [
      'database/roles.sql',
      'database/former-functions.sql',
      'database/migrations/0001_tenancy.sql',
      'database/functions/usage.sql',
      'packages/db/src/migrate.ts',
      'packages/db/src/embedded/cluster.ts',
      'packages/testing/src/database.ts',
      'package-lock.json',
    ])
      assert.ok(files.includes(file), file)
    assert.ok(files.some((file) => file.startsWith('database/seed/')))
  })
})
