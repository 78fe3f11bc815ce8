import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { portOf } from '@tendon/testing'
import { temporaryFolder } from './drivers.testing.ts'
import { createFsStore, ObjectExists, ObjectTooLarge } from './index.ts'

const options = { contentType: 'text/plain', maxBytes: 100 }
const DAY_MS = 24 * 60 * 60 * 1000

async function newStore(t: TestContext) {
  const folder = await temporaryFolder()
  t.after(() => rm(folder, { recursive: true, force: true }))
  const root = join(folder, 'root')
  const outside = join(folder, 'outside')
  await mkdir(outside)
  const open = () => createFsStore({ root, publicBaseUrl: 'http://localhost', signingKey: randomBytes(32) })
  return { folder, root, outside, open, store: open() }
}

test('a failed put leaves no file', async (t) => {
  const { root, store } = await newStore(t)
  await store.put('a', Buffer.of(1), options)
  await assert.rejects(store.put('b', Readable.from([Buffer.alloc(101)]), options), ObjectTooLarge)
  await assert.rejects(store.put('a', Buffer.of(2), { ...options, ifAbsent: true }), ObjectExists)
  assert.deepEqual(await readdir(root, { recursive: true }), ['incoming', 'objects', join('objects', 'a@object')])
})

test('an object is one file: a line with its type, then its bytes', async (t) => {
  const { root, store } = await newStore(t)
  await store.put('x/a.txt', Buffer.from('text\nmore'), options)
  const file = await readFile(join(root, 'objects/x/a.txt@object'), 'utf8')
  assert.equal(file, '{"content_type":"text/plain"}\ntext\nmore')
})

test('a symbolic link in the path is refused, and nothing outside is read, written or deleted', async (t) => {
  const { root, outside, store } = await newStore(t)
  await writeFile(join(outside, 'secret@object'), '{"content_type":"text/plain"}\nsecret')
  await symlink(outside, join(root, 'objects/folder'))
  await symlink(join(outside, 'secret@object'), join(root, 'objects/file@object'))
  for (const key of ['folder/secret', 'folder/new', 'folder/deep/new']) {
    await assert.rejects(store.put(key, Buffer.of(1), options))
    await assert.rejects(store.put(key, Buffer.of(1), { ...options, ifAbsent: true }))
  }
  for (const key of ['folder/secret', 'file']) {
    await assert.rejects(store.get(key))
    await assert.rejects(store.head(key))
  }
  await assert.rejects(store.delete('folder/secret'))
  await store.delete('file')
  assert.deepEqual(await Array.fromAsync(store.list('')), [])
  await assert.rejects(Array.fromAsync(store.list('folder/')))
  assert.deepEqual(await readdir(outside), ['secret@object'])
})

test('a put replaces a symbolic link and does not write through it', async (t) => {
  const { root, outside, store } = await newStore(t)
  await writeFile(join(outside, 'target'), 'untouched')
  await symlink(join(outside, 'target'), join(root, 'objects/a@object'))
  await store.put('a', Buffer.of(1), options)
  assert.equal(await readFile(join(outside, 'target'), 'utf8'), 'untouched')
  assert.equal((await store.head('a'))?.bytes, 1)
})

test('a store whose folders are symbolic links does not open; its root may be one', async (t) => {
  const { folder, root, outside, open, store } = await newStore(t)
  await store.put('a', Buffer.of(1), options)
  await symlink(root, join(folder, 'link'))
  const linked = createFsStore({ root: join(folder, 'link'), publicBaseUrl: '', signingKey: randomBytes(32) })
  assert.equal((await linked.head('a'))?.bytes, 1)
  await rm(join(root, 'objects'), { recursive: true })
  await symlink(outside, join(root, 'objects'))
  assert.throws(open, /leads out of it/)
})

test('keys are listed in the order of S3', async (t) => {
  const { store } = await newStore(t)
  const keys = ['a', 'a-1', 'a.b', 'a/b', 'a/b/c', 'a0', 'ab']
  for (const key of keys.toReversed()) await store.put(key, Buffer.of(1), options)
  assert.deepEqual(await Array.fromAsync(store.list('')), keys)
})

test('a range of only the first byte works', async (t) => {
  const { store } = await newStore(t)
  await store.put('a', Buffer.from('xyz'), options)
  const object = await store.get('a', { start: 0, end: 0 })
  assert.ok(object)
  assert.deepEqual(await object.body.toArray(), [Buffer.from('x')])
})

test('a damaged file is an error, not an object', async (t) => {
  const { root, store } = await newStore(t)
  for (const content of ['', 'no header', '{}\nx', '{"content_type":1}\n', `"${'x'.repeat(600)}"\n`]) {
    await writeFile(join(root, 'objects/a@object'), content)
    await assert.rejects(store.get('a'), /damaged/)
  }
})

test('opening a store deletes incoming files older than a day, and nothing newer', async (t) => {
  const { root, open } = await newStore(t)
  // Both times are set: test:hard shifts the clock of processes, not that of files.
  for (const [name, age] of [
    ['old', DAY_MS + 1000],
    ['young', 0],
  ] as const) {
    await writeFile(join(root, 'incoming', name), 'x')
    const written = new Date(Date.now() - age)
    await utimes(join(root, 'incoming', name), written, written)
  }
  open()
  assert.deepEqual(await readdir(join(root, 'incoming')), ['young'])
})

test('a store that lost its folder is not ready', async (t) => {
  const { root, store } = await newStore(t)
  await store.check()
  await rm(root, { recursive: true })
  await assert.rejects(store.check())
})

test('a request over the limit can still be answered', async (t) => {
  const { store } = await newStore(t)
  const server = createServer((request, response) => {
    store.put('upload', request, options).then(
      () => response.writeHead(201).end(),
      (error) => response.writeHead(error instanceof ObjectTooLarge ? 413 : 500).end(),
    )
  })
  t.after(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${portOf(server)}`
  const response = await fetch(url, { method: 'POST', body: Buffer.alloc(2_000_000) })
  assert.equal(response.status, 413)
  assert.equal((await fetch(url, { method: 'POST', body: 'small' })).status, 201)
})
