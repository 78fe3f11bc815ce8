import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { MAX_DOCUMENT_IMAGE_BYTES, withImages } from './pictures.ts'

describe('images of a document', () => {
  const document = (keys: string[]) => ({
    title: 'Letter',
    language: 'en',
    clinic: { name: 'Clinic', lines: [], logo: null },
    brand_color: '#000000',
    verification: null,
    blocks: keys.map((key) => ({
      type: 'image' as const,
      image: { object_key: key, content_id: key, format: 'png' as const },
      alt: '',
      width_percent: 50,
    })),
    created_at: new Date(0),
  })
  function storeOf(bytes: number) {
    const read: string[] = []
    const get = async (key: string) => {
      read.push(key)
      return { body: Readable.from([Buffer.alloc(bytes)]), bytes, totalBytes: bytes, contentType: 'image/png' }
    }
    return { read, objects: { get } }
  }

  test('each is read once, however many blocks show it', async () => {
    const { read, objects } = storeOf(1_000)
    const { blocks } = await withImages(objects, document([...Array.from({ length: 50 }, () => 'a'), 'b']))
    assert.deepEqual(read, ['a', 'b'])
    assert.equal(blocks.length, 51)
    assert.equal(new Set(blocks.map((block) => block.type === 'image' && block.image)).size, 2)
  })

  test('more bytes than the limit are refused (422 images_too_large), and the rest is not read', async () => {
    const { read, objects } = storeOf(MAX_DOCUMENT_IMAGE_BYTES / 4)
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    await assert.rejects(withImages(objects, document(keys)), { code: 'images_too_large', status: 422 })
    assert.deepEqual(read, keys.slice(0, 5))
  })
})
