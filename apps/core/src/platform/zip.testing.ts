import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'

/** Reads a ZIP file strictly: the directory must agree with each local header and descriptor. */
export function unzip(file: Buffer): Map<string, Buffer> {
  const end = file.length - 22
  assert.equal(file.readUInt32LE(end), 0x06054b50)
  const count = file.readUInt16LE(end + 10)
  assert.equal(file.readUInt16LE(end + 8), count)
  const start = file.readUInt32LE(end + 16)
  assert.equal(start + file.readUInt32LE(end + 12), end)
  const entries = new Map<string, Buffer>()
  let at = start
  let next = 0
  for (let index = 0; index < count; index++) {
    assert.equal(file.readUInt32LE(at), 0x02014b50)
    const [crc, compressed, bytes] = [16, 20, 24].map((field) => file.readUInt32LE(at + field))
    assert.ok(crc !== undefined && compressed !== undefined && bytes !== undefined)
    const name = file.subarray(at + 46, at + 46 + file.readUInt16LE(at + 28))
    const offset = file.readUInt32LE(at + 42)
    assert.equal(offset, next)
    assert.equal(file.readUInt32LE(offset), 0x04034b50)
    assert.deepEqual(file.subarray(offset + 4, offset + 14), file.subarray(at + 6, at + 16))
    const content = offset + 30 + name.length
    assert.deepEqual(file.subarray(offset + 30, content), name)
    const body = inflateRawSync(file.subarray(content, content + compressed))
    assert.deepEqual([body.length, crc32(body)], [bytes, crc])
    const descriptor = content + compressed
    assert.equal(file.readUInt32LE(descriptor), 0x08074b50)
    assert.deepEqual(file.subarray(descriptor + 4, descriptor + 16), file.subarray(at + 16, at + 28))
    next = descriptor + 16
    entries.set(name.toString('utf8'), body)
    at += 46 + name.length
  }
  assert.equal(at, end)
  assert.equal(next, start)
  return entries
}
